# SPDX-License-Identifier: Apache-2.0
"""Whether workers have process namespaces, and a machine that refuses them, as containers do."""

import ctypes
import errno
import json
import platform
import struct

from program import run

UNSHARE = {"x86_64": 272, "aarch64": 97}[platform.machine()]


def are_given():
    """Whether the program's workers get a namespace on this machine, as `doctor` says."""
    found = json.loads(run("doctor", "--json").stdout)["findings"]
    return next(one["state"] for one in found if one["subject"] == "workers") == "ok"


def refuse():
    """From now on this process and its descendants are refused new namespaces (seccomp(2)). For preexec_fn.

    The system call's number is the first word that the filter sees; whichever ABI it belongs to does not
    matter here.
    """
    load_word, jump_if_equal, give_back = 0x20, 0x15, 0x06
    allow, fail = 0x7FFF0000, 0x00050000 | errno.EPERM
    steps = [(load_word, 0, 0, 0), (jump_if_equal, 0, 1, UNSHARE), (give_back, 0, 0, fail), (give_back, 0, 0, allow)]
    program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    filters = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(steps), ctypes.addressof(program)))
    libc = ctypes.CDLL(None, use_errno=True)
    no_new_privs, seccomp, mode_filter = 38, 22, 2
    if libc.prctl(no_new_privs, 1, 0, 0, 0) != 0 or libc.prctl(seccomp, mode_filter, filters, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "no filter of system calls")
