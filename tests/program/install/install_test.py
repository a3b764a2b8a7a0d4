# SPDX-License-Identifier: Apache-2.0
"""An installation that was moved, with the checkout and the build tree out of reach, does all that a user
does with it."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

from hidden import BUILD, environment, hiding
from program import SOURCE
from program import run as run_built

NATIVE = ("reference", "openmp", "openmp-deterministic", "thrust-cpp", "thrust-omp", "thrust-tbb")

# Two kernels, and the tests that a user wants for them.
PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(kernels LANGUAGES C)
find_package(scatterproof REQUIRED)
foreach(name right wrong)
  add_library(${name} MODULE ${name}.c)
  target_link_libraries(${name} PRIVATE scatterproof::kernel_abi)
endforeach()
enable_testing()
scatterproof_add_tests(ENGINE right CASES torch.Tensor.scatter_add_/* torch.scatter_add/* numpy.put_along_axis/* FUZZ 200)
scatterproof_add_tests(ENGINE wrong CASES torch.Tensor.scatter_add_/* FUZZ 200 PROPERTIES LABELS broken)
scatterproof_add_tests(ENGINE wrong CASES torch.Tensor.scatter_add_/doc/* BASELINE known.yaml PREFIX expected/)
scatterproof_add_tests(ENGINE wrong CASES own.yaml PREFIX own/)
scatterproof_add_tests(ENGINE right CASES numpy.put_along_axis/* PREFIX none/)
scatterproof_add_tests(ENGINE so:./missing.so PREFIX missing/)
"""
KNOWN = """
baseline:
  - case: torch.Tensor.scatter_add_/doc/*
    engine: so:*
    verdict: mismatch
    reason: it assigns
    since: 2026-11-01
"""
OWN = """
api: torch.Tensor.scatter_add_
cases:
  - id: own/one
    why: a number on a number
    call: {self: {dtype: f32, values: [1]}, dim: 0, index: {dtype: i64, values: [0]}, src: {dtype: f32, values: [2]}}
"""


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = tempfile.mkdtemp(prefix="install ")
        cls.addClassCleanup(shutil.rmtree, cls.root)
        first, cls.prefix = os.path.join(cls.root, "first"), os.path.join(cls.root, "moved here")
        command = ["cmake", "--install", BUILD, "--prefix", first, "--strip"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        os.rename(first, cls.prefix)
        cls.elsewhere = os.path.join(cls.root, "elsewhere")
        os.mkdir(cls.elsewhere)
        cls.hide = hiding()

    def execute(self, *command, cwd=None):
        return subprocess.run([*self.hide, *command], cwd=cwd or self.elsewhere, text=True, capture_output=True,
                              env=environment(os.path.join(self.prefix, "bin")), timeout=300)

    def succeed(self, *command, cwd=None):
        result = self.execute(*command, cwd=cwd)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def test_it_knows_what_it_has_and_the_built_in_profiles(self):
        self.assertIn("Summary: nothing is missing", self.succeed("scatterproof", "doctor"))
        self.assertRegex(self.succeed("scatterproof", "fuzz", "--profile", "quick", "--show-config"), r"cases +2000 +profile quick")

    def test_no_file_names_the_trees(self):
        for folder, _, names in os.walk(self.prefix):
            for name in names:
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    text = file.read()
                for tree in (SOURCE, BUILD):
                    self.assertNotIn(tree.encode(), text, path)

    def test_the_header_of_kernels_is_the_only_one(self):
        include = os.path.join(self.prefix, "include")
        headers = [os.path.join(folder, name) for folder, _, names in os.walk(include) for name in names]
        self.assertEqual(headers, [os.path.join(include, "scatterproof", "kernel_abi.h")])

    def test_every_shipped_case_and_row_is_there(self):
        for verb in (["list"], ["bench", "--list"], ["spec", "coverage"]):
            built = run_built(*verb)
            self.assertEqual(built.returncode, 0, built.stderr)
            self.assertTrue(self.succeed("scatterproof", *verb) == built.stdout, verb)

    def test_native_engines_run_and_are_reported(self):
        engines = [word for name in NATIVE for word in ("--engine", name)]
        stream = os.path.join(self.elsewhere, "run.jsonl")
        self.succeed("scatterproof", "run", *engines, "torch.gather/*", "--report", f"jsonl={stream}")
        self.assertIn("reference", self.succeed("scatterproof", "report", stream))
        self.assertIn("prefers-color-scheme", self.succeed("scatterproof", "report", stream, "--report", "html=-"))

    def test_generated_calls(self):
        self.succeed("scatterproof", "fuzz", "--api", "torch.gather", "--cases", "200", "--engine", "openmp")

    def test_a_framework_in_python(self):
        self.succeed("scatterproof", "run", "--engine", "numpy", "numpy.take_along_axis/*")

    def test_a_kernel_from_a_scaffold(self):
        self.succeed("scatterproof", "engines", "new", "--lang", "cpp", "adder")
        folder = os.path.join(self.elsewhere, "adder")
        self.succeed("cmake", "-B", "build", cwd=folder)
        self.succeed("cmake", "--build", "build", cwd=folder)
        with open(os.path.join(folder, "build", "CMakeCache.txt"), encoding="utf-8") as cache:
            self.assertIn(f"scatterproof_DIR:PATH={self.prefix}/share/cmake/scatterproof\n", cache.read())
        self.succeed("scatterproof", "run", "--engine", "so:./libadder.so", "torch.gather/*", cwd=folder)

    def project(self, name):
        """A user's project with a kernel that is right and one that assigns where it should add."""
        folder = os.path.join(self.elsewhere, name)
        self.succeed("scatterproof", "engines", "new", "--lang", "c", folder)
        with open(os.path.join(folder, f"{name}.c"), encoding="utf-8") as file:
            kernel = file.read()
        self.assertIn(" += updates", kernel)
        for file, text in (("right.c", kernel), ("wrong.c", kernel.replace(" += updates", " = updates")), ("own.yaml", OWN),
                           ("known.yaml", KNOWN), ("CMakeLists.txt", PROJECT)):
            with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
                out.write(text)
        return folder

    def test_tests_of_a_users_project(self):
        folder = self.project("kernels")
        self.succeed("cmake", "-B", "build", cwd=folder)
        not_built = self.execute("ctest", "--test-dir", "build", "-R", "^right/", "--output-on-failure", cwd=folder).stdout
        self.assertRegex(not_built, r"(?s)right/cases \.+\*+Failed.*error: cannot read the file .*0% tests passed, 1 tests failed out of 1")
        self.succeed("cmake", "--build", "build", cwd=folder)
        done = self.execute("ctest", "--test-dir", "build", "--output-on-failure", cwd=folder)
        self.assertEqual(done.returncode, 8, done.stdout)
        results = dict(re.findall(r"Test +#\d+: (\S+) \.+(?:\*+| +)(\w+)", done.stdout))
        api, other = "torch.Tensor.scatter_add_", "torch.scatter_add"
        self.assertEqual(results, {
            f"right/{api}": "Passed", f"right/fuzz/{api}": "Passed", f"right/{other}": "Passed", f"right/fuzz/{other}": "Passed",
            f"wrong/{api}": "Failed", f"wrong/fuzz/{api}": "Failed", f"expected/{api}": "Passed", f"own/{api}": "Failed",
            "none/cases": "Failed", "missing/cases": "Failed"}, done.stdout)
        for words in (f"FAILED {api}/rule/has-dimension/obeys on so:", f"FAILED {api}/fuzz/valid on so:", f"FAILED {api}/own/one on so:",
                      "offers none of the selected cases", "error: cannot read the file './missing.so'"):
            self.assertIn(words, done.stdout)
        self.assertRegex(done.stdout, r"\nbroken .*\(2 tests\)\nscatterproof .*\(10 tests\)\n")
        self.assertTrue(os.path.isdir(os.path.join(folder, "build", "scatterproof-findings")))

    def test_the_package_of_the_build_tree(self):
        folder = self.project("built")
        for command in (["cmake", "-B", "build", f"-Dscatterproof_DIR={BUILD}/share/cmake/scatterproof"], ["cmake", "--build", "build"],
                        ["ctest", "--test-dir", "build", "-R", "^right/torch"]):
            done = subprocess.run(command, cwd=folder, text=True, capture_output=True, env=environment(), timeout=300)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("100% tests passed, 0 tests failed out of 2", done.stdout)

    def test_without_its_data_it_looks_nowhere_else(self):
        lame = os.path.join(self.root, "lame")
        os.mkdir(lame)
        shutil.copytree(os.path.join(self.prefix, "bin"), os.path.join(lame, "bin"))
        program = os.path.join(lame, "bin", "scatterproof")
        result = subprocess.run([program, "list"], cwd=self.elsewhere, text=True, capture_output=True)
        self.assertEqual(result.returncode, 4, result.stdout + result.stderr)
        self.assertIn(os.path.join(lame, "share", "scatterproof"), result.stderr)


if __name__ == "__main__":
    unittest.main()
