# SPDX-License-Identifier: Apache-2.0
"""The command line as a user meets it: flags, files, exit codes, interruption, reports."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree

import small_data
from fixture import Fixture
from program import PROGRAM, SOURCE, run, stream, worker_python

small_data.use("torch/torch.gather", "torch/torch.Tensor.scatter*_", "numpy/numpy.choose", "numpy/numpy.put_along_axis", "onnx/onnx.ScatterND")


class AChangedDigit(Fixture):
    def test_of_an_expected_value_fails_with_an_explanation(self):
        cases = self.copy_of("cases", "torch", "torch.Tensor.scatter_", "doc.yaml")
        self.change(cases, "[1, 0, 0, 4, 0]", "[1, 0, 0, 5, 0]")
        result = run("run", cases, "--engine", "reference")
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("the result follows the formula, but not the printed values", result.stdout)
        self.assertIn("out[0,3]", result.stdout)
        self.assertIn("FAILED torch.Tensor.scatter_/doc/example-1 on case: disputed", result.stdout)
        self.assertIn("reproduce:", result.stdout)

    def test_of_a_formula_fails_with_the_smallest_witness(self):
        ops = self.path("ops")
        shutil.copytree(os.path.join(SOURCE, "spec", "data", "ops", "torch"), ops)
        self.change(os.path.join(ops, "torch.gather.yaml"), "out[i][j][k] = input[i][index[i][j][k]][k]",
                    "out[i][j][k] = input[j][index[i][j][k]][k]")
        result = run("run", "torch.gather/formula/*", "--specs", ops, "--engine", "formula",
                     os.path.join(SOURCE, "cases", "torch", "torch.gather"))
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("the printed formula disagrees with the meaning", result.stdout)

    def test_of_the_meaning_fails_and_reproduces(self):
        ops = self.path("one spec")
        os.mkdir(ops)
        path = shutil.copy(os.path.join(SOURCE, "spec", "data", "ops", "torch", "torch.Tensor.scatter_add_.yaml"), ops)
        self.change(path, "combine: sum", "combine: amax")
        result = run("run", "--specs", ops, "--engine", "reference")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        line = re.search(r"reproduce: (.*)", result.stdout).group(1)
        again = subprocess.run(["sh", "-c", line], text=True, capture_output=True)
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)


class Selecting(Fixture):
    def test_shards_partition_the_ids(self):
        everything = run("list", env=small_data.EVERYTHING).stdout.split()
        parts = [run("list", "--shard", f"{i}/3", env=small_data.EVERYTHING).stdout.split() for i in (1, 2, 3)]
        self.assertEqual(sorted(sum(parts, [])), sorted(everything))
        self.assertEqual(len(set(everything)), len(everything))

    def test_an_api_stands_for_its_cases(self):
        listed = run("list", "torch.gather").stdout
        self.assertGreater(listed.count("\n"), 10)
        self.assertEqual(listed, run("list", "torch.gather/*").stdout)
        variant = run("list", "torch.scatter_add").stdout.split()
        self.assertGreater(len(variant), 10)
        self.assertEqual([one for one in variant if not one.startswith("torch.scatter_add/")], [])

    def test_cases_of_an_api(self):
        gather = run("list", "torch.gather").stdout
        for words in (("--api", "torch.gather"), ("--api", "torch.gath??"), ("--api", "torch.gather", "torch.*")):
            self.assertEqual(run("list", *words).stdout, gather, words)
        both = run("list", "--api", "torch.gather", "--api", "numpy.choose").stdout
        self.assertEqual(sorted(both.split()), sorted((gather + run("list", "numpy.choose").stdout).split()))
        done = run("run", "--api", "torch.gather", "-k", "doc", "-e", "reference", "--report", f"jsonl={self.path('r.jsonl')}")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({record["api"] for record in stream(self.path("r.jsonl"))[1:-1]}, {"torch.gather"})

    def test_the_list_of_engines_has_no_line_that_a_terminal_cuts(self):
        for width in (80, 120):
            lines = run("engines", "list", "numpy", env={"COLUMNS": str(width), **small_data.EVERYTHING}).stdout.splitlines()
            self.assertLessEqual(max(map(len, lines)), width)
            self.assertGreater(sum(line.startswith("        ") for line in lines), 1, lines)

    def test_engines_by_name(self):
        for name in ("openmp", "openmp*"):
            listed = run("engines", "list", name)
            self.assertEqual(listed.returncode, 0, listed.stderr)
            self.assertTrue(listed.stdout.startswith("openmp "), listed.stdout)
            self.assertNotIn("\nreference ", listed.stdout)
            self.assertRegex(listed.stdout, "\n  version .*, device ")
        unnamed = run("engines", "list").stdout
        self.assertRegex(unnamed, "(?m)^openmp .*\n  ready$")
        self.assertNotIn("\n  version ", unnamed, "an engine has started")
        wrong = run("engines", "list", "opnmp")
        self.assertEqual(wrong.returncode, 4)
        self.assertIn("there is no engine 'opnmp'", wrong.stderr)
        self.assertIn("did you mean 'openmp'?", wrong.stderr)

    def test_a_release_stands_for_the_same_with_a_local_label(self):
        engines = self.path("engines")
        for name in ("torch@1.0+mine", "torch@2.0+a", "torch@2.0+b"):
            self.write(os.path.join("engines", name, "bin", "python"), "#!/bin/sh\nexit 9\n")
            os.chmod(os.path.join(engines, name, "bin", "python"), 0o755)
        env = {"SCATTERPROOF_ENGINES": engines}
        for named, said in (("1.0", "the worker ended (exit status 9)"), ("2.0", "torch@2.0 may be any of torch@2.0+b, torch@2.0+a"),
                            ("1", "torch@1 is not installed")):
            self.assertIn(said, run("run", "torch.gather", "-e", "torch@" + named, env=env).stderr)

    def test_a_worker_finds_what_the_users_path_names(self):
        self.write("mine/on_the_path.py", "")
        self.write("worker.py", "import on_the_path\nfrom scatterproof_worker import Worker\nWorker(name='mine', version='1', dtypes=['f32']).serve()\n")
        check = ["engines", "check", f"cmd:{shlex.quote(worker_python())} {shlex.quote(self.path('worker.py'))}"]
        found = run(*check, env={"PYTHONPATH": self.path("mine")})
        self.assertNotIn("No module named", found.stdout + found.stderr)
        self.assertIn("No module named 'on_the_path'", run(*check).stdout + run(*check).stderr)

    def test_globs_and_expressions(self):
        ids = run("list", "torch.gather/*", "-k", "rule and breaks").stdout.split()
        self.assertTrue(ids)
        for one in ids:
            self.assertRegex(one, r"^torch\.gather/rule/.*breaks")

    def test_the_cases_that_an_engine_offers(self):
        every, offered = (run("list", "numpy.choose/*", *options).stdout.split() for options in ([], ["--engine", "numpy"]))
        # Its dtype is one that numpy does not have.
        self.assertEqual(set(every) - set(offered), {"numpy.choose/rule/T/breaks"})
        nothing = run("list", "numpy.choose/*", "--engine", "reference")
        self.assertEqual((nothing.returncode, nothing.stdout), (5, ""))
        self.assertIn("error: reference offers none of the selected cases", nothing.stderr)
        self.assertEqual(run("list", "--engine", "nummpy").returncode, 4)
        self.assertEqual(run("list", "--engine", "cmd:false").returncode, 7)

    def test_a_run_of_unsupported_calls_is_none(self):
        result = run("run", "numpy.choose/rule/T/breaks", "--engine", "numpy")
        self.assertEqual(result.returncode, 5, result.stderr)
        self.assertIn("Summary: every call is unsupported, 0 calls judged; not judged: 1 unsupported", result.stdout)
        self.assertIn("error: nothing ran: no selected engine offers the selected cases", result.stderr)

    def test_show_says_what_is_allowed(self):
        result = run("show", "torch.Tensor.scatter_/doc/example-1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("out[0,3]: src[0,3] = 4", result.stdout)

    def test_show_gives_a_script_that_needs_nothing_of_ours(self):
        result = run("show", "numpy.put_along_axis/doc/*", "--snippet", "numpy")
        self.assertEqual(result.returncode, 0, result.stderr)
        alone = subprocess.run([worker_python(), "-I", "-c", result.stdout], text=True, capture_output=True, timeout=60)
        self.assertEqual(alone.returncode, 0, alone.stderr)
        came = re.findall(r"^# got: produced \S+ (.*)$", result.stdout, re.M)
        self.assertGreater(len(came), 0)
        self.assertEqual("".join(alone.stdout.split()), "".join("".join(came).replace(",", "").split()))
        for engine, cases in (("reference", "torch.gather/doc/example"), ("numpy", "torch.Tensor.scatter_reduce_/doc/*")):
            refused = run("show", cases, "--snippet", engine)
            self.assertEqual(refused.returncode, 4)
            self.assertIn("error: ", refused.stderr)

    def test_show_writes_for_a_framework_that_is_not_installed(self):
        nothing = {"SCATTERPROOF_ENGINES": self.path("none")}

        def code(text):
            return "".join(line for line in text.splitlines(True) if not line.startswith("#"))
        for call in ("numpy.put_along_axis/doc/*", "torch.Tensor.scatter_(self=f32[2] [1.0, 2.0], dim=0, index=i64[1] [1], src=f32[1] [5.0])"):
            executed, written = run("show", call, "--snippet", "numpy"), run("show", call, "--snippet", "numpy", env=nothing)
            self.assertEqual((written.returncode, written.stderr), (0, "note: numpy is not installed, so the script was not executed\n"))
            self.assertIn("# numpy.put_along_axis in numpy, not executed\n", written.stdout)
            self.assertNotIn("# got: ", written.stdout)
            self.assertTrue(code(written.stdout))
            self.assertEqual(code(written.stdout), code(executed.stdout))
        self.assertIn("# stands for: torch.Tensor.scatter_(", written.stdout)
        self.assertRegex(written.stdout, "(?m)^# expected: ")
        for other in (("--snippet", "numpy@1.0.0"), ("--snippet", "torch", "--gradients")):
            self.assertEqual(run("show", "torch.gather/doc/example", *other, env=nothing).returncode, 4)

    def test_show_says_what_the_document_of_a_translated_call_says(self):
        for call, words in (("torch.gather([[1, 2], [3, 4]], 1, [[1, 0], [0, 0]])", []),
                            ("torch.gather([[1, 2], [3, 4]], 1, [[-1, 0]])", ["undefined by its own document: index-in-range: index[0,0] = -1"]),
                            ("numpy.take_along_axis([1, 2], [2], 0)", ["which by its own document fails: index-in-range: indices[0] = 2"])):
            target = "torch" if call.startswith("numpy") else "numpy"
            written = run("show", call, "--snippet", target, env=small_data.EVERYTHING).stdout
            self.assertIn(f"# stands for: {call.partition('(')[0]}(", written)
            self.assertEqual(re.findall(r"(?m)^#   (.* document.* = -?\d)", written), words)


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

    def test_the_reproduce_line_works(self):
        cases = self.copy_of("cases", "torch", "torch.Tensor.scatter_", "doc.yaml")
        self.change(cases, "[1, 0, 0, 4, 0]", "[1, 0, 0, 5, 0]")
        failing = run("run", cases, "--engine", "reference")
        line = re.search(r"reproduce: (.*)", failing.stdout).group(1)
        again = subprocess.run(["sh", "-c", line], text=True, capture_output=True, env={**os.environ, "NO_COLOR": "1"})
        self.assertEqual(again.returncode, 1, again.stderr)
        self.assertIn(shlex.split(line)[3], again.stdout)
        on_path = run("run", cases, "--engine", "reference", env={"PATH": os.path.dirname(PROGRAM) + ":" + os.environ["PATH"]})
        self.assertIn("reproduce: scatterproof run ", on_path.stdout)
        another = self.path("bin")  # another program of that name comes first
        os.mkdir(another)
        os.symlink("/bin/true", os.path.join(another, "scatterproof"))
        hidden = run("run", cases, "--engine", "reference", env={"PATH": ":".join([another, os.path.dirname(PROGRAM), os.environ["PATH"]])})
        self.assertIn(f"reproduce: {shlex.quote(PROGRAM)} run ", hidden.stdout)


class Interruption(Fixture):
    def interrupted_at_the_start(self, *args, number=signal.SIGTERM):
        started = self.path("started")
        self.write("late.py", f"import time\nopen({started!r}, 'w').close()\ntime.sleep(30)\n")
        process = subprocess.Popen([PROGRAM, *args, "--engine", f"cmd:'{worker_python()}' '{self.path('late.py')}'"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not os.path.exists(started):
            time.sleep(0.02)
        process.send_signal(number)
        out, err = process.communicate(timeout=120)
        os.remove(started)
        self.assertEqual(process.returncode, 2, out + err)
        self.assertIn("interrupted before the first verdict\n", err)
        return out

    def test_before_anything_ran(self):
        junit, jsonl = self.path("r.xml"), self.path("r.jsonl")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            for verb in (("run", "torch.gather"), ("fuzz", "--api", "torch.gather")):
                out = self.interrupted_at_the_start(*verb, "--report", f"junit={junit}", "--report", f"jsonl={jsonl}", "--report", "console=-",
                                                    number=number)
                self.assertIn("Summary: interrupted, nothing ran", out)
                self.assertTrue(xml.etree.ElementTree.parse(junit).getroot().tag.startswith("testsuite"))
                header, end = stream(jsonl)
                self.assertEqual((header["engines"], end["interrupted"], end["exit_code"]), ([], True, 2))
                os.remove(junit)
                os.remove(jsonl)

    def test_a_resumed_stream_outlives_it(self):
        jsonl = self.path("r.jsonl")
        run("run", "torch.gather/doc/*", "-e", "reference", "--report", f"jsonl={jsonl}")
        before = stream(jsonl)
        self.interrupted_at_the_start("run", "torch.gather/doc/*", "--resume", jsonl, "--report", f"jsonl={jsonl}")
        self.assertEqual(stream(jsonl), before)

    def test_sigterm_may_come_twice(self):
        jsonl, junit, slow = self.path("r.jsonl"), self.path("r.xml"), self.path("slow.py")
        self.write("slow.py", SLOW_WORKER.replace("time.sleep(", "time.sleep(60 + "))
        command = [PROGRAM, "run", "torch.gather/*", "--engine", f"cmd:'{worker_python()}' '{slow}'", "--timeout", "5m",
                   "--report", f"jsonl={jsonl}", "--report", f"junit={junit}"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not os.path.exists(slow + ".running"):
            time.sleep(0.02)
        for _ in range(20):
            process.send_signal(signal.SIGTERM)
            time.sleep(0.001)
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 2, out + err)
        self.assertTrue(stream(jsonl)[-1]["interrupted"])
        self.assertIn("interrupted before the first verdict\n", err)
        self.assertNotIn("no selected engine", err)
        xml.etree.ElementTree.parse(junit)

    def test_ends_the_judging_of_a_large_call(self):
        self.write("large.yaml", """
api: onnx.ScatterND
cases:
  - id: large
    why: it takes seconds to judge
    call:
      data: {dtype: f32, shape: [2], fill: 0}
      indices: {dtype: i64, shape: [4000000, 1], fill: 0}
      updates: {dtype: f32, shape: [4000000], arange: 0}
      reduction: add
""")
        for number, after in ((signal.SIGINT, 1.5), (signal.SIGTERM, 3)):
            process = subprocess.Popen([PROGRAM, "run", self.path("large.yaml"), "--engine", "reference"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                time.sleep(after)
                process.send_signal(number)
                self.assertIn(process.wait(120), (0, 2))  # 0: it had finished by then
            finally:
                process.kill()
                process.wait()

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


class Resuming(Fixture):
    def test_says_what_is_not_reused(self):
        jsonl = self.path("r.jsonl")
        run("run", "torch.gather/doc/*", "--engine", "reference", "--report", f"jsonl={jsonl}", "--seed", "3")
        calls = len(stream(jsonl)) - 2
        other = run("run", "torch.gather/doc/*", "--engine", "openmp", "--resume", jsonl, "--seed", "3")
        self.assertEqual(other.returncode, 0, other.stderr)
        self.assertIn(f"note: 0 of the {calls} records in {jsonl} are reused", other.stderr)
        self.assertRegex(other.stderr, f"note: not reused: {calls} calls of reference [0-9.]+, which does not take part in this run")
        self.assertNotIn("seed", other.stderr)
        fewer = run("run", "torch.gather/doc/example", "--engine", "reference", "--resume", jsonl)
        self.assertIn(f"note: not reused: {calls - 1} calls of cases that are not selected", fewer.stderr)
        self.assertIn("note: the stream has seed 3, this run 0: ", fewer.stderr)
        same = run("run", "torch.gather/doc/*", "--engine", "reference", "--resume", jsonl, "--seed", "3")
        # A slow run says what it does.
        self.assertRegex(same.stderr, r"\A(reading specs and cases \.\.\.\n)?\Z")

    def test_another_version_of_an_engine_is_another_engine(self):
        jsonl, worker = self.path("r.jsonl"), self.path("slow.py")
        self.write("slow.py", SLOW_WORKER)
        args = ("run", "torch.gather/doc/*", "--engine", f"cmd:'{worker_python()}' '{worker}'")
        run(*args, "--report", f"jsonl={jsonl}")
        self.change(worker, 'version="1"', 'version="2"')
        again = self.path("again.jsonl")
        result = run(*args, "--resume", jsonl, "--report", f"jsonl={again}")
        self.assertIn("note: 0 of the", result.stderr)
        self.assertEqual({line["version"] for line in stream(again)[1:-1]}, {"2"})


class AWorkersName(Fixture):
    def test_is_the_one_it_declares(self):
        worker = self.path("slow.py")
        self.write("slow.py", SLOW_WORKER)
        engine = f"cmd:'{worker_python()}' '{worker}'"
        result = run("run", "torch.gather/doc/*", "--engine", engine, "--report", f"jsonl={self.path('r.jsonl')}", "--report", "console=-")
        self.assertRegex(result.stdout, r"\A +slow\n")
        self.assertIn(f"slow is {engine}", " ".join(result.stdout.split()))
        self.assertEqual({line["engine"] for line in stream(self.path("r.jsonl"))[1:-1]}, {engine})


class Baselines(Fixture):
    def test_can_be_left_out(self):
        cases = self.copy_of("cases", "torch", "torch.Tensor.scatter_", "doc.yaml")
        self.change(cases, "[1, 0, 0, 4, 0]", "[1, 0, 0, 5, 0]")
        case = "torch.Tensor.scatter_/doc/example-1"
        data = self.path("data")
        os.mkdir(data)
        for name in ("spec", "cases"):
            os.symlink(os.path.join(os.environ["SCATTERPROOF_DATA"], name), os.path.join(data, name))
        os.makedirs(os.path.join(data, "engines", "workers", "mine"))
        with open(os.path.join(data, "engines", "workers", "mine", "baseline.yaml"), "w", encoding="utf-8") as file:
            file.write(f"baseline:\n  - {{case: {case}, engine: case, verdict: disputed, reason: changed, since: 2026-01-01}}\n")
        env = {"SCATTERPROOF_DATA": data}
        self.assertEqual(run("run", cases, case, "--engine", "reference", env=env).returncode, 0)
        result = run("run", cases, case, "--engine", "reference", "--no-baseline", env=env)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("--engine reference --no-baseline", result.stdout)


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
