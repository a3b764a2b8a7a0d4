# SPDX-License-Identifier: Apache-2.0
"""Generated calls as a user meets them: fuzz, run, exit codes, seeds, shards, what is saved."""

import glob
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import small_data
from program import PROGRAM, SOURCE, run, stream, worker_python

small_data.use("torch/*", "numpy/numpy.take_along_axis", "numpy/numpy.ufunc.at")

FAULT = "faulty:dropped-tail"
SLOW_AND_WRONG = f"""
import sys, time
sys.path.insert(0, {os.path.join(SOURCE, 'engines', 'workers', 'python')!r})
import numpy
from scatterproof_worker import Worker
worker = Worker(name="slow-and-wrong", version="1", device="cpu", dtypes=["f32", "i32", "i64"])
@worker.call("numpy.take_along_axis")
def take(arr, indices, axis):
    time.sleep(0.02)
    if indices.ndim % 2:
        raise (KeyError if indices.size % 2 else OSError)("no")
    return numpy.zeros(indices.shape, "f4" if indices.size % 3 else arr.dtype)
worker.serve()
"""


def ending(result):
    """Calls made, calls judged, digest."""
    made, judged, digest = re.search(r"(\d+) calls made: (\d+) calls? judged.*; seed \d+, digest ([0-9a-f]+)", result.stderr).groups()
    return int(made), int(judged), int(digest, 16)


class Fixture(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="scatter proof ")
        self.addCleanup(shutil.rmtree, self.folder)
        self.found = os.path.join(self.folder, "found")

    def change(self, path, old, new):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertIn(old, text)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(old, new))

    def fuzz(self, *args, env=None):
        return run("fuzz", "--save", self.found, *args, env=env)


class ACorrectEngine(Fixture):
    def test_passes_and_nothing_is_saved(self):
        result = self.fuzz("--all", "--engine", "reference", "--engine", "openmp", "--cases", "2000", env=small_data.EVERYTHING)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertGreater(ending(result)[1], 3250)
        self.assertFalse(os.path.exists(self.found))

    def test_keeps_the_relations(self):
        # Every family: torch has members of each, and the test `relations` asks all APIs.
        result = self.fuzz("--api", "torch.*", "--relations", "--engine", "reference", "--cases", "1000")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("pass", result.stdout)


class CallsThatNobodyCanJudge(Fixture):
    """No document of torch.gather promises an error for an index out of range."""

    def open_of(self, *options):
        result = self.fuzz("--api", "torch.gather", "--engine", "reference", "--cases", "2000", *options)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        judged, left_open = map(int, re.search(r"2000 calls made: (\d+) calls judged, of them 0 failed; not judged: (\d+) open; seed", result.stderr).groups())
        self.assertEqual(judged + left_open, 2000)
        self.assertIn(f"Summary: as expected, {judged} calls judged, of them 0 failed; not judged: {left_open} open\n", result.stdout)
        return left_open

    def test_are_one_in_ten(self):
        self.assertTrue(140 < self.open_of() < 230)

    def test_are_more_where_practice_is_asked_for(self):
        self.assertGreater(self.open_of("--practice"), 600)


class AWrongEngine(Fixture):
    def test_damaged_saved_calls_are_named_and_left_out(self):
        fuzz = ("--api", "torch.gather", "--engine", "reference", "--cases", "50")
        self.fuzz("--api", "torch.gather", "--engine", FAULT, "--cases", "300")
        saved = sorted(glob.glob(os.path.join(self.found, "torch.gather", "*.yaml")))
        self.assertGreater(len(saved), 1)
        for path in saved:  # as if the reference had failed
            self.change(path, FAULT, "reference")
        for damaged in (saved[:1], saved):
            for path in damaged:
                with open(path, "r+b") as file:
                    file.truncate(os.path.getsize(path) // 2)
            jsonl = os.path.join(self.folder, "r.jsonl")
            result = self.fuzz(*fuzz, "--report", f"jsonl={jsonl}")
            self.assertEqual(result.returncode, 4, result.stderr)
            for path in saved:
                self.assertEqual(f"{path}:" in result.stderr, path in damaged, result.stderr)
            records = stream(jsonl)[1:-1]
            self.assertEqual(len([one for one in records if "/found/" in one["id"]]), len(saved) - len(damaged))
            self.assertTrue([one for one in records if "/fuzz/" in one["id"]], "new calls are made all the same")

    def test_is_caught_shrunk_saved_and_replayed(self):
        report = os.path.join(self.folder, "r.jsonl")
        result = self.fuzz("--api", "torch.gather", "--engine", FAULT, "--cases", "1200", "--report", f"jsonl={report}")
        self.assertEqual(result.returncode, 1, result.stderr)
        failed = [r for r in stream(report) if r.get("disposition") == "unexpected"]
        self.assertTrue(failed)
        self.assertGreater(failed[0]["count"], 10)
        self.assertIn("the smallest call that shows it: torch.gather(", failed[0]["explanation"])
        (saved,) = glob.glob(os.path.join(self.found, "torch.gather", "*.yaml"))[:1]
        line = shlex.split(failed[0]["reproduce"])
        again = subprocess.run(line, text=True, capture_output=True, timeout=300)
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
        self.assertEqual(run("run", saved, "--engine", "reference").returncode, 0)
        # Known failures run first, and still fail.
        second = os.path.join(self.folder, "second.jsonl")
        replay = self.fuzz("--api", "torch.gather", "--engine", FAULT, "--cases", "1", "--report", f"jsonl={second}", "--report", "console")
        records = stream(second)[1:-1]
        self.assertIn("/found/", records[0]["id"])
        # The last line counts what the summary counts. What an engine answers in two ways is open by itself.
        replayed = len([one for one in records if "/found/" in one["id"]])
        judged = replayed + 1 - len([one for one in records if one["verdict"] == "open"])
        self.assertGreater(judged, 3)
        self.assertIn(f"{replayed + 1} calls made, {replayed} of them saved before: {judged} calls judged", replay.stderr)
        self.assertIn(f"{judged} calls judged", replay.stdout)

    def test_what_was_saved_belongs_to_the_engine_that_failed(self):
        self.fuzz("--api", "torch.gather", "--engine", FAULT, "--cases", "300", "--shrink-time", "100ms")
        saved = len(glob.glob(os.path.join(self.found, "torch.gather", "*.yaml")))
        self.assertGreater(saved, 1)
        report = os.path.join(self.folder, "other.jsonl")
        for engines, replayed in ((["reference"], 0), (["faulty:dropped-head"], 0), (["reference", FAULT], 2 * saved)):
            with self.subTest(engines):
                options = [word for engine in engines for word in ("--engine", engine)]
                other = self.fuzz("--api", "torch.gather", *options, "--cases", "1", "--report", f"jsonl={report}")
                self.assertEqual(len([one for one in stream(report)[1:-1] if "/found/" in one["id"]]), replayed)
                said = f"{saved} calls in {self.found} were not executed, as other engines failed on them ({FAULT})"
                self.assertEqual(said in other.stderr, not replayed, other.stderr)

    def test_what_it_shows_outlives_the_process(self):
        process = subprocess.Popen([PROGRAM, "fuzz", "--save", self.found, "--api", "torch.gather", "--engine", FAULT, "--time", "5m"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            until = time.monotonic() + 600  # on a busy machine
            while not (saved := glob.glob(os.path.join(self.found, "torch.gather", "*.yaml"))):
                self.assertLess(time.monotonic(), until, "nothing was saved")
                time.sleep(0.05)
        finally:
            process.kill()
            process.wait()
        self.assertEqual(run("run", saved[0], "--engine", FAULT).returncode, 1)

    def test_is_shown_with_the_layouts_that_the_case_names(self):
        report = os.path.join(self.folder, "r.jsonl")
        self.fuzz("--api", "torch.gather", "--engine", "faulty:index-strides-ignored", "--cases", "4000", "--report", f"jsonl={report}")
        failed = [r for r in stream(report) if r.get("disposition") == "unexpected"]
        # An open call that is answered differently in another layout needs that one too: it is not shrunk.
        self.assertIn("inconsistent/layout", [r["diagnosis"] for r in failed])
        shrunk = [r for r in failed if r["diagnosis"] != "inconsistent/layout"]
        self.assertTrue(shrunk)
        for one in shrunk:
            with open(shlex.split(one["reproduce"])[2], encoding="utf-8") as file:
                ((name, strides),) = re.findall(r"layout: (\w+)|strides: (\[[^]]*\])", file.read())
            layout = name or f"strides {strides}"
            self.assertRegex(one["explanation"], rf"the smallest call that shows it: .* \(index: {re.escape(layout)}")

    def test_violates_relations(self):
        result = self.fuzz("--api", "torch.gather", "--relations", "--engine", "faulty:index-strides-ignored", "--cases", "600")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("torch.gather/relation/", result.stdout)


class WhereItSaves(Fixture):
    CALLS = ("fuzz", "--api", "torch.gather", "--engine", FAULT, "--cases", "300", "--shrink-time", "100ms")

    def test_is_the_working_directory(self):
        shipped = os.path.join(SOURCE, "cases", "regressions")
        before = os.path.exists(shipped)
        result = run(*self.CALLS, cwd=self.folder)
        self.assertEqual(result.returncode, 1, result.stderr)
        saved = glob.glob(os.path.join(self.folder, "scatterproof-findings", "torch.gather", "*.yaml"))
        self.assertTrue(saved)
        self.assertRegex(result.stderr, rf"(?m)^{len(saved)} failing calls? (is|are) saved in scatterproof-findings$")
        self.assertEqual(os.path.exists(shipped), before)
        # `run` has none of them unless they are named; the next `fuzz` begins with them.
        self.assertNotIn("/found/", run("list", cwd=self.folder).stdout)
        self.assertEqual(run("list", "scatterproof-findings", cwd=self.folder).stdout.count("/found/"), len(saved))
        again = os.path.join(self.folder, "again.jsonl")
        run(*self.CALLS, "--report", f"jsonl={again}", cwd=self.folder)
        self.assertEqual(len([line for line in stream(again)[1:-1] if "/found/" in line["id"]]), len(saved))

    def test_shipped_calls_run_too_and_none_twice(self):
        data = os.path.join(self.folder, "data")
        os.mkdir(data)
        for name in os.listdir(SOURCE):
            if name not in ("cases", "build", ".git"):
                os.symlink(os.path.join(SOURCE, name), os.path.join(data, name))
        run(*self.CALLS, cwd=self.folder)
        own = os.path.join(self.folder, "scatterproof-findings")
        shutil.copytree(own, os.path.join(data, "cases", "regressions"))
        (one, *_) = glob.glob(os.path.join(own, "torch.gather", "*.yaml"))
        os.remove(one)
        jsonl = os.path.join(self.folder, "r.jsonl")
        result = run(*self.CALLS, "--report", f"jsonl={jsonl}", cwd=self.folder, env={"SCATTERPROOF_DATA": data})
        self.assertEqual(result.returncode, 1, result.stderr)
        found = [line["id"] for line in stream(jsonl)[1:-1] if "/found/" in line["id"]]
        self.assertEqual(len(found), len(set(found)))
        self.assertIn(f"torch.gather/found/{os.path.basename(one)[:-5]}", found)


class LessOfIt(Fixture):
    def records(self, *args):
        report = os.path.join(self.folder, "r.jsonl")
        result = self.fuzz("--api", "torch.gather", "--engine", FAULT, "--report", f"jsonl={report}", *args)
        return result, [line for line in stream(report)[1:-1] if "/fuzz/" in line["id"]]

    def test_x_stops_at_the_first_new_failure(self):
        result, records = self.records("--cases", "100000", "-x", "-j", "1", "--shrink-time", "100ms")
        self.assertEqual(result.returncode, 1, result.stderr)
        (failed,) = [one for one in records if one["disposition"] == "unexpected"]
        self.assertNotIn("count", failed)
        self.assertLess(ending(result)[0], 5000)
        self.assertIn("fewer calls than asked for: it stopped at the first new failure (-x)", result.stderr)

    def test_a_failure_has_its_number(self):
        _, records = self.records("--cases", "300", "--shrink-time", "1ms")
        numbers = [one["number"] for one in records if one["disposition"] == "unexpected"]
        self.assertTrue(numbers)
        self.assertTrue(all(number < 300 for number in numbers))
        _, (failed, *_) = self.records("--cases", str(min(numbers) + 1), "--shrink-time", "1ms", "--save", os.path.join(self.folder, "other"))
        self.assertIn(min(numbers), [one.get("number") for one in records])

    def test_time_is_the_whole_with_what_shrinking_takes(self):
        """A slow kernel that is wrong in many ways: each kind of failure would be shrunk for ten seconds."""
        worker = os.path.join(self.folder, "worker.py")
        with open(worker, "w", encoding="utf-8") as file:
            file.write(SLOW_AND_WRONG)
        start = time.monotonic()
        result = self.fuzz("--api", "numpy.*", "--engine", f"cmd:{shlex.quote(worker_python())} {shlex.quote(worker)}", "--time", "6s", "-j", "1")
        gone = time.monotonic() - start
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertGreater(result.stdout.count("diagnosis:"), 3, result.stdout)
        self.assertLess(gone, 6 + 20, "with what starting takes, and the last call of each")

    def test_shrink_time_is_a_limit(self):
        result, records = self.records("--cases", "300", "--shrink-time", "1ms")
        self.assertIn("the smallest found call that shows it", "".join(one["explanation"] for one in records))

    def test_without_baselines(self):
        baseline = os.path.join(self.folder, "b.yaml")
        with open(baseline, "w", encoding="utf-8") as file:
            file.write("baseline:\n  - {case: 'torch.gather/*', engine: 'faulty:*', verdict: mismatch, reason: known, since: 2026-01-01}\n")
        _, records = self.records("--cases", "300", "--valid", "--baseline", baseline)
        self.assertEqual({one["disposition"] for one in records if one["verdict"] == "mismatch"}, {"known"})
        result = self.fuzz("--api", "torch.gather", "--cases", "5", "--baseline", baseline, "--no-baseline")
        self.assertEqual(result.returncode, 4)
        self.assertIn("cannot be used together", result.stderr)

    def test_no_engine_offers_it(self):
        result = self.fuzz("--api", "torch.gather", "--engine", "numpy", "--cases", "5")
        self.assertEqual(result.returncode, 5, result.stdout + result.stderr)
        self.assertIn("nothing ran: no selected engine offers the chosen APIs", result.stderr)
        self.assertNotIn("no call was found", result.stderr + result.stdout)  # none was looked for
        timed = self.fuzz("--api", "torch.gather", "--engine", "numpy", "--time", "5s")
        self.assertIn("nothing ran: no selected engine offers the chosen APIs", timed.stderr)

    def test_it_names_an_api_that_no_engine_offers(self):
        for verb in (("fuzz", "--cases", "5"), ("run",)):
            result = run(*verb, "--api", "torch.gather", "--api", "numpy.take_along_axis", "--engine", "numpy")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("note: no selected engine offers torch.gather\n", result.stderr)


class CtrlC(Fixture):
    """Findings are shown at once: each kind unshrunk, with a command that runs the saved call."""

    def interrupted(self, ready, *args):
        """The failures reported by a run that is interrupted as soon as `ready` holds for its stream."""
        report = os.path.join(self.folder, "r.jsonl")
        process = subprocess.Popen([PROGRAM, "fuzz", "--save", self.found, "--api", "torch.*", "--engine", FAULT, "--report", f"jsonl={report}", *args],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            until = time.monotonic() + 600  # on a busy machine
            while not ready(report):
                self.assertIsNone(process.poll(), "it ended by itself")
                self.assertLess(time.monotonic(), until)
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(60), 2)
        finally:
            process.kill()
            process.wait()
        lines = stream(report)
        self.assertTrue(lines[-1]["interrupted"])
        failed = [line for line in lines[1:-1] if line["disposition"] == "unexpected"]
        self.assertGreater(len(failed), 10)
        unsaved = [one for one in failed if "more than 100000 values in one file" in one["reproduce"]]
        self.assertLess(len(unsaved), len(failed) / 4)
        for one in failed:
            self.assertTrue(one in unsaved or os.path.isfile(shlex.split(one["reproduce"])[2]), one)
        return failed

    def test_nothing_is_shrunk_any_more(self):
        failed = self.interrupted(lambda _: len(glob.glob(os.path.join(self.found, "*", "*.yaml"))) > 20, "--time", "5m")
        self.assertEqual([one for one in failed if "the smallest" in one["explanation"]], [])
        again = subprocess.run(shlex.split(failed[0]["reproduce"]), text=True, capture_output=True, timeout=300)
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)

    def test_nor_while_failures_are_shrunk(self):
        def shrinking(report):
            if not os.path.exists(report):
                return False
            with open(report, encoding="utf-8") as file:
                return "the smallest call that shows it" in file.read()

        failed = self.interrupted(shrinking, "--cases", "3000")
        self.assertGreater(len([one for one in failed if "the smallest" not in one["explanation"]]), 10)

    def test_ends_the_start(self):
        for after in (0.3, 1, 2):
            process = subprocess.Popen([PROGRAM, "fuzz", "--save", self.found, "--all", "--engine", "openmp", "--time", "1m"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **small_data.EVERYTHING})
            try:
                time.sleep(after)
                process.send_signal(signal.SIGINT)
                self.assertEqual(process.wait(2), 2)
            finally:
                process.kill()
                process.wait()

    def test_ends_a_call_that_hangs(self):
        process = self.hanging("--timeout", "60")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(10), 2)

    def test_time_ends_a_call_that_hangs(self):
        began = time.monotonic()
        process = self.hanging("--timeout", "60", "--time", "6s")
        _, err = process.communicate(timeout=30)
        self.assertIn("nothing ran: time ran out before", err)
        self.assertEqual(process.returncode, 5, err)
        self.assertGreater(time.monotonic() - began, 6)

    def hanging(self, *options):
        """A run whose engine has been asked and does not answer for a minute."""
        script, asked = os.path.join(self.folder, "hangs.py"), os.path.join(self.folder, "asked")
        with open(script, "w", encoding="utf-8") as file:
            file.write("import time\nfrom scatterproof_worker import Worker\n"
                       "worker = Worker(name='hangs', version='1', device='cpu', dtypes=['f32', 'i32', 'i64'])\n"
                       "@worker.call('torch.gather')\ndef gather(input, dim, index):\n"
                       f"    open({asked!r}, 'w').close()\n    time.sleep(60)\nworker.serve()\n")
        process = subprocess.Popen([PROGRAM, "fuzz", "--save", self.found, "--api", "torch.gather", "-j", "1", *options,
                                    "--engine", f"cmd:'{worker_python()}' '{script}'"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for ends in (process.stderr.close, process.wait, process.kill):  # the last one first
            self.addCleanup(ends)
        until = time.monotonic() + 60
        while not os.path.exists(asked):
            self.assertIsNone(process.poll(), "it ended by itself")
            self.assertLess(time.monotonic(), until)
            time.sleep(0.02)
        return process


HANGS = """
import time
from scatterproof_worker import Worker
worker = Worker(name="hangs", version="1", device="cpu", dtypes=["f32", "i32", "i64"])
@worker.call("torch.gather")
def gather(input, dim, index):
    time.sleep(60)
worker.serve()
"""
SLOW = """
import numpy, time
from scatterproof_worker import Worker
worker = Worker(name="slow", version="1", device="cpu", dtypes=["f32", "i32", "i64"])
def answer(*given, **more):
    time.sleep(SECONDS)
    return numpy.zeros((1,), "f4")
for api in ("torch.gather", "torch.take", "torch.index_select", "torch.scatter", "torch.Tensor.scatter_", "torch.take_along_dim"):
    worker.call(api)(answer)
worker.serve()
"""


class LittleTime(Fixture):
    def worker(self, text):
        script = os.path.join(self.folder, "worker.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write(text)
        return f"cmd:{shlex.quote(worker_python())} {shlex.quote(script)}"

    def test_a_slow_engine_reaches_every_api(self):
        jsonl = os.path.join(self.folder, "r.jsonl")
        result = self.fuzz("--engine", self.worker(SLOW.replace("SECONDS", "0.05")), "--time", "6s", "-j", "1", "--shrink-time", "1ms",
                           "--report", f"jsonl={jsonl}")
        self.assertEqual(result.returncode, 1, result.stderr)
        records = [one for one in stream(jsonl)[1:-1] if one["verdict"] != "unsupported"]
        self.assertEqual(len({one["api"] for one in records}), 6, result.stdout)
        self.assertNotIn("unreached", stream(jsonl)[-1])

    def test_apis_that_were_not_reached_are_named(self):
        jsonl = os.path.join(self.folder, "r.jsonl")
        args = ("--engine", self.worker(SLOW.replace("SECONDS", "3")), "--time", "5s", "-j", "1", "--shrink-time", "1ms", "--timeout", "60",
                "--report", f"jsonl={jsonl}", "--report", "console=-")
        result = self.fuzz(*args)
        left = stream(jsonl)[-1]["unreached"]
        self.assertGreater(len(left), 2)
        self.assertIn(f"{len(left)} of the chosen APIs had no call: {left[0]}, {left[1]}", " ".join(result.stdout.split()))

    def test_hanging_calls_are_skipped_after_three(self):
        jsonl = os.path.join(self.folder, "r.jsonl")
        began = time.monotonic()
        result = self.fuzz("--api", "torch.gather", "--valid", "--engine", self.worker(HANGS), "--cases", "200", "-j", "1", "--timeout", "300ms",
                           "--shrink-time", "1ms", "--report", f"jsonl={jsonl}", "--report", "console=-")
        self.assertLess(time.monotonic() - began, 40, "two hundred time-outs take a minute")
        self.assertEqual(result.returncode, 1, result.stderr)
        _, *records, end = stream(jsonl)
        (skipped,) = end["skipped"]
        self.assertEqual((skipped["api"], {one["verdict"] for one in records} - {"unsupported"}), ("torch.gather", {"timeout"}))
        self.assertEqual(sum(one.get("count", 1) for one in records) + skipped["calls"], ending(result)[0])
        self.assertIn(f"skipped after 3 time-outs: {skipped['calls']} calls of torch.gather on hangs", " ".join(result.stdout.split()))


class Numbers(Fixture):
    CALLS = ("--api", "torch.*gather*", "--api", "torch.scatter*", "--engine", "reference", "--cases", "3000", "--seed", "9")

    def test_jobs_change_nothing_and_shards_make_up_the_whole(self):
        one, two = self.fuzz(*self.CALLS, "-j", "1"), self.fuzz(*self.CALLS, "-j", "2")
        self.assertEqual(ending(one), ending(two))
        self.assertEqual(one.stdout, two.stdout)
        self.assertNotEqual(ending(one), ending(self.fuzz(*self.CALLS[:-1], "10")))
        whole = ending(one)
        parts = [ending(self.fuzz(*self.CALLS, "--shard", f"{i}/3")) for i in (1, 2, 3)]
        self.assertEqual(whole[0], sum(part[0] for part in parts))
        self.assertEqual(whole[2], sum(part[2] for part in parts) % 2**64)

    def test_one_side_one_rule_one_case(self):
        report = os.path.join(self.folder, "r.jsonl")
        for flags, ids in ((("--valid",), {"torch.gather/fuzz/valid"}),
                           (("--rule", "dim-range"), {"torch.gather/fuzz/dim-range"})):
            self.fuzz("--api", "torch.gather", "--engine", "reference", "--cases", "300", *flags, "--report", f"jsonl={report}")
            self.assertEqual({r["id"] for r in stream(report)[1:-1]}, ids)
        result = self.fuzz("--from", "torch.gather/doc/example", "--engine", "reference", "--cases", "300", "--statistics")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"rank\(input\) +2 100%")
        self.assertRegex(result.stdout, r"\d+ of \d+ pairs of values reached")


class Mistakes(Fixture):
    def check(self, args, *expected):
        result = self.fuzz(*args)
        self.assertEqual(result.returncode, 4, result.stdout + result.stderr)
        for words in expected:
            self.assertIn(words, result.stderr)

    def test_each_has_a_hint(self):
        self.check((), "no API was chosen", "--all")
        self.check(("--api", "torch.gathre"), "no API matches", "did you mean 'torch.gather'?")
        self.check(("--api", "torch.gather", "--rule", "nonsense"), "no chosen API has a rule 'nonsense'")
        self.check(("--all", "--time", "soon"), "invalid duration 'soon' for --time: use a number and a unit, such as 60s, 5m or 1h")
        self.check(("--all", "--shard", "3/2"), "3/2")
        self.check(("--from", "torch.gather/doc/*"), "cases", "--from takes")
        self.check(("--all", "--engine", "faulty:none-such"), "none-such")
        for other in (("--api", "torch.gather"), ("--all",)):
            self.check(("--from", "torch.gather/doc/example", *other), "cannot be used together with", "--from", other[0])


if __name__ == "__main__":
    unittest.main()
