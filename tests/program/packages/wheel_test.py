# SPDX-License-Identifier: Apache-2.0
"""The wheel that carries the program, in an environment of its own, with the checkout out of reach."""

import glob
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import python_environment
from hidden import BUILD
from installed import Installed
from program import SOURCE
from program import run as run_built
from stories import *

OLDEST_SYSTEM = (2, 35)  # glibc's version there: it must be enough


class Wheel(Installed):
    def test_it_is_for_every_python_3_and_old_systems(self):
        python, abi, *systems = re.fullmatch(r"scatterproof-[^-]+-(py3)-(none)-(\S+)_x86_64\.whl", os.path.basename(self.wheel)).groups()
        oldest = min(tuple(map(int, one)) for one in re.findall(r"manylinux_(\d+)_(\d+)", systems[0]))
        self.assertLessEqual(oldest, OLDEST_SYSTEM)
        report = subprocess.run([os.path.join(BUILD, "wheel", "tools", "bin", "auditwheel"), "show", self.wheel], check=True,
                                text=True, capture_output=True).stdout
        self.assertIn(f'is consistent with the following platform tag: "manylinux_{oldest[0]}_{oldest[1]}_x86_64"', " ".join(report.split()))

    def test_it_brings_its_libraries(self):
        site = glob.glob(os.path.join(self.root, "environment", "lib", "python3*", "site-packages"))[0]
        program = os.path.join(site, "scatterproof", "_installed", "bin", "scatterproof")
        used = re.findall(r"=> (\S+)", self.succeed("ldd", program))
        system = {os.path.basename(path).split(".so")[0] for path in used if not os.path.realpath(path).startswith(site)}
        self.assertLessEqual(system, {"libc", "libm", "libstdc++", "libgcc_s", "libpthread", "libdl", "librt"})

    def test_no_file_names_the_trees(self):
        for folder, _, names in os.walk(os.path.join(self.root, "environment")):
            for name in names:
                path = os.path.join(folder, name)
                if os.path.isfile(path) and "scatterproof" in path:
                    with open(path, "rb") as file:
                        text = file.read()
                    for tree in (SOURCE, BUILD):
                        self.assertFalse(tree.encode() in text, path)  # without its text, which is long

    def test_the_program_has_all_its_data_and_hosts(self):
        self.assertTrue(self.succeed("scatterproof", "list") == run_built("list").stdout)
        self.assertIn("Summary: nothing is missing", self.succeed("scatterproof", "doctor"))
        self.assertIn("Summary: as expected", self.succeed("scatterproof", "run", "-e", "reference", "torch.gather/*"))
        self.succeed("python", "-m", "scatterproof", "--version")

    def test_a_history_is_kept(self):
        stream = os.path.join(self.root, "run.jsonl")
        self.succeed("scatterproof", "run", "-e", "reference", "numpy.put_along_axis/*", "--report", f"jsonl={stream}")
        self.succeed("scatterproof", "history", "add", stream, SCATTERPROOF_HISTORY=os.path.join(self.root, "history.db"))

    def test_the_environments_framework_is_the_one_that_is_tested(self):
        version = python_environment.numpy_pin().replace("==", "@")
        listed = self.succeed("scatterproof", "engines", "list", "numpy")
        self.assertTrue(listed.startswith(f"{version} "), listed)
        self.assertIn(f"\n  of {os.path.join(self.programs, 'python')}", listed)
        self.assertRegex(self.succeed("scatterproof", "run", "-e", "numpy", "numpy.take_along_axis/*", "--report", "jsonl=-"),
                         f'"engine":"{version}"')
        # Without the script, the program has no interpreter.
        program = glob.glob(os.path.join(self.root, "environment", "lib", "python3*", "site-packages", "scatterproof", "_installed", "bin", "scatterproof"))[0]
        self.assertEqual(self.execute(program, "run", "-e", "numpy", "numpy.put/*").returncode, 4)

    def test_import(self):
        """All that the test python.judging does."""
        folder = tempfile.mkdtemp(dir=self.root)
        shutil.copy(os.path.join(SOURCE, "tests/program/python/judging_test.py"), folder)
        with open(os.path.join(folder, "with_numpy.py"), "w", encoding="utf-8") as file:
            file.write("def run_again(): pass\n")
        done = self.execute("python", os.path.join(folder, "judging_test.py"))
        self.assertRegex(done.stderr, r"\nRan [23]\d tests in .*\n\nOK")

    def test_a_function_is_an_engine(self):
        file = os.path.join(self.root, "kernels.py")
        with open(file, "w", encoding="utf-8") as kernels:
            kernels.write("import numpy\ntake = numpy.take_along_axis\n")
        self.assertIn("Summary: as expected", self.succeed("scatterproof", "run", "-e", f"py:{file}:take=numpy.take_along_axis", "numpy.take_along_axis/*"))

    def test_pytest_finds_the_plug_in(self):
        done = self.succeed("pytest", "--scatterproof-engine=numpy", "--scatterproof-api=numpy.put", "-v")
        self.assertRegex(done, r"(?s)plugins: scatterproof-.*scatterproof::numpy::numpy.put PASSED")


if __name__ == "__main__":
    unittest.main()
