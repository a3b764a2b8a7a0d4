# SPDX-License-Identifier: Apache-2.0
"""The faults of answers: their order and number, answers that are wrong, and right ones in an unusual
form."""

import json
import math
import time

from faults import QUICK, edits, fault, tensor

# Its order and number.


@fault("infra")
def has_a_seq_that_was_never_sent(planted):
    reply, data = planted.honest()
    planted.note()
    planted.worker.send({**reply, "seq": planted.pick([987_654, 2**63 - 1, planted.seq + 1000])}, data)


@fault("infra")
def has_the_next_seq(planted):
    reply, data = planted.honest()
    planted.note()
    planted.worker.send({**reply, "seq": planted.seq + 1}, data)


# Done once, these look the same as a second answer to the call before, and as a late answer to an earlier
# run.
@fault("infra", steady=True)
def has_an_earlier_seq(planted):
    reply, data = planted.honest()
    planted.note()
    planted.worker.send({**reply, "seq": planted.pick([planted.seq - 1, 0, -1, -(2**63)])}, data)


# Done once, how these two show depends on what the next call does.
@fault("infra", steady=True)
def does_not_come(planted):
    planted.note()


@fault("infra", steady=True)
def comes_after_the_next(planted):
    planted.note()
    reply, data = planted.honest()
    for method in ("answer", "end_run"):
        planted.after(method, lambda: planted.worker.send(reply, data))


@fault("infra", later=True)
def comes_twice(planted):
    reply, data = planted.honest()
    planted.answer()
    planted.note()
    if planted.draw % 2:
        planted.answer()
    else:
        planted.worker.send({"seq": planted.seq, "unsupported": {"reason": "on second thoughts"}})


@fault("infra", later=True)
def comes_again_later(planted):
    """After up to three further replies, at the latest before the run ends: then it would come in another
    run."""
    planted.answer()
    worker, left = planted.worker, 1 + planted.draw % 3
    answer, end_run = worker.answer, worker.end_run

    def again():
        worker.answer, worker.end_run = answer, end_run
        planted.note()
        planted.answer()

    def answer_and_count(call, payload):
        nonlocal left
        answer(call, payload)
        left -= 1
        if left == 0:
            again()

    def again_and_end_run(message):
        again()
        end_run(message)

    worker.answer, worker.end_run = answer_and_count, again_and_end_run


@fault("infra", later=True)
def comes_again_after_the_run(planted):
    planted.answer()
    planted.after("end_run", lambda: (planted.note(), planted.answer()))


@fault(later=True)
def comes_again_between_runs(planted):
    planted.answer()
    planted.after("end_run", lambda: planted.after("end_run", lambda: (planted.note(), planted.answer())))


@fault("infra", later=True)
def ends_the_run_with_another_count(planted):
    planted.answer()
    own = planted.worker.end_run

    def miscounts(message):
        planted.note()
        own({**message, "calls": message["calls"] + [None]})

    planted.worker.end_run = miscounts


@fault("infra", later=True)
def ends_the_run_with_bytes(planted):
    planted.answer()

    def end_run(message):
        planted.note()
        planted.worker.send({"seq": message["seq"], "ok": {"answered": len(message["calls"])}}, b"\n")

    planted.worker.end_run = end_run


@fault(later=True)
def answers_stop_with_garbage(planted):
    planted.answer()

    def end(seq):
        planted.note()
        planted.worker.send_raw(planted.pick([b"\n", b"{}\n", b"\xff\n", b"bye"]))

    planted.worker.end = end


# It is well formed, and wrong.


@edits("mismatch")
def has_another_shape(reply, pick):
    tensor(reply)["shape"] = [1] + tensor(reply)["shape"]
    tensor(reply)["strides"] = [1] + tensor(reply)["strides"]


@edits("mismatch")
def has_another_dtype(reply, pick):
    twins = {"bool": "u8", "u8": "i8", "i8": "u8", "i16": "f16", "i32": "f32", "i64": "f64", "f16": "bf16", "bf16": "f16",
             "f32": "i32", "f64": "c64", "c64": "i64"}
    dtype = tensor(reply)["dtype"]
    if dtype in twins:
        tensor(reply)["dtype"] = twins[dtype]
    else:  # c128 has no twin of its size
        tensor(reply).update(dtype="f64", length=math.prod(tensor(reply)["shape"]) * 8)


@edits("mismatch")
def has_no_tensor(reply, pick):
    reply["ok"]["tensors"] = []


@fault("mismatch")
def says_that_it_wrote_its_index(planted):
    reply, data = planted.honest()
    reply["ok"]["wrote"] = planted.indices()
    planted.note()
    planted.worker.send_raw(json.dumps(reply).encode() + b"\n" + data)


@fault("unexpected_error")
def refuses(planted):
    planted.note()
    words = planted.pick(["", "no", "x" * (1 << 20), "\u00e9\u2028\ufffd", "\x1b[31mred", "line\nline"])
    planted.worker.send({"seq": planted.seq, "error": {"classes": ["ValueError"], "message": words}})


@fault("unsupported")
def offers_nothing(planted):
    planted.note()
    planted.worker.send({"seq": planted.seq, "unsupported": {"reason": planted.pick(["", "no", "x" * (1 << 20)])}})


@fault("crash")
def says_that_it_misbehaved(planted):
    planted.note()
    planted.worker.send({"seq": planted.seq, "misbehaved": {"what": "the engine wrote where it must not"}})
    raise SystemExit(1)


# It is right, in an unusual form.


@fault()
def comes_byte_by_byte(planted):
    reply, data = planted.honest()
    planted.note()
    for byte in json.dumps(reply).encode() + b"\n" + data:
        planted.worker.send_raw(bytes([byte]))


@fault()
def comes_in_two_parts(planted):
    reply, data = planted.honest()
    whole = json.dumps(reply).encode() + b"\n" + data
    cut = 1 + planted.draw % (len(whole) - 1)
    planted.note()
    planted.worker.send_raw(whole[:cut])
    time.sleep(0.05)
    planted.worker.send_raw(whole[cut:])


@fault(weight=QUICK // 2)
def is_written_in_an_unusual_way(planted):
    reply, data = planted.honest()
    planted.note()
    line = json.dumps(dict(reversed(reply.items())), indent=1).replace("\n", "\r\t")
    planted.worker.send_raw((" " * (planted.draw % 2000) + line.replace("seq", "\\u0073eq")).encode() + b" \r\n" + data)
