# SPDX-License-Identifier: Apache-2.0
"""The honest worker, which attacks the tool at some of its calls: `attacks.py PLAN`.

A plan is a JSON file: {"every": CALLS, "draw": INTEGER, "apart": BOOLEAN}. The file PLAN.log gets a line for
each attempt: `reached` or `refused`, and what was tried. Attacks that could end or stop the tool are tried
only with `apart`, in a process namespace of the worker's own, where they must fail.
"""

import contextlib
import ctypes
import errno
import json
import os
import random
import resource
import signal
import sys

from honest import Worker
from process_faults import start_daemon

LIBC = ctypes.CDLL(None, use_errno=True)
ATTACKS = {}
PTRACE_ATTACH, PTRACE_DETACH, PTRACE_SEIZE = 16, 17, 0x4206
PROCESS_VM_READV, PROCESS_VM_WRITEV = {"x86_64": (310, 311), "aarch64": (270, 271)}[os.uname().machine]
PIDFD_OPEN, PIDFD_GETFD = 434, 438
NEW_USER_AND_MOUNTS = 0x10000000 | 0x00020000
FILES = "mem environ maps smaps auxv pagemap io personality stack syscall map_files fd/0 fd/3 cwd exe root ns/pid".split()


def attack(apart=False):
    def register(act):
        ATTACKS[act.__name__] = (act, apart)
        return act

    return register


def succeeds(act, *expected):
    """Whether it succeeds, or fails with an error that shows that access was granted."""
    try:
        act()
    except OSError as error:
        return error.errno in expected
    return True


def system(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "")
    return result


def tools():
    """The process numbers that may be the tool's, and no others: the one in the environment, and the
    parent's."""
    return sorted({int(os.environ["SCATTERPROOF_TOOL"].split("-")[0]), os.getppid()} - {0})


def threads(pid):
    with contextlib.suppress(OSError):
        return [int(thread) for thread in os.listdir(f"/proc/{pid}/task")]
    return [pid]


@attack()
def trace(pid, draws):
    thread = draws.choice(threads(pid))
    request = draws.choice([PTRACE_ATTACH, PTRACE_SEIZE])
    return succeeds(lambda: system(LIBC.ptrace(request, thread, None, None)))


@attack()
def open_a_file(pid, draws):
    path = f"/proc/{pid}/{draws.choice(FILES)}"
    if os.path.isdir(path):
        return succeeds(lambda: os.listdir(path))
    return succeeds(lambda: os.close(os.open(path, os.O_RDONLY)) if path.endswith("/mem") else open(path, "rb").read(1))


@attack()
def move_memory(pid, draws):
    text = ctypes.create_string_buffer(8)
    here = (ctypes.c_size_t * 2)(ctypes.addressof(text), 8)
    call = draws.choice([PROCESS_VM_READV, PROCESS_VM_WRITEV])
    # EFAULT: it may, at another address.
    return succeeds(lambda: system(LIBC.syscall(call, pid, here, 1, here, 1, 0)), errno.EFAULT)


@attack()
def take_a_descriptor(pid, draws):
    def act():
        process = system(LIBC.syscall(PIDFD_OPEN, pid, 0))
        try:
            system(LIBC.syscall(PIDFD_GETFD, process, draws.randrange(16), 0))
        finally:
            os.close(process)

    return succeeds(act, errno.EBADF)


@attack()
def become_root_elsewhere(pid, draws):
    """A child in a user namespace with every capability tries to open the memory again."""
    child = os.fork()
    if child == 0:
        LIBC.unshare(NEW_USER_AND_MOUNTS)
        LIBC.umount2(b"/proc", 2)
        os._exit(succeeds(lambda: os.close(os.open(f"/proc/{pid}/mem", os.O_RDONLY))))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0


@attack(apart=True)
def uncover_the_machines_processes(pid, draws):
    return succeeds(lambda: system(LIBC.umount2(b"/proc", 2)))


@attack(apart=True)
def signal_it(pid, draws):
    return succeeds(lambda: os.kill(pid, draws.randrange(1, signal.NSIG)))


@attack(apart=True)
def signal_everybody(pid, draws):
    """At most the daemons that it has left behind."""
    if os.getppid() == 0:  # else the signal would reach every process of the user
        succeeds(lambda: os.kill(-1, signal.SIGKILL))
    return False


@attack(apart=True)
def end_the_keeper(pid, draws):
    """The first process ignores its signals, and no process may trace it."""
    if os.getppid() != 0:
        return True  # the machine's own first process: hands off
    for number in (signal.SIGTERM, signal.SIGSTOP, signal.SIGKILL):
        os.kill(1, number)
    return any(act(1, draws) for act in (trace, move_memory, take_a_descriptor))


@attack(apart=True)
def limit_it(pid, draws):
    return succeeds(lambda: resource.prlimit(pid, resource.RLIMIT_CPU, (0, 0)))


@attack()
def leave_a_daemon(pid, draws):
    """With an empty environment; its command line names the plan."""
    with contextlib.suppress(OSError):
        start_daemon({})
    return False


class HostileWorker(Worker):
    def __init__(self, path):
        super().__init__()
        with open(path, encoding="utf-8") as plan:
            self.plan = json.load(plan)
        self.log = os.open(path + ".log", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        self.draws = random.Random(f"{self.plan['draw']} {os.fstat(self.log).st_size}")

    def answer(self, call, payload):
        if self.draws.random() * self.plan["every"] < 1:
            name, (act, _) = self.draws.choice([one for one in ATTACKS.items() if self.plan["apart"] or not one[1][1]])
            for tool in tools():
                reached = act(tool, self.draws)
                os.write(self.log, f"{'reached' if reached else 'refused'} {name} of process {tool}\n".encode())
        super().answer(call, payload)


if __name__ == "__main__":
    HostileWorker(sys.argv[1]).serve()
