# SPDX-License-Identifier: Apache-2.0
"""A worker that misbehaves as the call's name tells it to: mock.crash crashes, mock.honest adds one to x."""

import json
import os
import signal
import sys
import time

import numpy as np
from scatterproof_worker import Unsupported, Worker

VICES = {}
PREPARE_VICES = {}
REPEAT_VICES = {}


def vice(function):
    VICES["mock." + function.__name__] = function
    return function


def prepare_vice(function):
    PREPARE_VICES["mock." + function.__name__] = function
    return function


def repeat_vice(function):
    REPEAT_VICES["mock." + function.__name__] = function
    return function


class Mock(Worker):
    """Honest unless the call is one of the vices, which get the channel, the call and the honest reply."""

    def answer_prepare(self, channel, message, payload):
        (call,) = message["calls"]
        self.act = REPEAT_VICES.get(call["api"])
        if call["api"] in PREPARE_VICES:
            PREPARE_VICES[call["api"]](channel, message)
            return
        if self.act is not None:
            call = {**call, "api": "mock.honest"}
        super().answer_prepare(channel, {**message, "calls": [call]}, payload)

    def answer_repeat(self, channel, message):
        if self.act is None:
            super().answer_repeat(channel, message)
        else:
            self.act(channel, message)

    def answer(self, channel, call, payload):
        act = VICES.get(call["api"])
        if act is None:
            super().answer(channel, call, payload)
            return
        reply, data = self.execute({**call, "api": "mock.honest"}, payload)
        act(channel, {"seq": call["seq"], **reply}, data)


every_dtype = ["bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"]
worker = Mock(name="mock", version="1", dtypes=every_dtype if "--all-dtypes" in sys.argv else ["i64", "f32"])


@worker.call("mock.honest")
def _(x):
    return x + 1


@worker.call("mock.refuses")
def _(x):
    raise IndexError("no such index")


@worker.call("mock.refuses_beyond_utf8")
def _(x):
    raise IndexError("no such \udcff index, \u00e9\n")


@worker.call("mock.unsupported")
def _(x):
    raise Unsupported("not today")


@worker.call("mock.writes_input")
def _(x):
    result = x + 1
    x[...] = 0
    return result


@worker.call("mock.overwrites", overwrites="x")
def _(x):
    x += 1
    return x


@worker.call("mock.reads_behind_x")
def _(x):
    return np.lib.stride_tricks.as_strided(x, (len(x) + 2,)).copy()


@worker.call("mock.types")
def _(nothing, flag, integer, real, special, complex_number, word, integers):
    assert nothing is None and flag is True and integer == -(2**63) and real == float.fromhex("0x1.999999999999ap-4")
    assert special != special and complex_number == complex(-0.0, float("inf")) and word == 'a "word"\n'
    assert integers == [3, -1, 2**62]
    return np.asarray(1)


def tampered(reply, **changes):
    """The honest reply with its tensor's description changed."""
    reply["ok"]["tensors"][0].update(changes)
    return reply


@vice
def crash(channel, reply, data):
    print("about to crash", file=sys.stderr, flush=True)
    os.kill(os.getpid(), signal.SIGSEGV)


@vice
def exit_0(channel, reply, data):
    os._exit(0)


@vice
def hang(channel, reply, data):
    time.sleep(3600)


@vice
def hang_after_half(channel, reply, data):
    channel.send_raw(b'{"seq": ')
    time.sleep(3600)


@vice
def half_payload(channel, reply, data):
    channel.send_raw(json.dumps({**reply, "bytes": len(data)}).encode() + b"\n" + data[:-1])
    time.sleep(3600)


@vice
def half_then_exit(channel, reply, data):
    channel.send_raw(b'{"seq": ')
    os._exit(3)


@vice
def garbage(channel, reply, data):
    channel.send_raw(b"\xff\x00 not a reply\n")


@vice
def deep_json(channel, reply, data):
    channel.send_raw(b"[" * 100_000 + b"\n")


@vice
def endless_line(channel, reply, data):
    while True:
        channel.send_raw(b"x" * 65536)


@vice
def duplicate_seq(channel, reply, data):
    channel.send(dict(reply), data)
    channel.send(reply, data)


@vice
def answers_again_later(channel, reply, data):
    """Answers once more, after eight further replies: alone, or among few calls, it never comes to that."""
    channel.send(dict(reply), data)
    send, later = channel.send, []

    def count_and_send(message, payload=b""):
        send(message, payload)
        later.append(message)
        if len(later) == 8:
            send(reply, data)

    channel.send = count_and_send


@vice
def missing_seq(channel, reply, data):
    pass


@vice
def wrong_seq(channel, reply, data):
    channel.send({**reply, "seq": 987_654}, data)


@vice
def previous_seq(channel, reply, data):
    channel.send({**reply, "seq": reply["seq"] - 1}, data)


@vice
def next_seq(channel, reply, data):
    channel.send({**reply, "seq": reply["seq"] + 1}, data)


@vice
def text_seq(channel, reply, data):
    channel.send({**reply, "seq": "seven"}, data)


@vice
def wrong_shape(channel, reply, data):
    channel.send(tampered(reply, shape=[1000, 3]), data)


@vice
def huge_shape(channel, reply, data):
    channel.send(tampered(reply, shape=[2**40, 2**40]), data)


@vice
def rank_nine(channel, reply, data):
    channel.send(tampered(reply, shape=[1] * 9, strides=[1] * 9), data)


@vice
def negative_size(channel, reply, data):
    channel.send(tampered(reply, shape=[-1]), data)


@vice
def negative_stride(channel, reply, data):
    channel.send(tampered(reply, strides=[-1]), data)


@vice
def wrong_dtype(channel, reply, data):
    channel.send(tampered(reply, dtype="float128"), data)


@vice
def out_of_range_start(channel, reply, data):
    channel.send(tampered(reply, start=10_000), data)


@vice
def overflowing_length(channel, reply, data):
    channel.send(tampered(reply, length=2**63 - 1), data)


@vice
def duplicate_key(channel, reply, data):
    channel.send_raw(json.dumps({**reply, "bytes": len(data)}).replace('"wrote"', '"tensors": [], "wrote"').encode()
                     + b"\n" + data)


@vice
def unknown_member(channel, reply, data):
    channel.send({**reply, "expected": 3}, data)


@vice
def no_answer_at_all(channel, reply, data):
    channel.send({"seq": reply["seq"]})


@vice
def nan_seconds(channel, reply, data):
    reply["ok"]["seconds"] = float("nan")
    channel.send_raw(json.dumps({**reply, "bytes": len(data)}).encode() + b"\n" + data)


@vice
def negative_seconds(channel, reply, data):
    reply["ok"]["seconds"] = -1
    channel.send(reply, data)


@vice
def wrote_unknown(channel, reply, data):
    reply["ok"]["wrote"] = ["y"]
    channel.send(reply, data)


@vice
def huge_payload(channel, reply, data):
    channel.send_raw(json.dumps({**reply, "bytes": 2**62}).encode() + b"\n")


@vice
def negative_payload(channel, reply, data):
    channel.send_raw(json.dumps({**reply, "bytes": -1}).encode() + b"\n")


@vice
def closes_channel(channel, reply, data):
    channel.close()
    time.sleep(3600)


@vice
def closes_and_forks(channel, reply, data):
    """Ends while a child of its own keeps the channel open."""
    if os.fork() == 0:
        time.sleep(3600)
    os._exit(4)


@vice
def forks_child_that_lives(channel, reply, data):
    if os.fork() == 0:
        time.sleep(3600)
    channel.send(reply, data)


def in_a_session_of_its_own(environment):
    """A process that its parent abandons, as daemons are made."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execve(sys.executable, [sys.executable, "-c", "import time; time.sleep(3600)", *sys.argv[1:]], environment)
        os._exit(0)
    os.wait()


@vice
def makes_daemon(channel, reply, data):
    in_a_session_of_its_own(os.environ)
    channel.send(reply, data)


@vice
def makes_daemon_without_environment(channel, reply, data):
    in_a_session_of_its_own({})
    channel.send(reply, data)


@vice
def makes_daemon_and_crashes(channel, reply, data):
    in_a_session_of_its_own(os.environ)
    os.kill(os.getpid(), signal.SIGSEGV)


@vice
def floods_stdout(channel, reply, data):
    sys.stdout.write("out " * 1_000_000)
    sys.stdout.flush()
    channel.send(reply, data)


@vice
def floods_stderr(channel, reply, data):
    sys.stderr.write("err " * 1_000_000)
    sys.stderr.flush()
    channel.send(reply, data)


@vice
def floods_then_crashes(channel, reply, data):
    sys.stderr.write("err " * 1_000_000 + "the end\n")
    sys.stderr.flush()
    os.abort()


@vice
def damages_process(channel, reply, data):
    """Answers, and leaves the process in a state in which the next thing it does kills it."""
    channel.send(reply, data)
    channel.send = lambda *_: os.kill(os.getpid(), signal.SIGBUS)


@vice
def poisons_others(channel, reply, data):
    """Answers and does well alone; any other call after it dies."""
    channel.send(reply, data)
    VICES["mock.honest"] = lambda *_: os.kill(os.getpid(), signal.SIGBUS)


@vice
def misbehaves(channel, reply, data):
    """A host's word on what its engine did."""
    print("the engine's own words", file=sys.stderr, flush=True)
    channel.send({"seq": reply["seq"], "misbehaved": {"what": "the engine wrote where it must not"}})
    os._exit(1)


@vice
def hungry(channel, reply, data):
    np.ones(1 << 36, np.uint8)
    channel.send(reply, data)


@vice
def speaks_after_run(channel, reply, data):
    """Answers once more when the run has ended."""
    channel.send(reply, data)
    send = channel.send

    def send_twice(message, payload=b""):
        send(message, payload)
        if "answered" in message.get("ok", {}):
            channel.send = send
            send({"seq": reply["seq"], "unsupported": {"reason": "again"}})

    channel.send = send_twice


@vice
def reply_after_stop(channel, reply, data):
    channel.send(reply, data)
    close = channel.close

    def speak_first():
        channel.send({"seq": reply["seq"], "unsupported": {"reason": "one more thing"}})
        close()

    channel.close = speak_first


@worker.timed("mock.timed")
def _(x, threads, in_place):
    x += 1
    return x, lambda: time.sleep(0.001)


@worker.timed("mock.fails_later")
def _(x, threads, in_place):
    def fail():
        raise MemoryError("no more")

    return x, fail


@worker.timed("mock.options")
def _(x, threads, in_place):
    return np.asarray([threads, int(in_place)]), lambda: None


@prepare_vice
def prepare_crash(channel, message):
    os.kill(os.getpid(), signal.SIGSEGV)


@prepare_vice
def prepare_hang(channel, message):
    time.sleep(3600)


@prepare_vice
def prepare_garbage(channel, message):
    channel.send_raw(b"\xff\x00 not a reply\n")


@prepare_vice
def prepare_lies(channel, message):
    tensor = {"dtype": "i64", "shape": [3], "strides": [1], "offset": 0, "start": 0, "length": 8}
    channel.send({"seq": message["seq"] + 1, "ok": {"tensors": [tensor], "wrote": [], "seconds": 0}}, b"12345678")


@prepare_vice
def prepare_unanswered(channel, message):
    channel.send({"seq": message["seq"], "ok": {"answered": 1}})


@prepare_vice
def prepare_without_end(channel, message):
    channel.send({"seq": message["seq"] + 1, "unsupported": {"reason": "today"}})
    channel.send({"seq": message["seq"], "ok": {"answered": 0}})


@repeat_vice
def repeat_crash(channel, message):
    print("about to crash", file=sys.stderr, flush=True)
    os.kill(os.getpid(), signal.SIGSEGV)


@repeat_vice
def repeat_hang(channel, message):
    time.sleep(3600)


@repeat_vice
def repeat_garbage(channel, message):
    channel.send_raw(b"\xff\x00 not a reply\n")


@repeat_vice
def repeat_negative(channel, message):
    channel.send({"seq": message["seq"], "ok": {"seconds": -1}})


@repeat_vice
def repeat_text(channel, message):
    channel.send({"seq": message["seq"], "ok": {"seconds": "soon"}})


@repeat_vice
def repeat_longer_than_waited(channel, message):
    channel.send({"seq": message["seq"], "ok": {"seconds": 1000}})


@repeat_vice
def repeat_unknown_member(channel, message):
    channel.send({"seq": message["seq"], "ok": {"seconds": 0, "flops": 1}})


@repeat_vice
def repeat_with_bytes(channel, message):
    channel.send({"seq": message["seq"], "ok": {"seconds": 0}}, b"1234")


@repeat_vice
def repeat_other_seq(channel, message):
    channel.send({"seq": message["seq"] - 1, "ok": {"seconds": 0}})


@repeat_vice
def repeat_twice(channel, message):
    channel.send({"seq": message["seq"], "ok": {"seconds": 0}})
    channel.send({"seq": message["seq"], "ok": {"seconds": 0}})


for api in VICES:
    worker.call(api)(None)

FAULTS = {}


def fault(function):
    FAULTS["--" + function.__name__.replace("_", "-")] = function


@fault
def refuses_to_start():
    sys.exit("cannot import mock")


@fault
def hangs_at_start():
    time.sleep(3600)


@fault
def old_protocol():
    import scatterproof_worker.worker as loop

    loop.VERSION = 99


@fault
def echo_transposes():
    worker.call("scatterproof.echo")(lambda value: np.asarray(value).reshape(np.shape(value), order="F")
                                     if np.ndim(value) < 2 else np.ascontiguousarray(value.T).reshape(value.shape))


@fault
def echo_widens():
    worker.call("scatterproof.echo")(lambda value: value.astype("f8") if np.ndim(value) and value.dtype == "f4"
                                     else np.asarray(value))


@fault
def echo_overwrites():
    def echo(value):
        result = np.array(value)
        if np.ndim(value):
            value[...] = 0
        return result

    worker.call("scatterproof.echo")(echo)


@fault
def numbers_as_f32():
    worker.call("scatterproof.echo")(lambda value: np.float64(np.float32(value)) if isinstance(value, float)
                                     else np.asarray(value))


@fault
def refuse_crashes():
    worker.call("scatterproof.refuse")(lambda message: os._exit(1))


@fault
def all_apis():
    worker.call("scatterproof.no_such_call")(lambda: np.asarray(1))


@fault
def print_to_channel():
    os.dup2(3, 1)


@fault
def lives_on():
    import atexit

    atexit.register(time.sleep, 3600)


@fault
def makes_daemon():
    in_a_session_of_its_own(os.environ)


@fault
def exits_badly():
    import atexit

    atexit.register(os._exit, 3)


@fault
def cannot_time():
    import scatterproof_worker.protocol as protocol

    send = protocol.Channel.send

    def without_times(self, message, payload=b""):
        message.get("ok", {}).pop("times", None)
        send(self, message, payload)

    protocol.Channel.send = without_times


@fault
def repeats_never():
    Mock.repeat = lambda self, times: {"error": {"classes": ["ValueError"], "message": "once is enough"}}


@fault
def declares_nothing():
    worker._declared = list


for flag in sys.argv:
    FAULTS.get(flag, lambda: None)()
worker.serve()
