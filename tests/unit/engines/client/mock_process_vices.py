# SPDX-License-Identifier: Apache-2.0
"""What happens to a worker's process: it ends, hangs, floods, leaves others behind."""

import atexit
import os
import signal
import sys
import time

import numpy as np
from mock_vices import VICES, vice


@vice
def crash(channel, reply, data):
    print("about to crash", file=sys.stderr, flush=True)
    os.kill(os.getpid(), signal.SIGSEGV)


@vice
def exit_0(channel, reply, data):
    os._exit(0)


@vice
def aborts_at_its_end(channel, reply, data):
    atexit.register(os.abort)
    channel.send(reply, data)


@vice
def hang(channel, reply, data):
    time.sleep(3600)


@vice
def hang_after_half(channel, reply, data):
    channel.send_raw(b'{"seq": ')
    time.sleep(3600)


@vice
def half_then_exit(channel, reply, data):
    channel.send_raw(b'{"seq": ')
    os._exit(3)


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
    """Answers, and succeeds alone; the process dies in any call after it."""
    channel.send(reply, data)
    VICES["mock.honest"] = lambda *_: os.kill(os.getpid(), signal.SIGBUS)


@vice
def hungry(channel, reply, data):
    np.ones(1 << 36, np.uint8)
    channel.send(reply, data)


@vice
def ends_between_runs(channel, reply, data):
    """Answers, and ends when everything is answered: a run has two ends, its own and that of the run without
    calls."""
    channel.send(reply, data)
    send, ends = channel.send, []

    def count_and_send(message, payload=b""):
        send(message, payload)
        if isinstance(message, dict) and "answered" in message.get("ok", {}):
            ends.append(message)
        if len(ends) == 2:
            os._exit(7)

    channel.send = count_and_send
