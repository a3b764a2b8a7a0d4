# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a call that is prepared for timing, or with its repetitions."""

import os
import signal
import sys
import time
from mock_vices import prepare_vice, repeat_vice


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
