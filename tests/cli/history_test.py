# SPDX-License-Identifier: Apache-2.0
"""Runs remembered in a database, of either kind: added once, whole or not at all, and found again."""

import json
import os
import signal
import sqlite3
import subprocess
import time
import unittest
import uuid

from fixture import Fixture
from postgres import Server
from program import PROGRAM, run, stream


class Runs(Fixture):
    """Streams of made-up runs, made from one that was."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        result = run("run", "torch.gather/doc/*", "-e", "reference", "--report", "jsonl=-")
        cls.lines = [json.loads(line) for line in result.stdout.splitlines()]

    def stream(self, name, version="1.0", day=1, failing=(), flaky=(), repeat=1, cut_off=False):
        header, *records, end = json.loads(json.dumps(self.lines))
        header.update(run=str(uuid.uuid4()), started=f"2026-01-{day:02}T00:00:00Z", planned=len(records) * repeat)
        made = []
        for i in range(repeat):
            for record in json.loads(json.dumps(records)):
                word = record["id"].rsplit("/", 1)[-1]
                record.update(id=record["id"] + (f"/{i}" if repeat > 1 else ""), engine=f"torch@{version}", version=version)
                if word in failing or word in flaky:
                    record.update(verdict="mismatch", disposition="flaky" if word in flaky else "unexpected")
                made.append(record)
        end["records"] = len(made)
        lines = [header, *made] + ([] if cut_off else [end])
        self.write(name, "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
        return header["run"]


class EitherKind:
    """What holds for both databases: self.place is an empty one."""

    def history(self, verb, *args, place=None):
        return run("history", verb, *args, "--db", place or self.place)

    def good(self, verb, *args):
        result = self.history(verb, *args)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def ids(self):
        return [line.split()[0] for line in self.good("list").splitlines()]

    def assert_comes_back(self, run_id, name):
        self.good("export", run_id, "--output", self.path("again.jsonl"))
        self.assertEqual(stream(self.path("again.jsonl")), stream(self.path(name)))

    def test_a_run_comes_back_as_it_was(self):
        first = self.stream("a.jsonl", failing=["example"])
        second = self.stream("b.jsonl", day=2)
        self.good("add", self.path("b.jsonl"), self.path("a.jsonl"))
        self.assertEqual(self.ids(), [first[:12], second[:12]])
        self.assert_comes_back(first, "a.jsonl")
        self.assert_comes_back(second[:10], "b.jsonl")
        self.assertEqual(self.good("show", first), run("report", self.path("a.jsonl")).stdout)
        self.assertEqual(self.history("show", "no such").returncode, 4)
        self.assertEqual(self.good("prune", "--keep", "1"), "1 run removed\n")
        self.assertEqual(self.ids(), [second[:12]])

    def test_a_run_is_added_once_and_completed(self):
        self.stream("a.jsonl")
        with open(self.path("a.jsonl"), encoding="utf-8") as file:
            lines = file.readlines()
        run_id = json.loads(lines[0])["run"]
        self.write("part.jsonl", "".join(lines[:2]))
        self.assertIn("1 calls, added", self.good("add", self.path("part.jsonl")))
        self.assertIn("cut off", self.good("list"))
        self.assertIn("completed", self.good("add", self.path("a.jsonl")))
        for name in ("a.jsonl", "part.jsonl"):
            self.assertIn("was there already", self.good("add", self.path(name)))
        self.assert_comes_back(run_id, "a.jsonl")

    def test_processes_that_write_at_once_lose_nothing(self):
        runs = {f"{i}.jsonl": self.stream(f"{i}.jsonl", day=i + 1, repeat=20) for i in range(4)}
        names = list(runs)
        adding = [subprocess.Popen([PROGRAM, "history", "add", *(self.path(names[(i + j) % 4]) for j in range(4)), "--db", self.place],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for i in range(4)]
        said = [one.communicate(timeout=120) for one in adding]
        self.assertEqual([one.returncode for one in adding], [0] * 4, said)
        self.assertEqual("".join(out for out, _ in said).count(", added"), 4, said)
        self.assertEqual(self.ids(), [runs[name][:12] for name in names])
        for name, run_id in runs.items():
            self.assert_comes_back(run_id, name)

    def test_a_killed_process_leaves_nothing_half_made(self):
        before = self.stream("before.jsonl")
        self.good("add", self.path("before.jsonl"))
        large = self.stream("large.jsonl", day=2, repeat=3000)
        for _ in range(3):
            enough = self.bytes_written() + (1 << 20)  # in the middle of its rows
            adding = subprocess.Popen([PROGRAM, "history", "add", self.path("large.jsonl"), "--db", self.place],
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while self.bytes_written() < enough:
                self.assertIsNone(adding.poll(), "it must be at work when it is killed")
                time.sleep(0.001)
            adding.send_signal(signal.SIGKILL)
            self.assertEqual(adding.wait(), -signal.SIGKILL)
            self.assertEqual(self.ids(), [before[:12]])
            self.assertEqual(self.calls(), len(self.lines) - 2)
        self.good("add", self.path("large.jsonl"))
        self.assert_comes_back(large, "large.jsonl")

    def test_a_report_draws_the_runs_up_to_its_own(self):
        good = self.stream("1.jsonl", version="1.0", day=1)
        bad = self.stream("2.jsonl", version="2.0", day=2, failing=["example"])
        self.stream("3.jsonl", version="2.0", day=3, failing=["example", "tutorial-5"], flaky=["tutorial-6"])
        self.good("add", *(self.path(f"{i}.jsonl") for i in (3, 1, 2)))
        link = '<a href="#run/{0}"><code>{1}</code></a> of 2026-01-0{2}'
        for stream_name, told, when in (
                ("3.jsonl", "2026-01-01 (1.0): 0 of 3, 2026-01-02 (2.0): 1 of 3, 2026-01-03: 2 of 3", "run " + link.format(bad, bad[:12], 2)),
                ("2.jsonl", "2026-01-01 (1.0): 0 of 3, 2026-01-02 (2.0): 1 of 3", "this run")):
            result = run("report", self.path(stream_name), "--history", "--db", self.place, "--report", f"html={self.path('out.html')}")
            self.assertEqual(result.stderr, "")
            with open(self.path("out.html"), encoding="utf-8") as page:
                text = page.read()
            self.assertIn(f"<desc>Failed calls by run: {told}</desc>", text)
            self.assertIn(f"Fails since {when}; did not in run {link.format(good, good[:12], 1)}.", text)
        first = run("report", self.path("1.jsonl"), "--history", "--db", self.place, "--report", "html=-")
        self.assertIn("note: the history has no run before this one", first.stderr)
        self.assertNotIn("Earlier runs", first.stdout)
        missing = run("report", self.path("1.jsonl"), "--history", "--db", self.path("none.db"), "--report", "html=-")
        self.assertEqual(missing.returncode, 4)
        self.assertIn("there is no history yet", missing.stderr)

    def test_trends_and_the_first_bad_run(self):
        good = self.stream("1.jsonl", version="1.0", day=1, failing=["tutorial-5"])
        bad = self.stream("2.jsonl", version="2.0", day=2, failing=["example"])
        worse = self.stream("3.jsonl", version="2.0", day=3, failing=["example"], flaky=["tutorial-6"])
        self.good("add", *(self.path(f"{i}.jsonl") for i in (3, 1, 2)))
        trend = self.good("trend", "--engine", "torch", "--api", "torch.gather").splitlines()
        self.assertEqual([line.split()[1] for line in trend], [good[:12], bad[:12], worse[:12]])
        self.assertIn("torch 2.0  3 calls, 33.33 % flaky: 1 pass, 2 mismatch, 1 unexpected, 1 flaky", trend[2])
        self.assertEqual(self.history("trend", "--engine", "numpy").returncode, 5)
        hint = self.good("bisect-hint")
        self.assertEqual(hint.count("first bad run"), 1, "what passes again, or is flaky, has none: " + hint)
        self.assertRegex(hint, rf"torch.gather/doc/example on torch: mismatch\n  first bad run: {bad[:12]} .*torch 2.0\)\n"
                         rf"  last good run: {good[:12]} .*torch 1.0\)")
        self.assertEqual(self.history("bisect-hint", "onnx.*").returncode, 5)


class InAFile(EitherKind, Runs):
    def setUp(self):
        super().setUp()
        self.place = self.path("history.db")

    def bytes_written(self):
        log = self.place + "-wal"
        return os.path.getsize(log) if os.path.exists(log) else 0

    def calls(self):
        with sqlite3.connect(self.place) as connection:
            return connection.execute("SELECT COUNT(*) FROM calls").fetchone()[0]

    def test_what_cannot_be_used_is_named_and_left_as_it_is(self):
        missing = self.history("list")
        self.assertEqual(missing.returncode, 4)
        self.assertIn("there is no history yet", missing.stderr)
        self.assertFalse(os.path.exists(self.place))
        self.stream("a.jsonl")
        other = self.write("notes.txt", "not a database, and longer than a header of one " * 100)
        refused = self.history("add", self.path("a.jsonl"), place=other)
        self.assertEqual(refused.returncode, 4, refused.stderr)
        self.assertIn("notes.txt: error: the history cannot be opened", refused.stderr)
        self.good("add", self.path("a.jsonl"))
        with sqlite3.connect(self.place) as connection:
            connection.execute("INSERT INTO history_schema VALUES (1000)")
        newer = self.history("list")
        self.assertEqual(newer.returncode, 4)
        self.assertIn("a newer scatterproof wrote this history", newer.stderr)
        self.write("broken.jsonl", "{}\n")
        self.assertEqual(self.history("add", self.path("broken.jsonl"), place=self.path("new.db")).returncode, 4)

    def test_every_kept_run_is_added_when_none_is_named(self):
        state = {"XDG_STATE_HOME": self.path("state")}
        for _ in range(2):
            run("run", "torch.gather/doc/example", "-e", "reference", env=state)
        self.assertEqual(run("history", "add", env=state).returncode, 0)
        self.assertEqual(len(run("history", "list", env=state).stdout.splitlines()), 2)
        self.assertTrue(os.path.exists(self.path("state/scatterproof/history.db")))


class OnAServer(EitherKind, Runs):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = Server()
        cls.addClassCleanup(cls.server.stop)
        cls.databases = 0

    def setUp(self):
        super().setUp()
        type(self).databases += 1
        self.database = f"history{self.databases}"
        self.place = self.server.url(self.database)

    def bytes_written(self):
        """Rows that are not committed take their place too."""
        return int(self.server.query("SELECT pg_relation_size('calls')", self.database))

    def calls(self):
        return int(self.server.query("SELECT COUNT(*) FROM calls", self.database))

    def test_a_password_is_not_shown(self):
        refused = self.history("list", place="postgresql://me:secret@localhost:1/none")
        self.assertEqual(refused.returncode, 4)
        self.assertNotIn("secret", refused.stderr)


if __name__ == "__main__":
    unittest.main()
