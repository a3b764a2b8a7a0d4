# SPDX-License-Identifier: Apache-2.0
"""The faults of processes: they end, hang, flood, or leave others behind, in calls and in starts."""

import contextlib
import json
import os
import signal
import sys
import time

from faults import FOR_EVER, RARE, SLOW, at_start, fault, sleep_for_ever


def die(number):
    signal.signal(number, signal.SIG_DFL) if number not in (signal.SIGKILL, signal.SIGSTOP) else None
    os.kill(os.getpid(), number)
    time.sleep(FOR_EVER)


def start_daemon(environment):
    """A process in a session of its own, as daemons are made. Its command line names the plan."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            program = [sys.executable, "-S", "-E", "-c", f"import time; time.sleep({FOR_EVER})", sys.argv[1]]
            os.execve(sys.executable, program, environment)
        os._exit(0)
    os.wait()


def flood(*descriptors):
    for _ in range(64):
        for descriptor in descriptors:
            with contextlib.suppress(OSError):  # another fault has closed it
                os.write(descriptor, b"flood " * (1 << 14))


# It ends.


@fault("crash")
def exits_with_0(planted):
    planted.note()
    os._exit(0)


@fault("crash")
def exits_with_a_status(planted):
    planted.note()
    os._exit(1 + planted.draw % 255)


@fault("crash")
def dies_of_a_signal(planted):
    planted.note()
    names = "HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM SYS".split()
    die(signal.Signals["SIG" + planted.pick(names)])


@fault("crash")
def raises_an_exception(planted):
    planted.note()
    raise RuntimeError("no one catches this")


@fault("crash")
def runs_out_of_memory(planted):
    planted.note()
    bytearray(1 << 36)  # beyond the worker's address space


@fault("crash")
def becomes_another_program(planted):
    planted.note()
    os.execv("/bin/true", ["true"])


@fault("crash")
def prints_bytes_and_dies(planted):
    planted.note()
    with contextlib.suppress(OSError):
        os.write(2, b"\xff\xfe\x00 last words \x1b[31m \xc3(\n" * 100)
    os._exit(2)


@fault("crash")
def floods_both_and_dies(planted):
    planted.note()
    flood(1, 2)
    die(signal.SIGABRT)


@fault("crash")
def closes_the_channel_and_exits(planted):
    planted.note()
    os.close(planted.worker.fd)
    os._exit(planted.draw % 256)


@fault("crash")
def dies_in_half_a_line(planted):
    planted.note()
    planted.worker.send_raw(b'{"seq": ')
    os._exit(3)


@fault("crash")
def dies_in_half_a_payload(planted):
    reply, data = planted.honest()
    planted.note()
    planted.worker.send_raw(json.dumps({**reply, "bytes": len(data) + 1}).encode() + b"\n" + data)
    os._exit(3)


@fault("crash")
def dies_while_its_child_holds_the_channel(planted):
    planted.note()
    if os.fork() == 0:
        sleep_for_ever()
    os._exit(4)


@fault("crash")
def leaves_a_daemon_and_dies(planted):
    planted.note()
    start_daemon(os.environ)
    die(signal.SIGSEGV)


@fault("crash")
def leaves_a_daemon_with_other_temporary_files_and_dies(planted):
    planted.note()
    start_daemon({**os.environ, "TMPDIR": "/tmp"})
    die(signal.SIGSEGV)


@fault("crash")
def leaves_a_daemon_without_environment_and_dies(planted):
    planted.note()
    start_daemon({})
    die(signal.SIGSEGV)


@fault("crash", later=True)
def dies_after_its_answer(planted):
    planted.answer()
    planted.note()
    os._exit(5)


@fault("crash", later=True)
def dies_after_the_run(planted):
    planted.answer()
    planted.after("end_run", lambda: (planted.note(), os._exit(6)))


@fault(weight=RARE, later=True)
def dies_between_runs(planted):
    """After the reply to the run without calls that follows each run: on a busy machine sometimes only in the
    next run."""
    planted.answer()
    planted.after("end_run", lambda: planted.after("end_run", lambda: (planted.note(), os._exit(7))))


# It lives, and says nothing.


@fault("timeout", weight=SLOW)
def sleeps(planted):
    planted.note()
    sleep_for_ever()


@fault("timeout", weight=SLOW)
def spins(planted):
    planted.note()
    while True:
        pass


@fault("timeout", weight=SLOW)
def is_stopped(planted):
    planted.note()
    die(signal.SIGSTOP)


@fault("timeout", weight=SLOW)
def becomes_another_program_that_waits(planted):
    planted.note()
    os.set_inheritable(planted.worker.fd, True)
    os.execv("/bin/sleep", ["sleep", str(FOR_EVER)])


@fault("timeout", weight=SLOW)
def ignores_signals_in_another_group(planted):
    planted.note()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    if os.fork() == 0:
        os.setpgid(0, 0)
    sleep_for_ever()


@fault("infra", weight=RARE)
def closes_the_channel(planted):
    planted.note()
    os.close(planted.worker.fd)
    sleep_for_ever()


@fault(weight=SLOW, later=True)
def is_stopped_after_its_answer(planted):
    planted.answer()
    planted.note()
    die(signal.SIGSTOP)


@fault(weight=SLOW, later=True)
def sleeps_after_the_run(planted):
    planted.answer()
    planted.after("end_run", lambda: (planted.note(), sleep_for_ever()))


@fault(weight=RARE, later=True)
def outlives_its_end(planted):
    planted.answer()
    planted.after("end", lambda: (planted.note(), sleep_for_ever()))


# It answers, and does something else too.


@fault()
def floods_stdout(planted):
    planted.note()
    flood(1)
    planted.answer()


@fault()
def floods_stderr(planted):
    planted.note()
    flood(2)
    planted.answer()


@fault()
def closes_its_output(planted):
    planted.note()
    with contextlib.suppress(OSError):  # it did so before
        os.close(1)
        os.close(2)
    planted.answer()


@fault()
def has_a_child_that_lives(planted):
    planted.note()
    if os.fork() == 0:
        sleep_for_ever()
    planted.answer()


@fault()
def leaves_a_daemon(planted):
    planted.note()
    start_daemon(os.environ)
    planted.answer()


@fault()
def leaves_files(planted):
    planted.note()
    folder = os.path.join(os.environ["TMPDIR"], "a folder")
    os.makedirs(folder, exist_ok=True)
    for number in range(10):
        with open(os.path.join(folder, f"{os.getpid()}-{planted.seq}-{number}"), "wb") as file:
            file.write(bytes(1000))
    planted.answer()


@fault()
def changes_its_surroundings(planted):
    planted.note()
    os.chdir("/")
    os.umask(0o777)
    planted.answer()


# A start that goes wrong once is repeated.


@at_start
def dies_in_start(worker, seq):
    os._exit(1)


@at_start
def closes_the_channel_in_start(worker, seq):
    os.close(worker.fd)
    os._exit(0)


@at_start
def speaks_before_start(worker, seq):
    worker.send_raw(b"hello\n")


@at_start
def answers_start_with_another_seq(worker, seq):
    worker.send({"seq": seq + 7, "ok": {}})


@at_start
def cannot_be_used(worker, seq):
    worker.send({"seq": seq, "error": {"classes": ["ImportError"], "message": "no such library"}})


@at_start
def speaks_another_version(worker, seq):
    worker.send({"seq": seq, "ok": {"protocol": 99, "name": "x", "version": "1", "device": "cpu", "apis": [], "dtypes": []}})


@at_start
def starts_slowly(worker, seq):
    time.sleep(0.3)


@at_start
def floods_in_start(worker, seq):
    flood(2)
