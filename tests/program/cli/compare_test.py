# SPDX-License-Identifier: Apache-2.0
"""`compare` as a user meets it: its output, its exit codes, its error messages."""

import collections
import glob
import json
import os
import re
import shlex
import subprocess
import unittest

import small_data
from fixture import Fixture
from gradient_engine import gradient_engine
from program import SOURCE, run, stream, worker_python

small_data.use("torch/torch.gather", "onnx/onnx.GatherElements", "numpy/numpy.put")

GATHERS = ("compare", "torch.gather", "onnx.GatherElements", "-e", "reference", "--shrink-time", "5s")
KINDS = {"refuses": "refused", "refuses after writing": "refused", "crashes": "crashed"}  # else: produced


def letters_of(path):
    """The letters of a comparison's JSON, by engine."""
    with open(path, encoding="utf-8") as source:
        families = json.load(source)["families"]
    by_engine = collections.defaultdict(list)
    for family in families:
        for cell in family["cells"]:
            by_engine[family["members"][cell["member"]]["engine"]] += cell["does"]
    return by_engine


def difference(does, outcome):
    """A message, if an outcome is not the one that a letter stands for. A letter with `repeated: false`
    stands for an outcome seen once."""
    if not does["repeated"]:
        return None
    if outcome["kind"] in ("timed_out", "garbled"):
        outcome = {**outcome, "kind": "crashed"}
    expected = KINDS.get(does["name"], "produced")
    if outcome["kind"] != expected:
        return f"{outcome['kind']} in place of {expected}"
    if expected == "crashed":
        return None
    before, now = does["outcome"], outcome["classes"][0] if expected == "refused" else outcome.get("values", "another result")
    is_same = before == now if expected == "refused" else does["digest"] == outcome["digest"]
    return None if is_same else f"{now} in place of {before}"


class Compare(Fixture):
    def test_without_frameworks_it_says_what_asks_the_documents(self):
        nothing = {"SCATTERPROOF_ENGINES": self.path("none")}
        refused = run("compare", "torch.gather", "onnx", env=nothing)
        self.assertEqual(refused.returncode, 5, refused.stderr)
        self.assertNotIn("a framework after an API", refused.stderr)
        command = re.search(r"hint: `scatterproof (.*?)`", refused.stderr).group(1)
        self.assertEqual(command, "compare torch.gather onnx --predict")
        self.assertEqual(run(*command.split(), env=nothing).returncode, 0)
        self.assertIn("compare torch.scatter_add jax", run("compare", "torch.gather", env=nothing).stderr)

    def test_two_apis_on_one_engine(self):
        result = run(*GATHERS, "--json", self.path("now.json"), "--markdown", self.path("now.md"), "--save", self.path("calls"))
        self.assertEqual(result.returncode, 0, result.stderr)
        # torch.gather refuses an index below 0, ONNX counts it from the end.
        self.assertRegex(result.stdout, "index/negative: (counts-from-end [|] refuses|refuses [|] counts-from-end)")
        with open(self.path("now.json"), encoding="utf-8") as source:
            data = json.load(source)
        self.assertEqual([one["family"] for one in data["families"]], ["gather_elements"])
        with open(self.path("now.md"), encoding="utf-8") as source:
            page = source.read()
        self.assertIn("Write it portably", page)
        self.assertRegex(page, r"- \[gather_elements\]\(#gather_elements\): 2 members, \d+ differences, \d+ with a portable way to write the call\n\n## gather_el")

        scripts = [answer["snippet"] for one in data["families"][0]["differences"] for side in one["sides"] for answer in side["answers"]
                   if "snippet" in answer]
        self.assertEqual(scripts, [])  # no framework took part
        saved = glob.glob(os.path.join(self.path("calls"), "torch.gather", "*.yaml"))
        self.assertTrue(saved)
        self.assertIn("Summary: as expected, ", run("run", saved[0], "-e", "reference").stdout)

        with self.subTest("the same again is nothing new"):
            self.assertEqual(run(*GATHERS, "--accepted", self.path("now.json")).returncode, 0)
        with self.subTest("what was not there is new"):
            for cell in data["families"][0]["cells"]:
                if cell["class"] == "index/negative":
                    cell["does"] = []
            again = run(*GATHERS, "--accepted", self.write("less.json", json.dumps(data)))
            self.assertEqual(again.returncode, 1)
            self.assertIn("new: gather_elements: index/negative: torch.gather refuses", again.stderr)

    def test_an_api_of_another_family_is_given_the_same_calls(self):
        """As a tuple: each element's own place, but along the axis what index holds."""
        by_axis, by_tuples = "numpy.take_along_axis", "numpy.ndarray.__getitem__.tuple"
        result = run("compare", by_tuples, by_axis, "-e", "numpy", "--json", self.path("now.json"), env=small_data.EVERYTHING)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.path("now.json"), encoding="utf-8") as source:
            (family,) = json.load(source)["families"]
        self.assertEqual(family["family"], "gather_elements")
        does = collections.defaultdict(dict)
        for cell in family["cells"]:
            does[family["members"][cell["member"]]["api"]][cell["class"]] = {one["name"] for one in cell["does"]}
        for of_class, names in {"": {"as defined"}, "index/negative": {"counts-from-end"}, "index/beyond": {"refuses"}}.items():
            self.assertEqual([does[by_axis][of_class], does[by_tuples][of_class]], [names, names], of_class)
        self.assertEqual(does[by_tuples].get("index/other-rank", set()), set())

    def test_names_limit_who_is_asked_about_a_call(self):
        result = run("compare", "numpy", "--check", "torch.scatter_add([0.], 0, [0], [1.])", "-e", "reference", env=small_data.EVERYTHING)
        self.assertEqual(set(re.findall(r"\b(torch|numpy|paddle|onnx)[.]\w+", result.stdout)), {"torch", "numpy"})
        self.assertIn("  torch.scatter_add ", result.stdout)

    def test_a_number_that_others_cannot_take_is_written_as_a_tensor(self):
        call = "numpy.add.at([1., 2., 3.], [0, 0], 5.)"
        result = run("compare", "jax", "--check", call, "-e", "reference", env=small_data.EVERYTHING)
        self.assertIn("cannot express updates = 5.0: jax.numpy.ndarray.at.add", result.stdout, result.stderr)
        self.assertRegex(result.stdout, "of numpy.add.at everywhere.*: updates that are a number are a tensor of it, of the dtype of data\n"
                         r".*updates=f64\[2\] \[5.0, 5.0\].*: \d members then agree, and none refuses")

    def test_a_named_framework_that_takes_no_part_is_named(self):
        call = ("--check", "torch.gather([[1., 2.]], 1, [[0]])", "-e", "reference")
        # The reference engine has no API of jax that gathers.
        result = run("compare", "numpy", "jax", *call, env=small_data.EVERYTHING)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("jax was not asked: no engine was named that offers its APIs for this call\n", result.stdout)
        self.assertNotIn("no API of numpy", result.stdout)
        self.assertEqual(run("compare", "numpy", *call, env=small_data.EVERYTHING).returncode, 0)

    def test_members_that_cannot_express_a_call_are_named_once_by_the_reason(self):
        result = run("compare", "--check", "numpy.ndarray.__setitem__.tuple(a=[0.], indices=([0],), value=[1.])", "-e", "numpy", env=small_data.EVERYTHING)
        reason = re.search(r"(?m)^cannot express combine = assign: (.*)$", result.stdout)
        self.assertIsNotNone(reason, result.stdout + result.stderr)
        self.assertIn("numpy.add.at.selection", reason[1].split(", "))
        self.assertEqual(result.stdout.count("numpy.add.at.selection"), 1)

    def test_a_tuple_is_written_as_one_index(self):
        call = "torch.Tensor.index_put_(self=[[0., 0.], [0., 0.]], indices=([0, 1], [1]), values=[5., 6.])"
        result = run("compare", "onnx", "--check", call, "-e", "reference", env=small_data.EVERYTHING)
        self.assertRegex(result.stdout, r"(?m)^  onnx[.]ScatterND +\[\[0[.]0, 5[.]0\], \[0[.]0, 6[.]0\]\]$")

    def test_a_comparison_leads_to_code_that_runs(self):
        call = "torch.scatter_add([0.], 0, [0], [1.])"
        result = run("compare", "numpy", "--check", call, "-e", "reference", "-e", "numpy", env=small_data.EVERYTHING)
        script = result.stdout.partition("\nin numpy:\n")[2]
        done = subprocess.run([worker_python(), "-c", script], text=True, capture_output=True, check=False)
        self.assertEqual(done.stdout, "[1.]\n", result.stdout + result.stderr + done.stderr)
        # Without it, or of several frameworks, the command that writes it.
        for words in (("numpy", "--check", "torch.gather([[1., 2.]], 1, [[0]])"), ("torch.gather", "numpy.take_along_axis", "--shrink-time", "1ms")):
            result = run("compare", *words, "-e", "reference", env=small_data.EVERYTHING)
            command = re.search(r"(?m)^(torch[.]gather )?in numpy: scatterproof (.*)$", result.stdout)
            self.assertIsNotNone(command, result.stdout)
            written = run(*shlex.split(command[2]), env=small_data.EVERYTHING)
            self.assertIn("import numpy", written.stdout, written.stderr)

    def test_only_what_is_asked_is_started(self):
        """Each of these frameworks notes that it was started, and ends."""
        started = self.path("started")
        for name in ("torch@2.13.0", "jax@0.10.2", "numpy@2.4.6", "onnx@1.23.2"):
            os.makedirs(os.path.join(self.path("engines"), name, "bin"))
            python = os.path.join(self.path("engines"), name, "bin", "python")
            with open(python, "w", encoding="utf-8") as file:
                file.write(f"#!/bin/sh\necho {name} >> '{started}'\nexit 1\n")
            os.chmod(python, 0o755)
        call = ("--check", "torch.gather([[1., 2.]], 1, [[0]])")
        for words, expected in ((("jax", *call), "torch jax"), (("torch.gather", "numpy.take_along_axis"), "torch numpy"),
                                (("torch.gather", "onnx"), "torch onnx"), (call, "torch jax numpy onnx")):
            with self.subTest(words):
                result = run("compare", *words, env={**small_data.EVERYTHING, "SCATTERPROOF_ENGINES": self.path("engines")})
                self.assertIn(result.returncode, (1, 5), result.stderr)
                with open(started, encoding="utf-8") as file:
                    self.assertEqual({line.split("@")[0] for line in file}, set(expected.split()))
                os.remove(started)

    def test_it_says_that_the_api_of_the_call_was_not_asked(self):
        """The reference engine executes no call of jax as jax does."""
        said = "was not asked: no engine offers it"
        result = run("compare", "--check", "torch.gather([[1., 2.]], 1, [[0]])", "-e", "reference", env=small_data.EVERYTHING)
        self.assertNotIn(said, result.stdout)
        result = run("compare", "--check", "jax.numpy.take_along_axis([[1., 2.]], [[0]], 1)", "-e", "reference", env=small_data.EVERYTHING)
        self.assertIn(f"jax.numpy.take_along_axis, whose call this is, {said}", result.stdout)

    def test_a_framework_names_its_apis(self):
        result = run("compare", "onnx.GatherElements", "numpy", "-e", "reference", "--shrink-time", "1ms", env=small_data.EVERYTHING)
        self.assertEqual(result.returncode, 0, result.stderr)
        members = re.findall(r"^(numpy|onnx|torch)[.]\S+", result.stdout, re.M)
        self.assertEqual(set(members), {"numpy", "onnx"})

    def test_every_letter_is_repeated_by_run(self):
        """`run` of the saved call shows again what the matrix says about an engine."""
        result = run("compare", "torch.gather", "onnx.GatherElements", "-e", "reference", "--shrink-time", "1ms", "--json", self.path("now.json"),
                     "--save", self.path("calls"))
        self.assertEqual(result.returncode, 0, result.stderr)
        letters = letters_of(self.path("now.json"))["reference"]
        self.assertGreater(len(letters), 40)
        outcomes = {}
        for file in {does["case"] for does in letters}:
            run("run", file, "-e", "reference", "--report", "jsonl=" + self.path("again.jsonl"))
            outcomes[file] = [line["outcome"] for line in stream(self.path("again.jsonl")) if line["type"] == "record"][0]
        for does in letters:
            self.assertIsNone(difference(does, outcomes[does["case"]]), does)
        self.assertGreaterEqual({does["letter"] for does in letters}, {"=", "R"})

    def test_what_frameworks_do_is_known(self):
        """The facts of docs/results/semantics.md include everything that numpy and ONNX Runtime do."""
        result = run("compare", "gather_elements", "-e", "numpy", "-e", "onnxruntime", "--time", "10m", "--shrink-time", "1ms", "--json", self.path("now.json"),
                     env=small_data.EVERYTHING)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.path("now.json"), encoding="utf-8") as source:
            family = json.load(source)["families"][0]
        with open(os.path.join(SOURCE, "tests", "tree", "results", "seen.json"), encoding="utf-8") as source:
            seen = next(one for one in json.load(source)["families"] if one["family"] == "gather_elements")
        columns = seen["members"]
        compared = 0
        for cell in family["cells"]:
            member = family["members"][cell["member"]]
            place = [api for api, engine in columns if engine.split("@")[0] == member["engine"].split("@")[0]].index(member["api"])
            at = [i for i, (_, engine) in enumerate(columns) if engine.split("@")[0] == member["engine"].split("@")[0]][place]
            for does in cell["does"]:
                compared += 1
                self.assertIn(does["letter"], seen["rows"][cell["class"]][at], (cell["class"], member, does["name"]))
        self.assertGreater(compared, 15)

    def test_whether_a_call_is_portable(self):
        call = """api: torch.gather
cases:
  - id: mine
    why: one index
    call: {input: {dtype: f32, values: [1, 2]}, dim: 0, index: {dtype: i64, values: [%d]}}
"""
        check = ("compare", "-e", "reference", "--check")
        result = run(*check, self.write("negative.cases.yaml", call % -1), env=small_data.EVERYTHING)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("not portable", result.stdout)
        self.assertIn("index=i64[1] [1]", result.stdout)
        result = run(*check, self.write("plain.cases.yaml", call % 1), env=small_data.EVERYTHING)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        self.assertRegex(result.stdout, r"(?m)^portable between: .*torch\.gather")
        # A call that all members refuse is not portable.
        wrong = call.replace("dim: 0", "dim: 5") % 1
        result = run(*check, self.write("wrong.cases.yaml", wrong))
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("not portable: no member takes the call", result.stdout)

    def test_what_changes_from_one_engine_to_another(self):
        sides = ("--from", "reference", "--to", "faulty:negative-wrapped", "--shrink-time", "1ms", "--json", self.path("now.json"))
        result = run("compare", "gather_elements", *sides, env=small_data.EVERYTHING)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.path("now.json"), encoding="utf-8") as source:
            data = json.load(source)["families"][0]
        self.assertIn("index/negative", {one["class"] for one in data["differences"]})
        for one in data["differences"]:
            # torch.gather and onnx.GatherElements differ too, but nothing changed there.
            apis = {data["members"][answer["member"]]["api"] for side in one["sides"] for answer in side["answers"]}
            self.assertEqual((len(apis), one["kind"]), (1, "drift"))
        same = run("compare", "gather_elements", "--from", "reference", "--to", "reference", "--shrink-time", "1ms", "--json", self.path("same.json"),
                   env=small_data.EVERYTHING)
        self.assertEqual(same.returncode, 0, same.stderr)
        with open(self.path("same.json"), encoding="utf-8") as source:
            self.assertEqual(json.load(source)["families"][0]["differences"], [])

    def test_gradients(self):
        """A worker that assigns where the gradient of a gather must add."""
        result = run("compare", "torch.gather", "--gradients", "-e", "reference", "-e", gradient_engine("last"),
                     "--json", self.path("now.json"), "--markdown", self.path("now.md"))
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("several: as mathematics says | another value", result.stdout)
        self.assertIn("gather_elements: 1 difference", result.stdout)
        with open(self.path("now.json"), encoding="utf-8") as source:
            cells = json.load(source)["families"][0]["cells"]
        does = {(cell["class"], cell["member"]): [one["name"] for one in cell["does"]] for cell in cells}
        self.assertEqual(does["nowhere", 1], ["as mathematics says"])
        self.assertEqual(does["tie", 0], [])
        alone = run("compare", "torch.gather", "onnx.GatherElements", "--gradients", "-e", "openmp")
        self.assertEqual((alone.returncode, "fewer than two" in alone.stderr), (5, True), alone.stdout + alone.stderr)

    def test_an_api_takes_part_in_the_form_that_says_the_calls(self):
        """numpy.add.at and jax's at[].add are of another family, and their forms of a third."""
        names = ("numpy.add.at", "jax.numpy.ndarray.at.add")
        result = run("compare", "torch.scatter_add", *names, "--predict", "--time", "10s", "--shrink-time", "1s", env=small_data.EVERYTHING)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        for name, form in zip(names, ("numpy.add.at.selection", "jax.numpy.ndarray.at.add.tuple")):
            self.assertIn(f"{name} takes part as {form}\n", result.stderr)
            self.assertIn(form, result.stdout)
        self.assertIn("index/beyond: drops | refuses\n  documented difference\n", result.stdout)
        alone = run("compare", "torch.gather", "numpy.ndarray.__getitem__.view", env=small_data.EVERYTHING)
        self.assertEqual(alone.returncode, 4, alone.stderr)
        self.assertIn("numpy.ndarray.__getitem__.view is in no family", alone.stderr)
        self.assertRegex(alone.stderr, r"hint: these forms of it are: numpy\.ndarray\.__getitem__, .*__getitem__\.tuple")

    def test_slips(self):
        for words, part in (
            (("gather_elements", "--from", "reference"), "--from requires --to"),
            (("gather_elements", "--from", "reference", "--to", "no-engine"), "unknown engine 'no-engine'"),
            (("gather_elements", "--from", "reference", "--to", "openmp", "-e", "openmp"), "--engine cannot be used together with --from"),
            (("gather_elements", "--predict", "-e", "reference"), "--engine cannot be used together with --predict"),
            (("gather_elements", "--gradients", "--time", "5s"), "--time cannot be used together with --gradients"),
            (("gather_element",), "did you mean 'gather_elements'?"),
            (("torch.gather", "-e", "reference"), "fewer than two"),
            (("torch.gather", "numpy.put"), "the APIs are of several families"),
            (("torch.gather", "onnx.GatherElements", "numpy.put"), "hint: torch.gather can be compared with onnx.GatherElements"),
            (("gather_elements", "--accepted", self.write("a.json", "[1]")), "this is not a comparison"),
            (("gather_elements", "--predict", "--accepted", self.write("b.json", '{"families": [{"family": "gather_elements"}]}')),
             "this is not a comparison"),
            (("--check", "torch.gather/doc/example", "--json", "c.json"), "--check cannot be used together with --json"),
            (("gather_elements", "--predict", "--json", os.path.join(self.folder, "no", "where")), "cannot be written"),
        ):
            with self.subTest(words):
                result = run("compare", *words)
                self.assertIn(part, result.stderr)
                self.assertEqual(result.returncode, 5 if part == "fewer than two" else 4)


if __name__ == "__main__":
    unittest.main()
