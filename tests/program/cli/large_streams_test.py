# SPDX-License-Identifier: Apache-2.0
"""Streams that are larger than the memory they are read in."""

import filecmp
import json
import os
import subprocess
import unittest
from collections import deque

import large_stream
from fixture import Fixture
from program import PROGRAM, run, stream

RECORDS = 60_000
MOST = 60  # MiB of a command; a list of all records takes more


class LargeStreams(Fixture):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.small = run("run", "torch.gather/*", "torch.scatter_add/*", "--engine", "reference", "--report", "jsonl=-").stdout

    def setUp(self):
        super().setUp()
        self.write("small.jsonl", self.small)

    def large(self, name, change=None, first=0, last=RECORDS, **fields):
        """A stream with the records from `first` to before `last`, changed by `change`."""
        small = self.path("small.jsonl")
        if change:
            lines = stream(small)
            for record in lines[1:-1]:
                change(record)
            small = self.write("changed.jsonl", "".join(map(large_stream.line_of, lines)))
        large_stream.write(small, self.path(name), first, last, **fields)
        return self.path(name)

    def peak(self, *args, code=0):
        """Runs the program: what it printed, in less than MOST of memory. What this process has counts too:
        it holds nothing large."""
        with open(self.path("printed"), "w+", encoding="utf-8") as printed:
            process = subprocess.Popen([PROGRAM, *args], stdout=printed, stderr=subprocess.STDOUT, env={**os.environ, "NO_COLOR": "1"})
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            printed.seek(0)
            text = printed.read()
        self.assertEqual(process.returncode, code, text[-2000:])
        self.assertLess(usage.ru_maxrss >> 10, MOST, args)
        return text

    def test_reports(self):
        path = self.large("large.jsonl")
        for kind in ("console", "html", "html-dir", "markdown", "github", "junit", "tap", "ctrf", "jsonl"):
            with self.subTest(kind):
                self.peak("report", path, "--report", f"{kind}={self.path(kind)}")
        self.assertTrue(filecmp.cmp(path, self.path("jsonl"), shallow=False))

    def test_reports_of_failures(self):
        def fail(record):
            record.update(verdict="mismatch", disposition="unexpected", explanation=f"{record['id']} is wrong\nin full")

        path = self.large("failing.jsonl", fail)
        for kind in ("console", "html", "markdown", "junit"):
            with self.subTest(kind):
                self.peak("report", path, "--report", f"{kind}={self.path(kind)}", code=1)

    def test_several_streams(self):
        text = self.peak("report", self.large("a.jsonl"), self.large("b.jsonl"))
        self.assertIn(f"both judged {RECORDS} cases on the same engine", text)

    def test_merge(self):
        half = RECORDS // 2
        shards = [self.large("1.jsonl", last=half, shard="1/2"), self.large("2.jsonl", first=half, shard="2/2")]
        self.peak("merge", *shards, "--report", f"jsonl={self.path('whole.jsonl')}")
        with open(self.path("whole.jsonl"), encoding="utf-8") as lines:
            *_, end = deque(lines, maxlen=1)
        self.assertEqual(json.loads(end)["records"], RECORDS)

    def test_diff(self):
        def other(record):
            if record["id"].endswith("/example-1"):
                record.update(verdict="crash", disposition="unexpected")

        text = self.peak("diff", self.large("a.jsonl"), self.large("b.jsonl", other), code=1)
        self.assertRegex(text, r"Summary: [1-9]\d+ worse, 0 other, 0 better, \d+ the same")

    def test_history(self):
        place = self.path("history.db")
        path = self.large("large.jsonl")
        self.assertIn(f"{RECORDS} calls, added", self.peak("history", "add", path, "--db", place))
        self.peak("history", "export", "", "--db", place, "--output", self.path("again.jsonl"))
        self.assertTrue(filecmp.cmp(path, self.path("again.jsonl"), shallow=False))


if __name__ == "__main__":
    unittest.main()
