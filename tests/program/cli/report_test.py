# SPDX-License-Identifier: Apache-2.0
"""`report` with several streams: parts of a run, other engines, and the same calls twice."""

import json
import os
import sys
import unittest

from fixture import Fixture
from program import SOURCE, run, stream


def record(case, engine="alpha@1", verdict="pass", version="1", **more):
    failing = verdict not in ("pass", "open", "unsupported")
    return {"type": "record", "id": f"torch.gather/{case}", "api": "torch.gather", "engine": engine, "version": version,
            "device": "cpu", "verdict": verdict, "rung": "none", "disposition": "unexpected" if failing else "as_expected",
            "explanation": "", "reproduce": "x", "seed": 0, "call_seconds": 0, "judge_seconds": 0, **more}


class SeveralStreams(Fixture):
    def stream(self, name, records, end=True, engines=("alpha@1",), planned=None, **last):
        header = {"type": "header", "stream_version": 2, "tool_version": "0.1.0", "started": "2024-05-01T12:00:00Z",
                  "command_line": f"scatterproof run {name}", "machine": "m", "seed": 0,
                  "planned": len(records) if planned is None else planned, "libraries": {},
                  "engines": [{"name": one, "version": "1", "device": "cpu", "state": "ready"} for one in engines]}
        failed = any(one["disposition"] == "unexpected" for one in records)
        trailer = {"type": "end", "ended": "2024-05-01T12:00:01Z", "interrupted": False, "records": len(records),
                   "exit_code": int(failed), "stale": [], **last}
        lines = [header, *records, *([trailer] if end else [])]
        return self.write(name, "".join(json.dumps(line) + "\n" for line in lines))

    def joined(self, *paths):
        """The exit code, what was said, and the stream of the whole."""
        out = self.path("whole.jsonl")
        result = run("report", *paths, "--report", f"jsonl={out}")
        return result.returncode, result.stderr, stream(out)

    def test_shards_are_one_run(self):
        code, said, (header, *records, end) = self.joined(self.stream("a", [record("one")]), self.stream("b", [record("two", verdict="mismatch")]))
        self.assertEqual((code, said), (1, ""))
        self.assertEqual([one["id"] for one in records], ["torch.gather/one", "torch.gather/two"])
        self.assertEqual((header["planned"], end["records"], end["exit_code"]), (2, 2, 1))
        self.assertEqual(header["command_line"], "scatterproof run a; scatterproof run b")

    def test_a_history_is_no_stream(self):
        place, one = self.path("h.db"), self.stream("a", [record("one")])
        self.assertEqual(run("history", "add", one, "--db", place).returncode, 0)
        for words in (("report", "--history", place), ("report", place), ("diff", one, place)):
            mistaken = run(*words)
            self.assertEqual(mistaken.returncode, 4)
            self.assertIn(f"{place}:1:1: error: a database, not a stream of records\n"
                          "  hint: name the stream of a run; --db names the history\n", mistaken.stderr)

    def test_the_exit_code_follows_the_records(self):
        failed, passed = [record("one"), record("two", verdict="mismatch")], [record("one")]
        stale = [{"file": "known.yaml", "line": 3, "text": "x"}]
        for records, last, code in ((failed, {"exit_code": 0}, 1), (failed, {"exit_code": 5}, 1), (passed, {"exit_code": 1}, 0),
                                    (passed, {"exit_code": 0, "stale": stale}, 1), (passed, {"exit_code": 0, "interrupted": True}, 2),
                                    (passed, {"exit_code": 4}, 4), ([], {"exit_code": 5}, 5), ([], {"exit_code": 0}, 0)):
            with self.subTest(records=len(records), **last):
                self.assertEqual(run("report", self.stream("a", records, **last)).returncode, code)

    def test_a_call_has_one_record_on_an_engine(self):
        refused = {"outcome": {"kind": "refused", "classes": ["ValueError"]}}
        path = self.stream("a", [record("one", **refused), record("one", engine="beta@1", **refused), record("two", **refused),
                                 record("one", verdict="mismatch", **refused)])
        for words in (["report", path], ["diff", path, path], ["merge", path, "--report", f"jsonl={self.path('m')}"], ["history", "add", path, "--db", self.path("h")]):
            with self.subTest(words[0]):
                result = run(*words)
                self.assertEqual(result.returncode, 4)
                self.assertIn(f"{path}:5:1: error: a second record of torch.gather/one on alpha@1", result.stderr)
                self.assertNotIn("the end record", result.stderr)
        # Kinds of generated calls, which have no outcome, share ids.
        self.assertEqual(run("report", self.stream("b", [record("one", count=3), record("one", count=4)])).returncode, 0)

    def test_other_engines_stand_beside_each_other(self):
        code, said, (header, *records, _) = self.joined(
            self.stream("a", [record("one")]), self.stream("b", [record("one", engine="beta@1")], engines=("alpha@1", "beta@1")))
        self.assertEqual((code, said, len(records)), (0, "", 2))
        self.assertEqual([one["name"] for one in header["engines"]], ["alpha@1", "beta@1"])

    def test_the_last_stream_counts_and_that_is_said(self):
        first = self.stream("a", [record("one", verdict="crash"), record("two")])
        second = self.stream("b", [record("one")])
        code, said, (header, *records, _) = self.joined(first, second)
        self.assertEqual(code, 0)
        self.assertEqual([(one["id"], one["verdict"]) for one in records], [("torch.gather/two", "pass"), ("torch.gather/one", "pass")])
        self.assertEqual(header["planned"], 2)
        self.assertIn(f"{first} and {second} both judged 1 case on the same engine: what {second} says counts", said)
        self.assertEqual(self.joined(second, first)[0], 1)

    def test_a_report_does_not_take_the_place_of_its_stream(self):
        first, second = self.stream("a", [record("one")]), self.stream("b", [record("two")])
        for paths in ([first], [second, first]):
            result = run("report", *paths, "--report", f"html={first}")
            self.assertEqual((result.returncode, result.stderr),
                             (4, f"{first}: error: a report would be written over the stream that it is made from\n  hint: give the report another path\n"))
        self.assertEqual(len(stream(first)), 3)

    def test_a_stream_that_is_wrong_leaves_reports_as_they_are(self):
        there = self.write("there.html", "an earlier one")
        path = self.stream("a", [record("one")])
        self.change(path, '"records": 1', '"records": 2')
        self.assertEqual(run("report", path, "--report", f"html={there}").returncode, 4)
        with open(there, encoding="utf-8") as text:
            self.assertEqual(text.read(), "an earlier one")

    def test_kinds_of_generated_calls_stay_apart(self):
        calls = [record("fuzz/valid", count=5), record("fuzz/valid", verdict="mismatch", count=2)]
        code, said, (_, *records, _) = self.joined(self.stream("a", calls), self.stream("b", [record("one")]))
        self.assertEqual((code, said, len(records)), (1, "", 3))

    def test_a_part_that_is_not_whole(self):
        whole = self.stream("a", [record("one")])
        code, _, lines = self.joined(whole, self.stream("b", [record("two")], end=False, planned=9))
        self.assertEqual((code, lines[-1]["type"]), (2, "record"))
        code, _, lines = self.joined(whole, self.stream("c", [record("two")], interrupted=True, exit_code=2))
        self.assertEqual((code, lines[-1]["interrupted"]), (2, True))

    def test_an_empty_shard_does_not_matter(self):
        empty = self.stream("b", [], exit_code=5)
        self.assertEqual(self.joined(self.stream("a", [record("one")]), empty)[0], 0)
        self.assertEqual(self.joined(empty, empty)[0], 5)
        unsupported = self.stream("c", [record("two", verdict="unsupported")], exit_code=5)
        self.assertEqual(self.joined(empty, unsupported)[0], 5)
        self.assertEqual(self.joined(self.stream("a", [record("one")]), unsupported)[0], 0)

    def test_errors_and_stale_entries_decide(self):
        whole = self.stream("a", [record("one")])
        self.assertEqual(self.joined(whole, self.stream("b", [record("two")], exit_code=4))[0], 4)
        stale = [{"file": "b.yaml", "line": 1, "text": "gone"}]
        code, _, lines = self.joined(self.stream("c", [record("two")], stale=stale), self.stream("d", [record("three")], stale=stale))
        self.assertEqual((code, lines[-1]["stale"]), (1, stale))

    def test_one_engine_has_one_version(self):
        result = run("report", self.stream("a", [record("one")]), self.stream("b", [record("two", version="2")]))
        self.assertEqual(result.returncode, 4)
        self.assertIn("engine 'alpha@1' has version 2 here and 1 in", result.stderr)

    def test_records_say_where_their_case_is(self):
        cases = self.write("mine.yaml", """\
api: torch.gather
cases:
  - id: first
    why: one row
    call: {input: {dtype: f32, values: [1, 2]}, dim: 0, index: {dtype: i64, values: [1]}}
  - id: second
    why: the other row
    call: {input: {dtype: f32, values: [1, 2]}, dim: 0, index: {dtype: i64, values: [0]}}
""")
        out = self.path("run.jsonl")
        result = run("run", cases, "--engine", "reference", "--report", f"jsonl={out}")
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
        self.assertEqual({(one["file"], one["line"]) for one in stream(out)[1:-1]}, {(cases, 3), (cases, 6)})

    def test_benchmarks_alone_are_a_table_or_a_page(self):
        times = os.path.join(SOURCE, "tests", "unit", "reports", "timing", "recorded.jsonl")
        table = run("report", times)
        self.assertEqual(table.returncode, 0, table.stderr)
        self.assertIn("B8", table.stdout)
        page = run("report", times, "--report", "html=-")
        self.assertTrue(page.stdout.startswith("<!DOCTYPE html>"))
        self.assertIn("<h1>Times of 6 rows on 6 engines</h1>", page.stdout)
        for wrong in (("--report", "junit=-"), ("--history", "--report", "html=-")):
            result = run("report", times, *wrong)
            self.assertEqual((result.returncode, result.stdout), (4, ""), wrong)
            self.assertIn("benchmarks", result.stderr)

    def test_a_folder_that_is_no_report_is_left_alone(self):
        path = self.stream("a", [record("one")])
        self.assertEqual(run("report", path, "--report", f"html-dir={self.path('new/folder')}").returncode, 0)
        self.assertEqual(run("report", path, "--report", f"html-dir={self.path('new/folder')}").returncode, 0)
        result = run("report", path, "--report", f"html-dir={self.folder}")
        self.assertEqual(result.returncode, 4)
        self.assertIn("the folder holds files that are not part of a report", result.stderr)
        self.assertIn("hint: ", result.stderr)
        self.assertIn("--report html-dir=FOLDER", run("report", path, "--report", "html-dir").stderr)


if __name__ == "__main__":
    sys.exit(unittest.main())
