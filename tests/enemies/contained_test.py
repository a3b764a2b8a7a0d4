# SPDX-License-Identifier: Apache-2.0
"""A real framework's worker (numpy's own) that misbehaves in one call: that call is blamed, and all others
are judged as always, one engine at a time and several at once."""

import glob
import os
import shutil
import tempfile
import unittest

import small_data
from program import SOURCE, run, stream, worker_python

small_data.use("numpy/numpy.take.flat", "numpy/numpy.take_along_axis")

# What the call does whose first element is 13, before numpy is asked; the others are honest.
FAULTY = """
import ctypes, os, runpy, sys, threading
import numpy
import scatterproof_worker.worker as package

def crash():
    ctypes.string_at(0)

def loop():
    while True:
        pass

def hoard():
    blocks = []
    while True:
        blocks.append(numpy.empty(1 << 28, numpy.uint8))

def flood():
    for _ in range(256):
        for descriptor in (1, 2):
            os.write(descriptor, b"flood " * (1 << 16))

def leave_thread():
    threading.Thread(target=loop).start()

def answer_much():
    return numpy.broadcast_to(numpy.float32(0), ((1 << 28) + 1,))

FAULTS = {"much": answer_much, "crash": crash, "abort": os.abort, "loop": loop, "hoard": hoard, "flood": flood, "thread": leave_thread}
attempt = package.Worker._attempt

def faulty(self, function, call, payload, **options):
    def acting(**arguments):
        if next(iter(arguments.values())).flat[0] == 13:
            answer = FAULTS[sys.argv[1]]()
            if answer is not None:
                return answer
        return function(**arguments)
    return attempt(self, acting, call, payload, **options)

package.Worker._attempt = faulty
runpy.run_path(sys.argv[2], run_name="__main__")
"""
# The verdict of that call; what its record says of it.
EXPECTED = {
    "crash": ("crash", "signal 11"),
    "abort": ("crash", "signal 6"),
    "loop": ("timeout", "no answer within 2 s"),
    "hoard": ("unexpected_error", "Memory"),
    "flood": ("pass", ""),
    "thread": ("pass", ""),
    "much": ("unsupported", "more than a GiB"),
}
FAULT_AT = 13  # of the cases


def cases():
    """One case for each number, of two APIs in turn."""
    for api, table, rest in (("numpy.take.flat", "a", "indices: {dtype: i64, values: [1, 0]}"),
                             ("numpy.take_along_axis", "arr", "indices: {dtype: i64, values: [1, 0]}\n      axis: 0")):
        yield api, f"api: {api}\ncases:\n" + "".join(
            f"  - id: contained/{number:02}\n    why: a vector of its own\n    call:\n"
            f"      {table}: {{dtype: i64, values: [{number}, {number + 1}]}}\n      {rest}\n"
            for number in range(40) if (number % 2 == 0) == (api == "numpy.take.flat"))


class Contained(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="scatter proof contained ")
        self.addCleanup(shutil.rmtree, self.folder)
        self.script = self.write("faulty.py", FAULTY)
        self.files = [self.write(f"{api}.yaml", text) for api, text in cases()]

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def engine(self, fault):
        worker = os.path.join(SOURCE, "engines/workers/numpy/worker.py")
        return f"cmd:'{worker_python()}' '{self.script}' {fault} '{worker}'"

    def processes(self):
        """Those that have this test's folder on their command line."""
        found = []
        for path in glob.glob("/proc/[0-9]*/cmdline"):
            try:
                with open(path, encoding="utf-8", errors="replace") as file:
                    found += [path] * (self.folder in file.read())
            except OSError:
                pass  # it has ended
        return found

    def check(self, jobs):
        report = os.path.join(self.folder, "run.jsonl")
        engines = {self.engine(fault): fault for fault in EXPECTED}
        done = run("run", *self.files, "-j", str(jobs), "--timeout", "2", "--no-baseline", "--report", "jsonl=" + report,
                   *(word for name in engines for word in ("--engine", name)))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual(self.processes(), [])
        records = [line for line in stream(report) if line["type"] == "record"]
        self.assertEqual(len(records), 40 * len(EXPECTED))
        for record in records:
            fault = engines[record["engine"]]
            at_fault = record["id"].endswith(f"/{FAULT_AT}")
            verdict, words = EXPECTED[fault] if at_fault else ("pass", "")
            self.assertEqual(record["verdict"], verdict, f"{fault}: {record}")
            self.assertIn(words, record["explanation"], fault)

    def test_one_engine_at_a_time(self):
        self.check(jobs=1)

    def test_four_engines_at_once(self):
        self.check(jobs=4)


if __name__ == "__main__":
    unittest.main()
