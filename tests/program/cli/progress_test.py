# SPDX-License-Identifier: Apache-2.0
"""What the program says while it works: on a terminal, on a pipe, and when there is nothing to say."""

import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

from program import PROGRAM, run, worker_python

# Waits at its start until the file GO exists, then does not answer: the tool says that it is unavailable.
SLOW_WORKER = """
import os, sys, time
while not os.path.exists(sys.argv[1]):
    time.sleep(0.01)
"""
WORKER_OF_FEW = """
import numpy, time
from scatterproof_worker import Worker
worker = Worker(name="few", version="1", device="cpu", dtypes=["f32", "i32"])
@worker.call("torch.gather")
def gather(input, dim, index):
    time.sleep(0.001)
    return numpy.take_along_axis(input, index, dim)
@worker.call("numpy.take_along_axis")
def take(arr, indices, axis=-1):
    time.sleep(0.001)
    return numpy.take_along_axis(arr, indices, axis)
worker.serve()
"""
ENVIRONMENT = {**os.environ, "NO_COLOR": "1"}


class Progress(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.go = os.path.join(self.folder, "GO")
        worker = os.path.join(self.folder, "slow.py")
        with open(worker, "w", encoding="utf-8") as out:
            out.write(SLOW_WORKER)
        # If the program prints nothing, the worker ends anyway, and the test fails.
        timer = threading.Timer(60, self.let_go)
        timer.start()
        self.addCleanup(timer.cancel)
        self.engine = f"cmd:'{sys.executable}' '{worker}' '{self.go}'"
        self.command = [PROGRAM, "run", "torch.gather/doc/*", "--engine", self.engine]

    def let_go(self):
        with open(self.go, "w", encoding="utf-8"):
            pass

    def test_a_pipe_is_told_of_a_slow_start_while_it_lasts(self):
        with subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              env=ENVIRONMENT) as process:
            first = process.stderr.readline()
            if first == "reading specs and cases ...\n":  # on a busy machine that is slow too
                first = process.stderr.readline()
            self.assertFalse(os.path.exists(self.go), "nothing was said before the worker ended")
            self.let_go()
            rest = process.stderr.read()
        self.assertEqual(first, f"starting {self.engine} ...\n")
        self.assertNotIn("\r", first + rest)
        self.assertEqual(process.returncode, 7, rest)

    def test_a_terminal_has_one_line_that_is_wiped(self):
        child, terminal = pty.fork()
        if child == 0:
            os.execve(PROGRAM, self.command, ENVIRONMENT)
        self.addCleanup(os.close, terminal)
        said = b""
        while b"starting cmd:" not in said:
            piece = self.read(terminal)
            self.assertTrue(piece, said)
            said += piece
        self.assertFalse(os.path.exists(self.go), "nothing was said before the worker ended")
        self.assertNotIn(b"\n", said)
        self.let_go()
        while piece := self.read(terminal):
            said += piece
        os.waitpid(child, 0)
        before = said[:said.index(b"error: ")]
        self.assertNotIn(b"\n", before)
        self.assertTrue(before.endswith(b"\r\x1b[K"), before)

    @staticmethod
    def read(terminal):
        try:
            return os.read(terminal, 4096)
        except OSError:  # how Linux says that the other end is closed
            return b""

    def test_a_terminal_sees_how_many_calls_are_judged(self):
        child, terminal = pty.fork()
        if child == 0:
            os.execve(PROGRAM, [PROGRAM, "fuzz", "--api", "torch.gather", "--engine", "reference", "--cases", "20000"],
                      ENVIRONMENT)
        self.addCleanup(os.close, terminal)
        said = b""
        while piece := self.read(terminal):
            said += piece
        self.assertEqual(os.waitpid(child, 0)[1], 0, said)
        self.assertRegex(said, rb"\r\x1b\[K\d+(/20000)? calls, \d+/s\r\x1b\[K")

    def test_progress_counts_what_the_end_counts(self):
        # No valid call of torch.gather is without an i64: for half of the numbers no call is found.
        worker = os.path.join(self.folder, "few.py")
        with open(worker, "w", encoding="utf-8") as out:
            out.write(WORKER_OF_FEW)
        child, terminal = pty.fork()
        if child == 0:
            os.execve(PROGRAM, [PROGRAM, "fuzz", "--valid", "--api", "torch.gather", "--api", "numpy.take_along_axis", "--cases", "1500", "-j", "1",
                                "--engine", f"cmd:'{worker_python()}' '{worker}'", "--shrink-time", "1ms",
                                "--save", os.path.join(self.folder, "found")], ENVIRONMENT)
        self.addCleanup(os.close, terminal)
        said = b""
        while piece := self.read(terminal):
            said += piece
        os.waitpid(child, 0)
        made = int(re.search(rb"(\d+) calls made", said)[1])
        self.assertLess(made, 1500, said)
        counts = [tuple(map(int, one)) for one in re.findall(rb"\r\x1b\[K(\d+)/(\d+) calls, ", said)]
        self.assertTrue(counts, said)
        self.assertTrue(all(done <= made <= total for done, total in counts), counts)

    def test_quick_work_on_a_pipe_says_nothing(self):
        result = run("run", "torch.gather/doc/*", "--engine", "reference")
        self.assertEqual((result.returncode, result.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
