# SPDX-License-Identifier: Apache-2.0
"""The faults of replies: their form and their members."""

import json

from faults import SLOW, edits, fault, sleep_for_ever, tensor

MANY = 2**62


# Its form.


@fault("infra", weight=SLOW)
def half_a_line_then_silence(planted):
    reply, _ = planted.honest()
    line = json.dumps(reply).encode()
    planted.note()
    planted.worker.send_raw(line[: 1 + planted.draw % (len(line) - 1)])
    sleep_for_ever()


@fault("infra", weight=SLOW)
def half_a_payload_then_silence(planted):
    reply, data = planted.honest()
    planted.note()
    planted.worker.send_raw(json.dumps({**reply, "bytes": len(data) + 1}).encode() + b"\n" + data)
    sleep_for_ever()


@fault("infra")
def is_not_json(planted):
    reply, data = planted.honest()
    line = json.dumps(reply)
    bad = planted.pick(["", "hello", line[:-1], line + "}", line[:-1] + ",}", line.replace('"', "'"), "// " + line, "\0",
                        line.replace('"seq":', '"seq" '), line.replace("0.0", "NaN"), line.replace("0.0", "Infinity"),
                        line.replace("0.0", "1e999"), line.replace("0.0", "00"), line.replace("0.0", "0x0"), line + line])
    planted.note()
    planted.worker.send_raw(bad.encode() + b"\n" + data)


@fault("infra")
def is_not_utf8(planted):
    reply, data = planted.honest()
    planted.note()
    bad = planted.pick([b"\xff", b"\xc3(", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\xaf"])
    planted.worker.send_raw(json.dumps(reply).encode().replace(b'"wrote"', b'"wrote' + bad + b'"') + b"\n" + data)


@fault("infra")
def is_not_an_object(planted):
    planted.note()
    texts = [b"[]", b"3", b"null", b'"ok"', b"[" * 100_000, b'{"a":' * 100_000, b"[" * 1000 + b"]" * 1000]
    planted.worker.send_raw(planted.pick(texts) + b"\n")


@fault("infra")
def has_too_long_a_line(planted):
    planted.note()
    planted.worker.send_raw(b" " * (9 << 20) + b"\n")


@fault("infra")
def has_a_key_twice(planted):
    reply, data = planted.honest()
    line = json.dumps(reply)
    key = planted.pick(["seq", "ok", "tensors", "wrote", "shape", "dtype"])
    planted.note()
    planted.worker.send_raw(line.replace(f'"{key}"', f'"{key}": null, "{key}"', 1).encode() + b"\n" + data)


@fault("infra", later=True)
def sends_more_than_it_announces(planted):
    planted.answer()
    planted.note()
    planted.worker.send_raw(planted.pick([b"\0" * 8, b"\n", b"{}\n", b"x"]))


# Its members.


@edits("infra")
def announces_too_few_bytes(reply, pick):
    reply["bytes"] = pick([-1, -MANY, MANY, 2**63, 1.5, "8", None, [], 1 << 31])


@edits("infra")
def lacks_a_member(reply, pick):
    held = pick([reply, reply["ok"], tensor(reply)])
    del held[pick([key for key in held if key != "bytes"])]


@edits("infra")
def has_an_unknown_member(reply, pick):
    pick([reply, reply["ok"], tensor(reply)])[pick(["expected", "", "Seq", "ok ", "\u00e9", "\0"])] = pick([0, None, {}])


@edits("infra")
def has_a_member_of_another_type(reply, pick):
    held, key = pick([(reply, "ok"), (reply["ok"], "tensors"), (reply["ok"], "wrote"), (reply["ok"], "seconds"),
                      (tensor(reply), "dtype"), (tensor(reply), "shape"), (tensor(reply), "strides"),
                      (tensor(reply), "offset"), (tensor(reply), "start"), (tensor(reply), "length")])
    held[key] = {"not": "this"} if key != "ok" else [1]


@edits("infra")
def has_an_invalid_time(reply, pick):
    reply["ok"]["seconds"] = pick([-1, -1e-300, 1e9, 1e308, 2**64, "0", None, True])


@edits("infra")
def has_another_seq_type(reply, pick):
    reply["seq"] = pick(["1", None, 1.5, -1.5, [1], {}, True, 2**64, 1e30])


@edits("infra")
def is_both_ok_and_error(reply, pick):
    reply[pick(["error", "unsupported", "misbehaved"])] = pick([{}, {"classes": ["E"], "message": ""}, {"reason": "x"}])


@edits("infra")
def is_neither_ok_nor_error(reply, pick):
    del reply["ok"]
    reply.pop("bytes", None)
    if pick([False, True]):
        reply["Ok"] = {}


@edits("infra")
def names_an_unknown_argument_as_written(reply, pick):
    reply["ok"]["wrote"] = pick([["no such argument"], [""], ["dim"], ["axis"], [1], [None], "self", [["self"]], ["\0"]])


@edits("infra")
def has_a_negative_size(reply, pick):
    tensor(reply)["shape"] = pick([[-1], [-1, -1], [-(2**63)], [2, -3]])


@edits("infra")
def has_a_huge_size(reply, pick):
    tensor(reply)["shape"] = pick([[MANY], [2**31, 2**31, 2**31], [2**64], [1e3], [2**40, 2**40]])


@edits("infra")
def has_another_rank_than_strides(reply, pick):
    tensor(reply)["strides"] = tensor(reply)["strides"] + [1]


@edits("infra")
def has_too_many_dimensions(reply, pick):
    tensor(reply).update(shape=[1] * 9, strides=[1] * 9)


@edits("infra")
def has_strides_outside_of_the_storage(reply, pick):
    tensor(reply).update(shape=[3], strides=[pick([MANY, -1, -MANY, 1 << 30, 2**63 - 1, -(2**63)])])


@edits("infra")
def has_an_offset_outside_of_the_storage(reply, pick):
    tensor(reply)["offset"] = pick([-1, MANY, 1 << 30, 2**63 - 1, -(2**63)])


@edits("infra")
def has_its_storage_outside_of_the_payload(reply, pick):
    tensor(reply)[pick(["start", "length"])] = pick([-1, MANY, 2**63 - 1, -(2**63), 1 << 30])


@edits("infra")
def has_an_unknown_dtype(reply, pick):
    tensor(reply)["dtype"] = pick(["float32", "f128", "", "F32", "f32 ", "i65", "\0"])


@edits("infra")
def has_too_many_tensors(reply, pick):
    reply["ok"]["tensors"] *= 17


@fault("infra")
def misbehaves_in_a_wrong_way(planted):
    what = planted.pick([{}, {"what": ""}, {"what": 1}, {"what": "x", "more": 1}, [], "x"])
    planted.note()
    planted.worker.send({"seq": planted.seq, "misbehaved": what})


@fault("infra")
def refuses_in_a_wrong_way(planted):
    error = planted.pick([{}, {"classes": [], "message": ""}, {"classes": ["E"]}, {"classes": "E", "message": ""}, [], "x",
                          {"classes": [1], "message": ""}, {"classes": ["E"], "message": 1}])
    planted.note()
    planted.worker.send({"seq": planted.seq, "error": error})


@fault("infra")
def refuses_with_a_payload(planted):
    planted.note()
    planted.worker.send({"seq": planted.seq, "error": {"classes": ["E"], "message": ""}}, b"12345678")
