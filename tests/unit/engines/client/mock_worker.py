# SPDX-License-Identifier: Apache-2.0
"""A worker that misbehaves as the call's name says: mock.crash crashes, mock.honest adds one to x."""

import json
import os
import signal
import sys
import time

import mock_reply_vices  # noqa: F401  registers them
import mock_timed_vices  # noqa: F401
import numpy as np
from mock_process_vices import in_a_session_of_its_own
from mock_vices import PREPARE_VICES, REPEAT_VICES, VICES
from scatterproof_worker import Unsupported, Worker


# What is wrong with the answer to document.
DOCUMENTS = {
    "mock.crash": lambda: os._exit(3),
    "mock.number": lambda: {"ok": {"text": 5}},
    "mock.more": lambda: {"ok": {"text": "Adds one.", "title": "honest"}},
    "mock.no_reason": lambda: {"unsupported": {"reason": ""}},
}


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

    def loop(self, calls, payload, rounds):
        if calls[0]["api"] == "mock.loop_crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        if calls[0]["api"] == "mock.loop_longer_than_waited":
            return {"ok": {"seconds": 1e6}}
        return super().loop(calls, payload, rounds)

    def find_document(self, name):
        return DOCUMENTS[name]() if name in DOCUMENTS else super().find_document(name)

    def answer(self, channel, call, payload):
        act = VICES.get(call["api"])
        if act is None:
            super().answer(channel, call, payload)
            return
        reply, data = self.execute({**call, "api": "mock.honest"}, payload)
        act(channel, {"seq": call["seq"], **json.loads(reply)}, data)


every_dtype = ["bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"]
worker = Mock(name="mock", version="1", dtypes=every_dtype if "--all-dtypes" in sys.argv else ["i64", "f32"])


@worker.document
def _(name):
    return {"mock.page": "Adds one.\n\nTo \u4e00."}.get(name)


@worker.call("mock.honest")
def _(x):
    return x + 1


@worker.call("mock.sleeps")
def _(x):
    time.sleep(0.001)
    return x


@worker.call("mock.adds_five_or_more")
def _(x, more=5):
    return x + more


@worker.call("mock.adds_more")
def _(x, more):
    return x + more


@worker.call("mock.differentiable")
def _(x):
    return 2 * x


@worker.gradient("scatterproof.echo")
def _(value, of, cotangent):
    return value, [cotangent]


@worker.tangent("scatterproof.echo")
def _(value, of, tangents_0):
    return value, [tangents_0]


@worker.tangent("mock.differentiable")
def _(x, of, **tangents):
    return 2 * x, [2 * tangents[f"tangents_{of.index('x')}"]]


@worker.second_order("mock.differentiable")
def _(x, of, cotangent, tangents_0):
    return 2 * x, [2 * tangents_0, 0 * cotangent]


@worker.gradient("mock.differentiable")
def _(x, of, cotangent):
    kinds = {"x": 2 * cotangent, "nothing": None, "refused": NotImplementedError("not yet")}
    return 2 * x, [kinds[name] for name in of]


@worker.call("mock.shares")
def _(x, y):
    return np.asarray(int(np.may_share_memory(x, y)))


@worker.call("mock.refuses")
def _(x):
    raise IndexError("no such index")


@worker.call("mock.writes_and_refuses")
def _(x):
    x[...] = 0
    raise IndexError("no such index")


@worker.call("mock.overwrites_and_refuses", overwrites="x")
def _(x):
    x[...] = 0
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


shared_result = np.zeros(2, np.int64)


@worker.call("mock.returns_the_same_memory")
def _(x):
    return np.add(x, 1, out=shared_result)


@worker.call("mock.process")
def _(x):
    return np.asarray(os.getpid())


@worker.call("mock.types")
def _(nothing, flag, integer, real, special, complex_number, word, integers):
    assert nothing is None and flag is True and integer == -(2**63) and real == float.fromhex("0x1.999999999999ap-4")
    assert special != special and complex_number == complex(-0.0, float("inf")) and word == 'a "word"\n'
    assert integers == [3, -1, 2**62]
    return np.asarray(1)


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


for api in VICES:
    worker.call(api)(None)

FAULTS = {}


def fault(function):
    FAULTS["--" + function.__name__.replace("_", "-")] = function


@fault
def refuses_to_start():
    sys.exit("cannot import mock")


@fault
def refuses_the_second_start():
    with open(os.environ["MOCK_STARTS"], "a+", encoding="utf-8") as starts:
        starts.write("x")
        if starts.tell() == 2:
            sys.exit("not now")


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


def declares_without(member):
    import scatterproof_worker.protocol as protocol

    send = protocol.Channel.send

    def without(self, message, payload=b""):
        if isinstance(message, dict):
            message.get("ok", {}).pop(member, None)
        send(self, message, payload)

    protocol.Channel.send = without


@fault
def cannot_time():
    declares_without("times")


@fault
def cannot_loop():
    declares_without("loops")


@fault
def cannot_document():
    declares_without("documents")


@fault
def cannot_omit():
    declares_without("omits")


@fault
def cannot_share():
    declares_without("shares")


@fault
def offers_one_kernel():
    worker.call("torch.gather")(lambda input, dim, index: np.take_along_axis(input, index, dim))
    worker._about["kernels"] = [{"operation": "gather_elements", "dtypes": ["f32"], "index_dtypes": ["i64"],
                                 "layout": "contiguous", "wrap_negative": False, "checks": []}]


@fault
def offers_nonsense():
    worker._about["kernels"] = [{"operation": "scatter"}]


@fault
def signature_costs():
    worker._about["signature_seconds"] = 1.5
    worker._about["gradient_signature_seconds"] = 2.5


@fault
def signature_costs_nothing():
    worker._about["signature_seconds"] = 0


@fault
def repeats_never():
    Mock.repeat = lambda self, times: {"error": {"classes": ["ValueError"], "message": "once is enough"}}


@fault
def loops_never():
    Mock.loop = lambda self, calls, payload, rounds: {"error": {"classes": ["ValueError"], "message": "once is enough"}}


@fault
def declares_nothing():
    worker._declared = list


for flag in sys.argv:
    FAULTS.get(flag, lambda: None)()
worker.serve()
