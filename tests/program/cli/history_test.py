# SPDX-License-Identifier: Apache-2.0
"""Runs remembered in a database, of either kind: added once, whole or not at all, and found again."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import time
import unittest
import uuid

import small_data
from fixture import Fixture
from postgres import Server
from program import PROGRAM, run, stream

small_data.use("torch/torch.gather")


class Runs(Fixture):
    """Streams of made-up runs, made from a real one."""

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
    """Tests for both databases: self.place is an empty one."""

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

    def test_an_empty_one_says_so(self):
        self.write("broken.jsonl", "{}\n")
        self.assertEqual(self.history("add", self.path("broken.jsonl")).returncode, 4)
        for verb, words in (("list", "the history holds no run\n"), ("trend", "no run in the history has such calls\n")):
            result = self.history(verb)
            self.assertEqual((result.returncode, result.stdout), (5, words), result.stderr)

    def test_counts_have_a_limit_and_sums_have_none(self):
        self.stream("a.jsonl", repeat=2)
        with open(self.path("a.jsonl"), encoding="utf-8") as file:
            lines = file.readlines()
        self.write("large.jsonl", "".join(line.replace('"seed":', '"count":9223372036854775807,"seed":') if i in (1, 2) else line
                                          for i, line in enumerate(lines)))
        for result in (self.history("add", self.path("large.jsonl")), run("report", self.path("large.jsonl"))):
            self.assertEqual(result.returncode, 4)
            self.assertIn("large.jsonl:2:1: error: 'count' is larger than 1000000000000000\n", result.stderr)
        self.good("add", self.path("a.jsonl"))
        self.execute("UPDATE calls SET calls = 9223372036854775807")  # as an earlier release kept them
        self.assertRegex(self.good("trend"), "torch 1.0  1000000000000000000 calls judged, .* Judged: 1000000000000000000 pass; 0.00 % flaky")

    def test_another_programs_tables_are_left_alone(self):
        self.stream("a.jsonl")
        self.execute("CREATE TABLE runs (name TEXT)")
        before = self.content()
        for words in (["add", self.path("a.jsonl")], ["list"], ["trend"], ["prune", "--keep", "1"]):
            refused = self.history(*words)
            self.assertEqual(refused.returncode, 4, refused.stdout)
            self.assertIn("error: this database is another program's, not a history of scatterproof: it has the table 'runs'\n", refused.stderr)
        self.assertEqual(self.content(), before)

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
        self.assertIn("torch 2.0  3 calls judged, of them 2 failed (1 flaky). Judged: 1 pass, 2 mismatch; 33.33 % flaky", trend[2])
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
        return self.execute("SELECT COUNT(*) FROM calls")[0][0]

    def execute(self, statement):
        connection = sqlite3.connect(self.place)
        with connection:
            rows = connection.execute(statement).fetchall()
        connection.close()
        return rows

    def content(self):
        """Every file in the folder, to the byte."""
        files = {}
        for name in os.listdir(self.folder):
            with open(self.path(name), "rb") as file:
                files[name] = file.read()
        return files

    def kept(self):
        """The same without the locks and logs that SQLite puts next to a database."""
        return {name: text for name, text in self.content().items() if not name.endswith(("-shm", "-wal"))}

    def read_only(self, verb, *args):
        """By a user who may not write what the mode of a file forbids; root may."""
        unprivileged = ["setpriv", "--inh-caps=-all", "--bounding-set=-all"] if os.geteuid() == 0 else []
        return subprocess.run([*unprivileged, PROGRAM, "history", verb, *args, "--db", self.place], text=True, capture_output=True)

    def test_a_read_only_file_can_be_read(self):
        first = self.stream("a.jsonl", failing=["example"])
        self.good("add", self.path("a.jsonl"))
        self.addCleanup(os.chmod, self.folder, 0o755)
        for folder_mode in (0o755, 0o555):
            os.chmod(self.place, 0o444)
            os.chmod(self.folder, folder_mode)
            before = self.kept()
            for verb, words in (("list", first[:12]), ("trend", "1 mismatch"), ("bisect-hint", "first bad run"), ("export", first)):
                result = self.read_only(verb, *([first] if verb == "export" else []))
                self.assertEqual(result.returncode, 0, f"{verb} {folder_mode:o}: {result.stderr}")
                self.assertIn(words, result.stdout)
            for verb, *args in (["add", self.path("a.jsonl")], ["prune", "--keep", "1"]):
                refused = self.read_only(verb, *args)
                self.assertEqual(refused.returncode, 4)
                self.assertIn("history.db: error: the history cannot be opened: it, or its folder, is read-only\n", refused.stderr)
            self.assertEqual(self.kept(), before)

    def test_any_database_of_another_program_stays_as_it_is(self):
        self.stream("a.jsonl")
        for mode in ("delete", "wal"):
            self.execute(f"PRAGMA journal_mode = {mode}")
            self.execute("CREATE TABLE IF NOT EXISTS letters (text TEXT)")
            before = self.content()
            for words in (["add", self.path("a.jsonl")], ["list"], ["bisect-hint"]):
                refused = self.history(*words)
                self.assertEqual(refused.returncode, 4, refused.stdout)
                self.assertIn("it has the table 'letters'\n  hint: name another one with --db; nothing in this one was changed\n", refused.stderr)
            self.assertEqual(self.content(), before)

    def test_a_damaged_page_is_named(self):
        for i in range(4):
            self.stream(f"{i}.jsonl", day=i + 1, repeat=40)
        self.good("add", *(self.path(f"{i}.jsonl") for i in range(4)))
        with open(self.place, "rb") as file:
            whole = file.read()
        noise, pages, found = random.Random(1), len(whole) // 4096, 0
        for page in range(2, pages + 1, pages // 10):
            for verb in (["trend"], ["bisect-hint"], ["prune", "--keep", "1"]):
                with open(self.place, "wb") as file:
                    file.write(whole[:4096 * (page - 1)] + noise.randbytes(4096) + whole[4096 * page:])
                result = self.history(*verb)
                if result.returncode != 4:  # it needs no such page
                    continue
                found += 1
                self.assertIn(f"history.db: error: the history is damaged (page {page} of the file)\n", result.stderr)
        self.assertGreater(found, 10)

    def test_errors_are_sentences(self):
        self.stream("a.jsonl", repeat=100)
        with open(self.path("noise"), "wb") as file:
            file.write(random.Random(1).randbytes(1 << 16))
        for place, words in ((self.folder, "this is a folder, not a file"), (self.path("noise"), "the file is not an SQLite database, or its first page is damaged"),
                             ("/proc/history.db", "the file cannot be opened here"),
                             (self.path("noise/history.db"), "its folder cannot be made: Not a directory")):
            refused = self.history("add", self.path("a.jsonl"), place=place)
            self.assertEqual(refused.returncode, 4)
            self.assertEqual(refused.stderr, f"{place}: error: the history cannot be opened: {words}\n")
        self.good("add", self.path("a.jsonl"))
        self.execute("UPDATE calls SET verdict = 'good' WHERE place = 3")
        self.assertEqual(self.history("trend").stderr, f"{self.place}: error: the history cannot be used: the table holds the unknown word 'good'\n")
        self.execute("UPDATE calls SET record = 'good' WHERE place = 3")
        self.assertRegex(self.history("show", "").stderr, r"history.db: error: the history is damaged: line 5 of run \S+: not a line of JSON\n")
        self.execute("ALTER TABLE calls DROP COLUMN version")
        self.assertIn("history.db: error: the history cannot be used: its tables are not those of a history\n", self.history("bisect-hint").stderr)

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
        """Uncommitted rows take up space too."""
        return int(self.server.query("SELECT pg_relation_size('calls')", self.database))

    def calls(self):
        return int(self.server.query("SELECT COUNT(*) FROM calls", self.database))

    def execute(self, statement):
        return self.server.query(statement, self.database)

    def content(self):
        dump = self.server.call("pg_dump", "-h", self.server.folder, "-U", "tester", self.database).stdout
        # Without psql's own lines, which have random keys.
        return [line for line in dump.splitlines() if not line.startswith("\\")]

    def test_a_password_is_not_shown(self):
        refused = self.history("list", place="postgresql://me:secret@localhost:1/none")
        self.assertEqual(refused.returncode, 4)
        self.assertNotIn("secret", refused.stderr)

    def test_errors_are_sentences(self):
        absent = self.history("list", place=self.place.replace(self.database, "absent"))
        self.assertRegex(absent.stderr, 'error: the history cannot be opened: .*database "absent" does not exist\n$')
        self.assertEqual(self.history("list").stderr.splitlines()[0], f"{self.place}: error: there is no history yet")
        self.stream("a.jsonl")
        self.good("add", self.path("a.jsonl"))
        self.execute("ALTER TABLE calls DROP COLUMN version")
        self.assertRegex(self.history("bisect-hint").stderr, "error: the history cannot be used: column c.version does not exist\n$")

    def test_a_server_may_be_read_only_and_hold_other_tables(self):
        self.execute("CREATE TABLE letters (text TEXT)")
        first = self.stream("a.jsonl")
        self.good("add", self.path("a.jsonl"))
        self.execute(f"ALTER DATABASE {self.database} SET default_transaction_read_only = on")
        self.assertEqual(self.ids(), [first[:12]])
        self.good("trend")
        refused = self.history("prune", "--keep", "1")
        self.assertEqual(refused.returncode, 0, "there is nothing to remove")
        self.stream("b.jsonl")
        self.assertRegex(self.history("add", self.path("b.jsonl")).stderr, "error: the history cannot be used: [^\n;]*read-only transaction\n$")


if __name__ == "__main__":
    unittest.main()
