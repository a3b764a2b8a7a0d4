# SPDX-License-Identifier: Apache-2.0
"""`claims` as a user meets it: exit codes, output and files. The reference engine is on both sides."""

import json
import os
import unittest

import small_data
from fixture import Fixture
from program import run

small_data.use("torch/torch.gather", "paddle/paddle.take_along_axis", "jax/jax.numpy.take_along_axis")

CLAIMS = """title: toys
sources:
  page: {title: a page, date: 2026-01-01}
claims:
  - id: T-1
    source: page
    class: only names
    says: gather(x,d,i) -> take_along_axis(x,i,d)
    a: torch.gather
    b:
      api: paddle.take_along_axis
      arguments: {arr: $input, indices: $index, axis: $dim, broadcast: BROADCAST}
    when: rank(index) == rank(input) and numel(index) > 0
    expect: EXPECT
  - id: T-2
    source: page
    says: something | else
    because: it names no call
"""

FORMS = """  - id: F-1
    source: page
    says: compiled -> the same
    a: jax.numpy.take_along_axis
    b: {form: jit}
  - id: F-2
    source: page
    says: take_along_axis -> the same
    a: jax.numpy.take_along_axis
    b:
      api: jax.numpy.take_along_axis
      arguments: {arr: $arr, indices: $indices, axis: $axis, mode: $mode}
"""


IN_TURN = """  - id: S-1
    source: page
    says: take, then take
    a: jax.numpy.take_along_axis
    b:
      api: jax.numpy.take_along_axis
      arguments: {arr: $result, indices: {sizes: shape(indices), dtype: i64, each: 0}, axis: $axis}
    gives: {sizes: shape(indices), dtype: dtype(arr), each: 0}
    expect: refuted
"""


PRINTS = """  - id: P-1
    source: page
    says: what a page prints
    prints:
      - api: torch.gather
        call: {input: {dtype: i64, values: [5, 6]}, dim: 0, index: {dtype: i64, values: [1, 0]}}
        gives: {dtype: i64, values: [6, 6]}
      - api: paddle.take_along_axis
        call: {arr: {dtype: i64, values: [5, 6]}, indices: {dtype: i64, values: [1]}, axis: 0}
        gives: {dtype: i64, values: [6]}
    expect: {torch: refuted, reference: refuted, paddle: holds}
"""


class Claims(Fixture):
    def claims(self, *args, broadcast="true", expect="refuted"):
        os.makedirs(self.path("claims"), exist_ok=True)
        self.write("claims/toys.yaml", CLAIMS.replace("BROADCAST", broadcast).replace("EXPECT", expect))
        return run("claims", "--claims", self.path("claims"), "-e", "reference", "--cases", "200", *args)

    def test_the_recorded_standing_is_expected(self):
        done = self.claims()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"T-1 +reference +refuted +\d+ of \d+ calls agree\n")
        self.assertRegex(done.stdout, r"index/one-off-axis: gives another shape \((\d+) of \1 calls\)")
        self.assertIn("T-2  not executed: it names no call", done.stdout)

    def test_another_standing_is_not(self):
        for broadcast, expect in (("true", "holds"), ("false", "refuted")):
            done = self.claims(broadcast=broadcast, expect=expect)
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn("<- another standing than recorded", done.stdout)
        self.assertEqual(self.claims(broadcast="false", expect="holds").returncode, 0)
        self.assertEqual(self.claims(expect="{torch: holds}").returncode, 0)  # recorded for another engine
        self.assertEqual(self.claims(expect="{reference: holds}").returncode, 1)

    def test_a_form_is_held_to_its_own_framework(self):
        claims = CLAIMS[:CLAIMS.index("  - id")] + FORMS
        os.makedirs(self.path("forms"))
        self.write("forms/toys.yaml", claims)
        done = run("claims", "--claims", self.path("forms"), "-e", "jax", "-e", "jax:jit", "--cases", "40")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        lines = done.stdout.splitlines()
        self.assertRegex(lines[0], r"^F-1 +jax@\S+ -> jax:jit@\S+ +holds +\d+ of \d+ calls agree$")
        self.assertRegex(lines[1], r"^F-2 +jax@\S+ +\w+ +\d+ of \d+ calls agree$")  # and not on the form too
        self.assertEqual([line[:3] for line in lines if "calls agree" in line], ["F-1", "F-2"])

    def test_scripts_say_that_calls_come_in_turn(self):
        os.makedirs(self.path("turns"))
        self.write("turns/toys.yaml", CLAIMS[:CLAIMS.index("  - id")] + IN_TURN)
        done = run("claims", "--claims", self.path("turns"), "-e", "jax", "--cases", "20", "--scripts", self.path("s"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with open(self.path("s/S-1-jax-jax/1-b.py"), encoding="utf-8") as file:
            script = file.read()
        self.assertRegex(script, r"# stands for: what follows jax.numpy.take_along_axis\(.*\) \(claim S-1\), whose result it gets\n")
        self.assertTrue(script.endswith("# By the claim, it has sizes shape(indices) and at each position p the value\n#   0\n"), script)

    def test_printed_calls_are_executed_by_their_own_framework(self):
        os.makedirs(self.path("prints"))
        self.write("prints/toys.yaml", CLAIMS[:CLAIMS.index("  - id")] + PRINTS)
        files = ("--json", self.path("c.json"), "--markdown", self.path("c.md"), "--scripts", self.path("s"))
        done = run("claims", "--claims", self.path("prints"), "-e", "reference", "-e", "torch", *files)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"P-1 +reference +refuted +1 of 2 calls agree\n +P-1/1: gives other values \(1 of 1 calls\)\n")
        self.assertRegex(done.stdout, r"P-1 +torch@\S+ +refuted +0 of 1 calls agree\n")
        with open(self.path("c.json"), encoding="utf-8") as file:
            differences = json.load(file)["claims"][1]["differences"]
        self.assertNotIn("a", differences[0])
        call = "torch.gather(input=i64[2] [5, 6], dim=0, index=i64[2] [1, 0])"
        self.assertEqual(differences[0]["b"]["call"], call)
        with open(self.path("c.md"), encoding="utf-8") as file:
            self.assertIn(f"| P-1/1 | {call} |", file.read())
        self.assertEqual(os.listdir(self.path("s/P-1-torch-torch")), ["1-b.py"])
        with open(self.path("s/P-1-torch-torch/1-b.py"), encoding="utf-8") as file:
            self.assertIn("# stands for: a call that the source of claim P-1 prints", file.read())

    def test_nothing_ran(self):
        self.assertEqual(self.claims("T-2").returncode, 5)

    def test_mistakes(self):
        done = self.claims("T-3")
        self.assertEqual(done.returncode, 4)
        self.assertIn("no claim is called 'T-3'", done.stderr)
        done = self.claims(broadcast="tru")
        self.assertEqual(done.returncode, 4)
        self.assertRegex(done.stderr, r"toys.yaml:12:\d+: error: ")

    def test_the_same_seed_gives_the_same(self):
        self.assertEqual(self.claims("--seed", "3").stdout, self.claims("--seed", "3").stdout)

    def test_what_is_written(self):
        done = self.claims("--json", self.path("c.json"), "--markdown", self.path("c.md"), "--scripts", self.path("s"))
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("c.json"), encoding="utf-8") as file:
            card = json.load(file)
        claim = card["claims"][0]
        self.assertEqual((claim["claim"], claim["standing"], claim["as_recorded"]), ("T-1", "refuted", True))
        self.assertEqual(claim["differences"][0]["a"]["call"],
                         "torch.gather(input=i64[1,2] [[0, 0]], dim=0, index=i64[1,1] [[0]])")
        self.assertIn("index/smaller", claim["classes_reached_on_both_sides"])
        self.assertEqual(card["not_executed"], [{"claim": "T-2", "because": "it names no call"}])
        with open(self.path("c.md"), encoding="utf-8") as file:
            page = file.read()
        self.assertIn("| T-1 | gather(x,d,i) -> take_along_axis(x,i,d) | page | only names | reference | **refuted**,", page)
        self.assertIn("| T-2 | something \\| else | it names no call |", page)
        self.assertIn("torch.gather(input=i64[1,2] [[0, 0]], dim=0, index=i64[1,1] [[0]])", page)

    def test_what_cannot_be_written(self):
        self.assertEqual(self.claims("--json", self.path("none/c.json")).returncode, 4)


if __name__ == "__main__":
    unittest.main()
