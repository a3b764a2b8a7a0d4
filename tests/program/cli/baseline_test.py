# SPDX-License-Identifier: Apache-2.0
"""Baselines that follow runs: written, checked, pruned, explained; and calls that fail only now and then."""

import json
import os
import re
import unittest

import small_data
from fixture import Fixture
from program import SOURCE, run, stream, worker_python

small_data.use("torch/torch.gather")


class Baseline(Fixture):
    """An engine that answers from a recording of the reference with some changed answers."""

    def setUp(self):
        super().setUp()
        self.answers = self.path("answers.jsonl")
        result = run("run", "torch.gather/doc/*", "torch.gather/rule/*", "-e", "reference", "--record", self.answers)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.answers, encoding="utf-8") as lines:
            self.right = lines.readlines()

    def answer(self, wrong):
        """Refuses calls whose id contains one of these words."""
        with open(self.answers, "w", encoding="utf-8") as lines:
            lines.write(self.right[0])
            for line in self.right[1:]:
                call = json.loads(line)
                if any(word in call["from"] for word in wrong):
                    call["outcome"] = {"refused": {"classes": ["MemoryError"], "message": "no"}}
                lines.write(json.dumps(call) + "\n")

    def run_suite(self, *more):
        return run("run", "torch.gather/doc/*", "torch.gather/rule/*", "-e", f"recorded:{self.answers}", "--report",
                   f"jsonl={self.path('run.jsonl')}", "--report", "console=-", *more)

    def baseline(self, verb, *more):
        return run("baseline", verb, self.path("ci.yaml"), *more)


class FollowsRuns(Baseline):
    def test_from_written_to_pruned(self):
        self.answer(["/doc/", "/obeys"])
        self.assertEqual(self.run_suite().returncode, 1)
        failures = [one for one in stream(self.path("run.jsonl")) if one.get("disposition") == "unexpected"]
        self.assertGreater(len(failures), 3)

        written = self.baseline("write", "--from", self.path("run.jsonl"))
        self.assertEqual(written.returncode, 0, written.stderr)
        self.assertIn(f"for {len(failures)} failures", written.stdout)
        with open(self.path("ci.yaml"), encoding="utf-8") as file:
            text = file.read()
        self.assertLess(text.count("- case:"), len(failures), text)
        again = self.baseline("write", "--from", self.path("run.jsonl"))
        self.assertIn("nothing to add", again.stdout)

        unfilled = self.baseline("check")
        self.assertEqual(unfilled.returncode, 1)
        self.assertEqual(unfilled.stdout.count("the reason is not filled in"), text.count("- case:"))
        self.write("ci.yaml", text.replace('reason: "?"', "reason: no memory").replace("baseline:", "# mine\nbaseline:"))
        self.assertEqual(self.baseline("check").returncode, 0)

        known = self.run_suite("--baseline", self.path("ci.yaml"))
        self.assertEqual(known.returncode, 0, known.stdout)
        explained = self.baseline("explain", "--from", self.path("run.jsonl"))
        for one in failures:
            self.assertIn(f"  {one['id']} on ", explained.stdout)
        self.assertNotIn("no record", explained.stdout)

        self.answer(["/obeys"])  # the documented examples are repaired
        fixed = self.run_suite("--baseline", self.path("ci.yaml"))
        self.assertEqual(fixed.returncode, 1)
        self.assertIn("did not fail in this way", fixed.stdout)
        self.assertTrue(all(entry["fixed"] for entry in stream(self.path("run.jsonl"))[-1]["stale"]))
        allowed = self.run_suite("--baseline", self.path("ci.yaml"), "--allow-fixed")
        self.assertEqual(allowed.returncode, 0, allowed.stdout)
        explained = self.baseline("explain", "--from", self.path("run.jsonl"))
        self.assertIn("did not fail in this way", explained.stdout)

        pruned = self.baseline("prune", "--from", self.path("run.jsonl"))
        self.assertEqual(pruned.returncode, 0, pruned.stderr)
        with open(self.path("ci.yaml"), encoding="utf-8") as file:
            left = file.read()
        self.assertNotIn("/doc/", left)
        self.assertIn("# mine\n", left)
        clean = self.run_suite("--baseline", self.path("ci.yaml"))
        self.assertEqual(clean.returncode, 0, clean.stdout)

    def test_without_a_stream_the_newest_kept_one_speaks(self):
        self.answer(["/doc/"])
        state = {"XDG_STATE_HOME": self.path("state")}
        self.assertIn("no run in this folder kept a stream", run("baseline", "write", self.path("ci.yaml"), env=state).stderr)
        self.assertEqual(run("run", "torch.gather/doc/*", "-e", f"recorded:{self.answers}", env=state).returncode, 1)
        elsewhere = run("baseline", "write", self.path("ci.yaml"), cwd=self.path("state"), env=state)
        self.assertIn("no run in this folder kept a stream", elsewhere.stderr)
        written = run("baseline", "write", self.path("ci.yaml"), env=state)
        self.assertEqual(written.returncode, 0, written.stderr)
        self.assertIn(self.path("state"), written.stderr)
        with open(self.path("ci.yaml"), encoding="utf-8") as file:
            self.assertIn("torch.gather/doc/", file.read())

    def test_an_expired_entry_is_named_and_excuses_nothing(self):
        self.answer(["/doc/"])
        entry = ("  - {{case: torch.gather/doc/*, engine: 'recorded:*', verdict: unexpected_error, reason: r, since: 2020-01-01, "
                 "expires: {}, owner: us}}\n")
        self.write("ci.yaml", "baseline:\n" + entry.format("9999-12-31"))
        self.assertEqual(self.run_suite("--baseline", self.path("ci.yaml")).returncode, 0)
        self.write("ci.yaml", "baseline:\n" + entry.format("2020-12-31"))
        failed = self.run_suite("--baseline", self.path("ci.yaml"))
        self.assertEqual(failed.returncode, 1)
        self.assertIn("ci.yaml:2 expired on 2020-12-31, owner us", failed.stdout.replace("\n  ", " "))
        checked = self.baseline("check")
        self.assertEqual(checked.returncode, 1)
        self.assertIn("expired on 2020-12-31 (owner: us)", checked.stdout)
        written = self.baseline("write", "--from", self.path("run.jsonl"))
        self.assertIn("expired on 2020-12-31", written.stderr)
        self.assertIn("nothing to add", written.stdout)

    def test_check_says_which_entries_are_about_engines_that_no_run_here_has(self):
        entry = "  - {{case: torch.gather/doc/a, engine: '{}', verdict: mismatch, reason: r, since: 2026-01-01}}\n"
        engines = ("reference", "torhc", "recorded:*", "case", "*", "faulty:*")
        with open(self.path("ci.yaml"), "w", encoding="utf-8") as file:
            file.write("baseline:\n" + "".join(entry.format(engine) for engine in engines))
        checked = self.baseline("check")
        self.assertIn("note: 1 entry is about an engine that no run here has, so it does not show whether it is stale: line 3 (torhc)\n",
                      checked.stdout)

    def test_check_says_which_entries_are_about_apis_that_no_spec_has(self):
        entry = "  - {{case: {}, engine: reference, verdict: mismatch, reason: r, since: 2026-01-01}}\n"
        cases = ("torch.gather/doc/a", "torch.gahter/doc/*", "'torch.gath*/doc/*'", "'*/fuzz/valid'")
        self.write("ci.yaml", "baseline:\n" + "".join(map(entry.format, cases)))
        checked = self.baseline("check")
        self.assertEqual(re.findall("note: no shipped spec.*", checked.stdout),
                         ["note: no shipped spec is of 'torch.gahter' (line 3): did you mean 'torch.gather'?"])

    def test_check_finds_entries_that_others_cover(self):
        entry = "  - {{case: {}, engine: {}, verdict: {}, reason: r, since: 2020-01-01}}\n"
        self.write("ci.yaml", "baseline:\n" + entry.format("a/doc/*", "torch*", "[crash, timeout]") +
                   entry.format("a/doc/b*", "torch", "crash") + entry.format("'a/doc/b?'", "torch", "mismatch") +
                   entry.format("a/doc/b*", "torch", "mismatch") + entry.format("a/doc/b*", "torch", "mismatch"))
        checked = self.baseline("check")
        self.assertEqual(checked.returncode, 1, checked.stderr)
        self.assertEqual(re.findall(r"ci.yaml:(\d): .*: covered by the entry in line (\d)\n", checked.stdout),
                         [("3", "2"), ("4", "5"), ("6", "5")])

    def test_a_file_that_cannot_be_read_is_no_finding(self):
        self.write("ci.yaml", "baseline:\n  - {case: a}\n")
        for verb in ("check", "write", "prune", "explain"):
            self.answer([])
            self.run_suite()
            more = () if verb == "check" else ("--from", self.path("run.jsonl"))
            result = self.baseline(verb, *more)
            self.assertEqual(result.returncode, 4, verb)
            self.assertIn("ci.yaml:2:", result.stderr)


WRONG = """
import sys
sys.path[:0] = [{liars!r}]
from honest import Honest, serve

class Wrong(Honest):
    # The last element of what calls have that a file names.
    def gather(self, data, dim, index):
        result = super().gather(data, dim, index)
        bugs = open({bugs!r}).read().split()
        if result.size and (data.dtype.name in bugs or f"rank{{data.ndim}}" in bugs):
            result.flat[-1] = 3 if result.flat[-1] != 3 else 5
        return result

serve(Wrong())
"""


class GeneratedCalls(Fixture):
    """Wrong cells that no known mistake explains."""

    def setUp(self):
        super().setUp()
        liars = os.path.join(SOURCE, "tests", "enemies", "liars")
        self.write("wrong.py", WRONG.format(liars=liars, bugs=self.path("bugs")))

    def fuzz(self, bugs, *more):
        self.write("bugs", bugs)
        result = run("fuzz", "--api", "torch.gather", "-e", f"cmd:'{worker_python()}' '{self.path('wrong.py')}'", "--valid", "--cases",
                     "400", "--seed", "2", "--shrink-time", "1", "--save", self.path("findings"), "--report",
                     f"jsonl={self.path('run.jsonl')}", *more)
        return result, [one for one in stream(self.path("run.jsonl")) if one.get("disposition") == "unexpected"]

    def written(self):
        result = run("baseline", "write", self.path("ci.yaml"), "--from", self.path("run.jsonl"))
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.path("ci.yaml"), encoding="utf-8") as file:
            return result.stdout, file.read()

    def test_are_told_from_those_that_passed_so_that_a_second_bug_shows(self):
        result, failures = self.fuzz("float64")
        self.assertEqual(result.returncode, 1, result.stdout)
        said, text = self.written()
        failed = sum(one.get("count", 1) for one in failures)
        passed = max(one["passed"] for one in failures)
        self.assertRegex(said, r'note: the entry of torch\.gather/fuzz/valid of gather_elements excuses calls that match '
                         rf'"\*=f64\[\*": all {failed} that failed, and \d+ of {passed} that passed\n')
        self.assertNotIn("any wrong value", said)
        self.assertIn('    call: "*=f64[*"\n', text)
        self.assertIn("nothing to add", self.written()[0])
        explained = run("baseline", "explain", self.path("ci.yaml"), "--from", self.path("run.jsonl"))
        self.assertNotIn("no record", explained.stdout)
        self.assertNotIn("match no entry", explained.stdout)

        result, failures = self.fuzz("float64", "--baseline", self.path("ci.yaml"))
        self.assertEqual((result.returncode, failures), (0, []), result.stdout)
        result, failures = self.fuzz("float64 float32", "--baseline", self.path("ci.yaml"))
        self.assertEqual(result.returncode, 1, result.stdout)
        for one in failures:
            self.assertIn("*=f32[*", [glob["glob"] for glob in one["call_globs"]])

    def test_that_nothing_simple_tells_apart_get_a_wide_entry_and_a_note(self):
        self.assertEqual(self.fuzz("rank2")[0].returncode, 1)
        said, text = self.written()
        self.assertIn("note: 1 entry excuses wrong values in these cases whatever their cause: no known mistake explains all failures, and nothing simple "
                      "tells their calls from those that passed\n  hint: more generated calls may tell; ", said)
        self.assertIn('diagnosis: ["cell/*", "wrong_meaning/*"]', text)
        self.assertNotIn("call:", text)
        self.assertEqual(self.fuzz("rank2", "--baseline", self.path("ci.yaml"))[0].returncode, 0)


class LastFailed(Baseline):
    def ids(self, *more):
        """The calls that run, in order; the stream is kept."""
        state = {"XDG_STATE_HOME": self.path("state")}
        result = run("run", "torch.gather/doc/*", "-e", f"recorded:{self.answers}", "-v", *more, env=state)
        return result, re.findall(r"^(?:pass|weak|unexpected_error) +(\S+) on", result.stdout, re.M)

    def test_cases_run_alone_or_first(self):
        result, none = self.ids("--last-failed")
        self.assertEqual((result.returncode, none), (5, []))
        self.assertIn("no selected case failed in the kept runs", result.stderr)
        self.answer(["tutorial-6"])
        _, all_ids = self.ids()
        self.assertGreater(len(all_ids), 2)
        result, failed = self.ids("--last-failed")
        self.assertEqual((result.returncode, failed), (1, ["torch.gather/doc/tutorial-6"]))
        _, first = self.ids("--failed-first")
        self.assertEqual(first[0], "torch.gather/doc/tutorial-6")
        self.assertEqual(sorted(first), sorted(all_ids))
        self.answer([])
        self.assertEqual(self.ids("--last-failed")[0].returncode, 0)
        self.assertEqual(self.ids("--last-failed")[0].returncode, 5)


FLAKY = """
import os, sys
sys.path[:0] = [{liars!r}]
from honest import Honest, serve

class Flaky(Honest):
    # Wrong for a call with a file of its own that says that it is the first time.
    def positions(self, index):
        if os.path.exists({mark!r}):
            os.remove({mark!r})
            raise MemoryError("now and then")
        return super().positions(index)

serve(Flaky())
"""


class Flaky(Fixture):
    def run_flaky(self, *more):
        mark = self.write("mark", "")
        self.write("flaky.py", FLAKY.format(liars=os.path.join(SOURCE, "tests", "enemies", "liars"), mark=mark))
        path = self.path("run.jsonl")
        result = run("run", "torch.gather/doc/*", "-e", f"cmd:'{worker_python()}' '{self.path('flaky.py')}'", "--report",
                     f"jsonl={path}", "--report", "console=-", *more)
        return result, [one for one in stream(path) if one.get("verdict") not in (None, "pass", "weak")]

    def test_calls_are_a_class_of_their_own(self):
        result, failures = self.run_flaky()
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertEqual([one["disposition"] for one in failures], ["unexpected"])
        result, failures = self.run_flaky("--retries", "2")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertEqual([(one["disposition"], one["verdict"], one["retried"]) for one in failures],
                         [("flaky", "unexpected_error", ["pass"])])
        self.assertIn("1 flaky call", result.stdout)
        result, _ = self.run_flaky("--retries", "2", "--fail-on-flaky")
        self.assertEqual(result.returncode, 1, result.stdout)

    def test_calls_stay_flaky_in_a_resumed_run(self):
        self.run_flaky("--retries", "1")
        os.rename(self.path("run.jsonl"), self.path("before.jsonl"))
        result, failures = self.run_flaky("--resume", self.path("before.jsonl"))
        self.assertEqual([one["disposition"] for one in failures], ["flaky"])
        self.assertEqual(result.returncode, 0, result.stdout)


if __name__ == "__main__":
    unittest.main()
