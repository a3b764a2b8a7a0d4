# SPDX-License-Identifier: Apache-2.0
"""A run's engines, and what it has left behind: processes that name its folder, and temporary files."""

import os
import shlex
import sys
import time

WORKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "worker.py")

PATIENCE = 5  # seconds for processes that were killed to disappear


def engine(folder, plan):
    """The name of the engine that runs worker.py on a plan; what Python compiles for it stays in the
    folder."""
    return "cmd:" + shlex.join([sys.executable, "-S", "-E", "-X", f"pycache_prefix={folder}/python", WORKER, plan])


def content(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:  # it ended, or is another user's
        return b""


def processes_of(folder):
    """Processes with the folder in their command line or environment."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        words = content(f"/proc/{pid}/cmdline") + b"\0" + content(f"/proc/{pid}/environ")
        if int(pid) != os.getpid() and folder.encode() in words:
            found.append(f"process {pid}: {content(f'/proc/{pid}/cmdline').decode(errors='replace')}")
    return found


def lasting(found):
    """The leftovers after killed processes have had time to disappear."""
    deadline = time.monotonic() + PATIENCE
    while (what := found()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return what


def left_over(folder):
    return lasting(lambda: processes_of(folder)) + ["file " + name for name in os.listdir(os.path.join(folder, "tmp"))]
