# SPDX-License-Identifier: Apache-2.0
"""What changed between two runs, or two versions of an engine."""

import json
import os
import re
import unittest

import small_data
from fixture import Fixture
from program import run, stream

small_data.use("torch/torch.gather")


class Diff(Fixture):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        result = run("run", "torch.gather/doc/*", "torch.gather/rule/*", "-e", "reference", "--report", "jsonl=-")
        cls.lines = [json.loads(line) for line in result.stdout.splitlines()]
        cls.ids = [line["id"] for line in cls.lines[1:-1]]

    def stream(self, name, version, change=None, more=()):
        """The run on torch in this version, with change(record) done to each record; None leaves it out."""
        header, *records, end = json.loads(json.dumps(self.lines))
        header["started"] = f"2026-01-01T00:00:0{version[0]}Z"
        for record in records:
            record.update(engine=f"torch@{version}", version=version)
        records = [record for record in map(change or (lambda one: one), records + list(more)) if record]
        end["records"] = len(records)
        return self.write(name, "".join(json.dumps(line) + "\n" for line in [header, *records, end]))

    def diff(self, change=None, *options, before=None, more=((), ())):
        return run("diff", self.stream("a.jsonl", "1.0", before, more[0]), self.stream("b.jsonl", "2.0", change, more[1]), *options)

    def changing(self, id, **fields):
        def change(record):
            if record["id"] == id:
                outcome = fields.get("outcome", {})
                record.update({**fields, "outcome": {**record["outcome"], **outcome}})
            return record
        return change

    def test_equal_runs_of_two_versions_are_the_same(self):
        result = self.diff()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"Summary: 0 worse, 0 other, 0 better, {len(self.ids)} the same", result.stdout)

    def test_a_verdict_changes_with_a_witness(self):
        result = self.diff(self.changing("torch.gather/doc/example", verdict="mismatch", explanation="out[0] is 1, must be 2\nmore",
                                         diagnosis="wrong_meaning/shifted_back[1]", outcome={"digest": "0" * 16, "values": "[9]"}))
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("worse 1 call of torch.gather on torch@2.0: pass, now mismatch (cell/wrong_value); torch.gather/doc/example\n"
                      "  before: pass: produced", result.stdout)
        self.assertRegex(result.stdout, r"after: mismatch \(wrong_meaning/shifted_back\): produced i64.* \[9\]\n    out\[0\] is 1, must be 2\n")
        self.assertIn("Summary: 1 worse, 0 other, 0 better", result.stdout)

    def test_what_is_worse_comes_first_and_what_is_better_is_told(self):
        def failing(id, verdict, diagnosis):
            return self.changing(id, verdict=verdict, diagnosis=diagnosis, explanation="wrong")

        def each(*changes):
            def change(record):
                for one in changes:
                    record = one(record)
                return record
            return change
        ids = [line["id"] for line in self.lines[1:-1] if line["verdict"] == "pass"][:4]
        before = each(failing(ids[0], "mismatch", "cell/wrong_value"), failing(ids[1], "crash", "crash/signal/SIGSEGV"))
        after = each(failing(ids[1], "mismatch", "form/shape"), failing(ids[2], "unexpected_error", "unexpected_refusal/a"),
                     failing(ids[3], "crash", "crash/signal/SIGSEGV"))
        result = self.diff(after, "--html", self.path("d.html"), "--markdown", self.path("d.md"), before=before)
        self.assertEqual(result.returncode, 1, result.stderr)
        told = [line for line in result.stdout.splitlines() if re.match("(worse|other|better) ", line)]
        self.assertEqual([(line.split()[0], line.split("; ")[1]) for line in told],
                         [("worse", ids[3]), ("worse", ids[2]), ("better", ids[1]), ("better", ids[0])], result.stdout)
        self.assertIn("Summary: 2 worse, 0 other, 2 better", result.stdout)
        for page in ("d.html", "d.md"):
            with open(self.path(page), encoding="utf-8") as file:
                text = file.read()
            self.assertIn("2 worse, 0 other, 2 better", text)
            places = [text.index(id) for id in (ids[3], ids[2], ids[1], ids[0])]
            self.assertEqual(places, sorted(places), page)

    def test_a_heading_says_every_verdict_of_its_group(self):
        ids = [line["id"] for line in self.lines[1:-1] if line["verdict"] == "pass"][:2]

        def before(record):
            if record["id"] in ids:
                record.update(verdict="mismatch", diagnosis="cell/wrong_value", explanation="wrong")
            return record
        result = self.diff(self.changing(ids[1], verdict="open"), before=before)
        self.assertIn("better 2 calls of torch.gather on torch@2.0: mismatch (cell/wrong_value), now open or pass; ", result.stdout)

    def test_another_result_is_a_change_unless_the_document_allows_both(self):
        other = {"outcome": {"digest": "0" * 16}}
        allowed = self.diff(self.changing("torch.gather/doc/example", **other))
        self.assertEqual(allowed.returncode, 0)
        self.assertIn("1 calls have other results, and the document allows both", allowed.stdout)
        self.assertNotIn("torch.gather/doc/example", allowed.stdout)
        self.assertRegex(self.diff(self.changing("torch.gather/doc/example", **other), "-v").stdout,
                         r"other torch\.gather/doc/example on \S+: another result, which the document allows too\n")
        left_open = self.diff(self.changing("torch.gather/doc/example", verdict="open", **other),
                              before=self.changing("torch.gather/doc/example", verdict="open"))
        self.assertEqual(left_open.returncode, 1)
        self.assertIn("other 1 call of torch.gather on torch@2.0: open, with another outcome; torch.gather/doc/example\n", left_open.stdout)

    def test_what_is_offered_appears_and_vanishes(self):
        unsupported = self.changing("torch.gather/doc/example", verdict="unsupported")
        appeared, vanished = self.diff(None, "-v", before=unsupported).stdout, self.diff(unsupported, "-v").stdout
        self.assertRegex(appeared, r"other torch\.gather/doc/example on \S+: supported now\n")
        self.assertRegex(vanished, r"other torch\.gather/doc/example on \S+: no longer supported\n")

    def test_what_one_run_did_not_make_is_not_compared(self):
        result = self.diff(lambda one: None if "/rule/" in one["id"] else one)
        rules = sum("/rule/" in one for one in self.ids)
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, rf"not compared: {rules} calls only in .*a.jsonl, 0 only in")
        nothing = self.diff(lambda one: None if "/rule/" in one["id"] else one, before=lambda one: None if "/doc/" in one["id"] else one)
        self.assertEqual(nothing.returncode, 5, nothing.stdout)

    def test_ways_in_which_generated_calls_end(self):
        def kind(verdict, diagnosis, version):
            one = {**json.loads(json.dumps(self.lines[1])), "id": "torch.gather/fuzz/valid", "verdict": verdict, "diagnosis": diagnosis,
                   "engine": f"torch@{version}", "version": version, "count": 7}
            del one["outcome"]
            return one
        result = self.diff(more=([kind("mismatch", "wrong_meaning/shifted_back", "1.0"), kind("crash", "argument_written/index", "1.0")],
                                 [kind("crash", "argument_written/index", "2.0"), kind("mismatch", "form/dtype", "2.0")]))
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("worse 1 call of torch.gather on torch@2.0: none, now mismatch (form/dtype); torch.gather/fuzz/valid\n"
                      "  before: no generated call ended like this\n  after: mismatch (form/dtype)", result.stdout)
        self.assertIn("better 1 call of torch.gather on torch@1.0: mismatch (cell/wrong_value), now none; torch.gather/fuzz/valid\n", result.stdout)
        self.assertIn(f"1 worse, 0 other, 1 better, {len(self.ids) + 1} the same", result.stdout)

    def test_alike_changes_are_one(self):
        def refuse(record):
            if "/doc/" in record["id"]:
                record.update(verdict="unexpected_error", outcome={"kind": "refused", "classes": ["MemoryError"]})
            return record
        docs = sum("/doc/" in one for one in self.ids)
        result = self.diff(refuse)
        self.assertIn(f"worse {docs} calls of torch.gather on torch@2.0: ", result.stdout)
        self.assertIn(f" and {docs - 1} more\n", result.stdout)
        self.assertEqual(result.stdout.count("after: unexpected_error: refused MemoryError"), 1)
        self.assertEqual(self.diff(refuse, "-v").stdout.count("after: unexpected_error: refused MemoryError"), docs)

    def test_a_group_has_one_line_over_operations_and_the_worst_tells_more(self):
        docs = [one for one in self.ids if "/doc/" in one]
        fault = {"verdict": "mismatch", "diagnosis": "cell/wrong_value", "explanation": "wrong"}

        def fail(record):
            if record["id"] in docs:
                record.update(fault, **({"api": "onnx.Gather", "operation": "gather_rows"} if record["id"] == docs[0] else {}))
            elif record["verdict"] == "pass":
                record.update(verdict="unexpected_error", diagnosis="unexpected_refusal/index", explanation="no")
            return record
        lines = self.diff(fail).stdout.splitlines()
        worse = [line for line in lines if line.startswith("worse ")]
        self.assertEqual(len(worse), 2, lines)
        self.assertRegex(worse[0], rf"worse {len(docs)} calls of 2 APIs \(2 operations\) on torch@2\.0: pass, now mismatch")
        self.assertEqual([line.split(":")[0] for line in lines[1:5]], ["  before", "  after", "    wrong", "  reproduce"])
        self.assertEqual(lines[5], worse[1], "of the others the line alone")
        self.assertIn("what happened in the other groups: --markdown FILE, --html FILE; in each call: -v", lines)

    def test_versions_are_found_in_kept_runs_and_in_the_history(self):
        state = {"XDG_STATE_HOME": self.path("state")}
        self.stream("1.jsonl", "1.0")
        self.stream("2.jsonl", "2.0", self.changing("torch.gather/doc/example", verdict="mismatch"))
        missing = run("diff", "torch@1.0", "torch@2.0", env=state)
        self.assertEqual(missing.returncode, 4)
        self.assertIn("no kept run, and none in the history, has calls on torch@1.0", missing.stderr)
        self.assertEqual(run("history", "add", self.path("1.jsonl"), env=state).returncode, 0)
        os.makedirs(self.path("state/scatterproof/runs"))
        os.rename(self.path("2.jsonl"), self.path("state/scatterproof/runs/1.jsonl"))
        found = run("diff", "torch@1.0", "torch@2.0", env=state)
        self.assertEqual(found.returncode, 1, found.stderr)
        self.assertIn("Summary: 1 worse", found.stdout)
        self.assertRegex(found.stderr, "torch@1.0: .*history.db\ntorch@2.0: .*1.jsonl")
        os.rename(self.path("state/scatterproof/history.db"), self.path("other.db"))
        self.assertEqual(run("diff", "torch@1.0", "torch@2.0", env=state).returncode, 4)
        named = run("diff", "torch@1.0", "torch@2.0", env={**state, "SCATTERPROOF_HISTORY": self.path("other.db")})
        self.assertEqual(named.returncode, 1, named.stderr)

    def test_a_run_with_two_versions_must_be_taken_apart(self):
        both = [{**line, "engine": "torch@2.0", "version": "2.0"} for line in self.lines[1:-1]]
        path = self.stream("both.jsonl", "1.0", more=both)
        result = run("diff", path, path)
        self.assertEqual(result.returncode, 4)
        self.assertIn("the run has torch 1.0 and 2.0", result.stderr)


class Corpus(Fixture):
    def fuzz(self, *args):
        return run("fuzz", *args, "--save", self.path("findings"), cwd=self.folder)

    def test_the_same_generated_calls_again(self):
        corpus = self.path("calls.jsonl")
        made = self.fuzz("--api", "torch.gather", "-e", "reference", "--cases", "150", "--corpus", corpus)
        self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
        made = int(re.search(r"^(\d+) calls made", made.stderr, re.M).group(1))
        for engine in ("reference", "openmp"):
            again = self.fuzz("--corpus", corpus, "-e", engine, "--report", f"jsonl={self.path(engine)}", "--report", "console=-")
            self.assertEqual(again.returncode, 0, again.stdout + again.stderr)
            _, *records, _ = stream(self.path(engine))
            self.assertEqual(len({record["id"] for record in records}), made)
            self.assertTrue(all(re.fullmatch(r"torch\.gather/fuzz/[^/]+/\d+", record["id"]) for record in records))
        same = run("diff", self.path("reference"), self.path("openmp"))
        self.assertIn(f"0 worse, 0 other, 0 better, {made} the same", same.stdout)
        narrowed = self.fuzz("--corpus", corpus, "-e", "reference", "--api", "onnx.*")
        self.assertEqual(narrowed.returncode, 4, narrowed.stderr)

    def test_runs_that_made_other_calls_differ_by_chance(self):
        def made(name, seed, cases):
            self.assertEqual(self.fuzz("--api", "torch.gather", "-e", "reference", "--seed", seed, "--cases", cases, "--report",
                                       f"jsonl={self.path(name)}").returncode, 0)
            calls = sum(one.get("count", 1) for one in stream(self.path(name))[1:-1])
            return calls, self.path(name)
        calls, before = made("before", "1", "60")
        for other in (("1", "90"), ("2", "60")):
            others, after = made("after", *other)
            result = run("diff", before, after, "--markdown", self.path("diff.md"), "--html", self.path("diff.html"))
            note = f"both runs are of fuzz, and made other calls ({calls} of seed 1, then {others} of seed {other[0]}): they differ by chance."
            self.assertTrue(result.stdout.startswith(f"note: {note} To compare them, give both the same --seed and --cases, or"), result.stdout)
            for page in ("diff.md", "diff.html"):
                with open(self.path(page), encoding="utf-8") as file:
                    self.assertIn(f"Note: {note}", file.read())
        self.assertNotIn("note:", run("diff", before, made("again", "1", "60")[1]).stdout)

    def test_a_baseline_speaks_of_its_calls_by_their_kind(self):
        corpus, answers = self.path("calls.jsonl"), self.path("answers.jsonl")
        self.fuzz("--api", "torch.gather", "--valid", "-e", "reference", "--cases", "40", "--corpus", corpus)
        self.assertEqual(run("run", corpus, "-e", "reference", "--record", answers).returncode, 0)
        with open(answers, encoding="utf-8") as file:
            first, *lines = map(json.loads, file)
        refused = {"refused": {"classes": ["MemoryError"], "message": "no"}}
        self.write("answers.jsonl", "".join(json.dumps(line) + "\n" for line in [first] + [{**line, "outcome": refused} for line in lines]))
        run_it = ("run", corpus, "-e", f"recorded:{answers}", "--report", f"jsonl={self.path('run.jsonl')}")
        self.assertEqual(run(*run_it).returncode, 1)
        written = run("baseline", "write", self.path("ci.yaml"), "--from", self.path("run.jsonl"))
        self.assertIn("1 entry added", written.stdout)
        with open(self.path("ci.yaml"), encoding="utf-8") as file:
            self.assertIn('case: "torch.gather/fuzz/valid"', file.read())
        self.assertEqual(run(*run_it, "--baseline", self.path("ci.yaml")).returncode, 0)


if __name__ == "__main__":
    unittest.main()
