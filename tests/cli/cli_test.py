# SPDX-License-Identifier: Apache-2.0
"""The command line as a user meets it: flags, files, exit codes, interruption, reports."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree

from program import PROGRAM, SOURCE, run, stream, worker_python


class Fixture(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="scatter proof ")  # with a space, as users have them
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as out:
            out.write(text)
        return self.path(name)

    def copy_of(self, *parts):
        """A copy of a shipped file, to be changed."""
        target = self.path(parts[-1])
        shutil.copy(os.path.join(SOURCE, *parts), target)
        return target

    def change(self, path, old, new):
        with open(path, encoding="utf-8") as source:
            text = source.read()
        self.assertIn(old, text)
        with open(path, "w", encoding="utf-8") as target:
            target.write(text.replace(old, new, 1))


class TheMainJob(Fixture):
    def test_every_shipped_case_passes_on_the_reference(self):
        result = run("run", "--engine", "reference", "--engine", "formula", "--report", f"jsonl={self.path('r.jsonl')}")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        header, *records, end = stream(self.path("r.jsonl"))
        self.assertEqual(end["records"], len(records))
        self.assertGreater(len(records), 300)
        self.assertEqual({r["disposition"] for r in records}, {"as_expected"})
        # What the reference offers it must be able to do.
        self.assertEqual([r["id"] for r in records if r["verdict"] == "unsupported"], [])

    def test_every_spec_is_covered_and_proved(self):
        self.assertEqual(run("spec", "coverage").returncode, 0)
        lint = run("spec", "lint")
        self.assertEqual(lint.returncode, 0, lint.stdout + lint.stderr)


class AChangedDigit(Fixture):
    def test_of_an_expected_value_fails_with_an_explanation(self):
        cases = self.copy_of("cases", "torch.Tensor.scatter_", "doc.yaml")
        self.change(cases, "[1, 0, 0, 4, 0]", "[1, 0, 0, 5, 0]")
        result = run("run", cases, "--engine", "reference")
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("the case prints other numbers", result.stdout)
        self.assertIn("out[0,3]", result.stdout)
        self.assertIn("reproduce:", result.stdout)

    def test_of_a_formula_fails_with_the_smallest_witness(self):
        ops = self.path("ops")
        shutil.copytree(os.path.join(SOURCE, "spec", "ops", "torch"), ops)
        self.change(os.path.join(ops, "torch.gather.yaml"), "out[i][j][k] = input[i][index[i][j][k]][k]",
                    "out[i][j][k] = input[j][index[i][j][k]][k]")
        result = run("run", "torch.gather/formula/*", "--specs", ops, "--engine", "formula",
                     os.path.join(SOURCE, "cases", "torch.gather"))
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("the printed formula is not what the meaning says", result.stdout)

    def test_of_the_meaning_fails_and_reproduces(self):
        ops = self.path("one spec")
        os.mkdir(ops)
        path = shutil.copy(os.path.join(SOURCE, "spec", "ops", "torch", "torch.Tensor.scatter_add_.yaml"), ops)
        self.change(path, "combine: sum", "combine: amax")
        result = run("run", "--specs", ops, "--engine", "reference")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        line = re.search(r"reproduce: (.*)", result.stdout).group(1)
        again = subprocess.run(["sh", "-c", line], text=True, capture_output=True)
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)


class Mistakes(Fixture):
    def assert_usage(self, result, *words):
        self.assertEqual(result.returncode, 4, result.stdout + result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    def test_wrong_flag(self):
        self.assertEqual(run("run", "--engin", "reference").returncode, 4)
        self.assertEqual(run().returncode, 4)
        self.assertEqual(run("fly").returncode, 4)

    def test_a_slip_in_the_verb_has_a_suggestion(self):
        self.assert_usage(run("runn"), "there is no command 'runn'", "did you mean 'run'")

    def test_numbers_out_of_range(self):
        for flags in (("-j", "0"), ("--timeout", "0"), ("--seed", "-1")):
            self.assertEqual(run("run", "torch.gather/doc/*", "--engine", "reference", *flags).returncode, 4, flags)

    def test_an_id_twice(self):
        path = self.copy_of("cases", "torch.gather", "doc.yaml")
        self.assert_usage(run("run", path, os.path.join(SOURCE, "cases", "torch.gather")), "is taken")

    def test_two_reports_in_one_place(self):
        self.assert_usage(run("run", "torch.gather/doc/*", "--report", "console=-", "--report", "jsonl=-"), "two reports")

    def test_a_mislabelled_rule_case(self):
        path = self.write("lie.yaml", "api: torch.gather\ncases:\n  - rule: index-in-range\n    side: obeys\n    why: it does not\n"
                                      "    call: {input: {dtype: i64, values: [1]}, dim: 0, index: {dtype: i64, values: [5]}}\n")
        result = run("run", path, "--engine", "reference")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("is a case that obeys rule index-in-range", " ".join(result.stdout.split()))

    def test_unknown_id_has_a_suggestion(self):
        self.assert_usage(run("run", "torch.gather/doc/exmaple-5"), "did you mean 'torch.gather/doc/")

    def test_unknown_engine(self):
        self.assert_usage(run("run", "torch.gather/*", "--engine", "refernce"), "did you mean 'reference'")

    def test_unknown_report_and_unwritable_path(self):
        wrong = self.path("x")
        self.assert_usage(run("run", "torch.gather/doc/*", "--engine", "reference", "--report", f"html={wrong}"), "html", "junit")
        self.assertFalse(os.path.exists(wrong))
        self.assert_usage(run("run", "torch.gather/doc/*", "--engine", "reference", "--report", "junit=/no/such/folder/x"))

    def test_bad_shard_expression_and_timeout(self):
        self.assert_usage(run("list", "--shard", "9/8"), "I/N")
        self.assert_usage(run("list", "-k", "and and"), "-k")
        self.assertEqual(run("run", "--timeout", "-1").returncode, 4)

    def test_every_error_of_a_file_at_once_with_its_place(self):
        path = self.write("bad.yaml", "api: torch.gather\ncases:\n  - id: a\n    why: x\n    cal: {}\n  - id: b\n    why: 3\n")
        result = run("run", path)
        self.assert_usage(result, f"{path}:5:5: error: ", "did you mean 'call'", f"{path}:7:")
        self.assertEqual(result.stdout, "")

    def test_a_call_that_its_spec_does_not_know(self):
        path = self.write("bad.yaml", "api: torch.gather\ncases:\n  - id: a\n    why: x\n    call:\n      inputt: {dtype: i64, values: [1]}\n"
                                      "      dim: 0\n      index: {dtype: i64, values: [0]}\n")
        self.assert_usage(run("run", path), f"{path}:6:7: error: ", "did you mean 'input'")

    def test_missing_file(self):
        self.assert_usage(run("run", self.path("none.yaml")), "none.yaml")

    def test_a_deviation_that_is_none(self):
        path = self.write("b.yaml", "baseline:\n  - {case: x, engine: y, verdict: pass, reason: z, since: 2026-01-01}\n")
        self.assert_usage(run("run", "--baseline", path, "--engine", "reference"), f"{path}:2:")

    def test_nothing_selected(self):
        self.assertEqual(run("run", "-k", "no_such_word", "--engine", "reference").returncode, 5)

    def test_engine_that_is_not_there(self):
        result = run("run", "torch.gather/doc/*", "--engine", "cmd:./no-such-worker")
        self.assertEqual(result.returncode, 7, result.stderr)
        self.assertIn("no-such-worker", result.stderr)


class Selecting(Fixture):
    def test_shards_partition_the_ids(self):
        everything = run("list").stdout.split()
        parts = [run("list", "--shard", f"{i}/3").stdout.split() for i in (1, 2, 3)]
        self.assertEqual(sorted(sum(parts, [])), sorted(everything))
        self.assertEqual(len(set(everything)), len(everything))

    def test_globs_and_expressions(self):
        ids = run("list", "torch.gather/*", "-k", "rule and breaks").stdout.split()
        self.assertTrue(ids)
        for one in ids:
            self.assertRegex(one, r"^torch\.gather/rule/.*breaks")

    def test_show_says_what_is_allowed(self):
        result = run("show", "torch.Tensor.scatter_/doc/example-1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("out[0,3]: src[0,3] = 4", result.stdout)

    def test_show_gives_a_script_that_needs_nothing_of_ours(self):
        result = run("show", "numpy.put_along_axis/doc/*", "--snippet", "numpy")
        self.assertEqual(result.returncode, 0, result.stderr)
        alone = subprocess.run([worker_python(), "-I", "-c", result.stdout], text=True, capture_output=True, timeout=60)
        self.assertEqual(alone.returncode, 0, alone.stderr)
        came = re.findall(r"^# came: produced \S+ (.*)$", result.stdout, re.M)
        self.assertGreater(len(came), 0)
        self.assertEqual("".join(alone.stdout.split()), "".join("".join(came).replace(",", "").split()))
        for engine, api in (("reference", "torch.gather"), ("numpy", "torch.gather")):
            refused = run("show", f"{api}/doc/example", "--snippet", engine)
            self.assertEqual(refused.returncode, 4)
            self.assertIn("error: ", refused.stderr)


class Reports(Fixture):
    def test_a_stream_renders_again_as_it_was(self):
        jsonl, junit, again = self.path("r.jsonl"), self.path("r.xml"), self.path("again.xml")
        first = run("run", "torch.gather/*", "--engine", "reference", "--report", f"jsonl={jsonl}", "--report", f"junit={junit}",
                    "--report", "console=-")
        second = run("report", jsonl, "--report", f"junit={again}", "--report", "console=-")
        self.assertEqual(first.returncode, second.returncode)
        self.assertEqual(first.stdout, second.stdout)
        with open(junit, encoding="utf-8") as a, open(again, encoding="utf-8") as b:
            self.assertEqual(a.read(), b.read())
        self.assertTrue(xml.etree.ElementTree.parse(junit).getroot().tag.startswith("testsuite"))

    def test_a_cut_stream_is_recognised(self):
        jsonl = self.path("r.jsonl")
        run("run", "torch.gather/*", "--engine", "reference", "--report", f"jsonl={jsonl}")
        with open(jsonl, "rb+") as file:
            file.truncate(os.path.getsize(jsonl) - 40)
        self.assertEqual(run("report", jsonl).returncode, 2)

    def test_no_colour_unless_wanted(self):
        args = ("run", "torch.gather/doc/*", "--engine", "reference")
        self.assertNotIn("\x1b[", run(*args).stdout)
        environment = {"NO_COLOR": "", "CLICOLOR_FORCE": "1"}
        self.assertIn("\x1b[", run(*args, env=environment).stdout)

    def test_the_reproduce_line_works(self):
        cases = self.copy_of("cases", "torch.Tensor.scatter_", "doc.yaml")
        self.change(cases, "[1, 0, 0, 4, 0]", "[1, 0, 0, 5, 0]")
        failing = run("run", cases, "--engine", "reference")
        line = re.search(r"reproduce: (.*)", failing.stdout).group(1)
        again = subprocess.run(["sh", "-c", line], text=True, capture_output=True, env={**os.environ, "NO_COLOR": "1"})
        self.assertEqual(again.returncode, 1, again.stderr)
        self.assertIn(shlex.split(line)[3], again.stdout)

    def test_version_names_the_libraries(self):
        result = run("--version")
        self.assertEqual(result.returncode, 0)
        for word in ("scatterproof 0.", "yaml-cpp", "pegtl", "g++"):
            self.assertIn(word, result.stdout)


class Interruption(Fixture):
    def test_before_anything_ran(self):
        self.write("late.py", "import time\ntime.sleep(30)\n")
        process = subprocess.Popen([PROGRAM, "run", "--engine", f"cmd:'{worker_python()}' '{self.path('late.py')}'"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 2, out + err)

    def test_ctrl_c_leaves_a_stream_one_can_go_on_from(self):
        jsonl, slow = self.path("r.jsonl"), self.path("slow.py")
        self.write("slow.py", SLOW_WORKER)
        command = [PROGRAM, "run", "torch.gather/*", "--engine", f"cmd:'{worker_python()}' '{slow}'", "--report", f"jsonl={jsonl}"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not os.path.exists(slow + ".running"):
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 2, out + err)
        _, *first, end = stream(jsonl)
        self.assertTrue(end["interrupted"])
        resumed = subprocess.run(["sh", "-c", end["resume"]], text=True, capture_output=True, timeout=300)
        _, *records, end = stream(jsonl)
        self.assertFalse(end["interrupted"], resumed.stderr)
        ids = [r["id"] for r in records]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertEqual(len(ids), len([i for i in run("list", "torch.gather/*").stdout.split() if "/formula/" not in i]))
        self.assertLess(len(first), len(ids))


SLOW_WORKER = f"""
import sys, time
sys.path.insert(0, {os.path.join(SOURCE, 'engines', 'workers', 'python')!r})
from scatterproof_worker import Worker, Unsupported
worker = Worker(name="slow", version="1", device="cpu", dtypes=["i64"])
@worker.call("torch.gather")
def gather(input, dim, index):
    open(__file__ + ".running", "w").close()
    time.sleep(0.1)
    raise Unsupported("only slow")
worker.serve()
"""

if __name__ == "__main__":
    unittest.main()
