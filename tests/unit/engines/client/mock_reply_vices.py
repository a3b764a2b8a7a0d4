# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a reply: its form, its sequence, its time."""

import json
import os
import sys
import time

from mock_vices import vice


def tampered(reply, **changes):
    """The honest reply with its tensor's description changed."""
    reply["ok"]["tensors"][0].update(changes)
    return reply


@vice
def half_payload(channel, reply, data):
    channel.send_raw(json.dumps({**reply, "bytes": len(data)}).encode() + b"\n" + data[:-1])
    time.sleep(3600)


@vice
def refuses_as_of_old(channel, reply, data):
    """As a worker that does not look at what a refused call wrote."""
    channel.send({"seq": reply["seq"], "error": {"classes": ["IndexError"], "message": "no"}})


@vice
def refuses_after_writing_what_is_not_there(channel, reply, data):
    channel.send({"seq": reply["seq"], "error": {"classes": ["IndexError"], "message": "no", "wrote": ["y"]}})


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
def misbehaves(channel, reply, data):
    """A host's word on what its engine did."""
    print("the engine's own words", file=sys.stderr, flush=True)
    channel.send({"seq": reply["seq"], "misbehaved": {"what": "the engine wrote where it must not"}})
    os._exit(1)


@vice
def speaks_after_run(channel, reply, data):
    """Answers once more when the run has ended."""
    channel.send(reply, data)
    send = channel.send

    def send_twice(message, payload=b""):
        send(message, payload)
        if isinstance(message, dict) and "answered" in message.get("ok", {}):
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
