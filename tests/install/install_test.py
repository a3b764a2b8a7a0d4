# SPDX-License-Identifier: Apache-2.0
"""An installation that was moved, with the checkout and the build tree out of reach, does all that a user does with it."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from program import SOURCE
from program import run as run_built

BUILD = os.environ["BUILD"]
NATIVE = ("reference", "openmp", "openmp-deterministic", "thrust-cpp", "thrust-omp", "thrust-tbb")
HIDE = 'for tree in "$1" "$2"; do [ ! -e "$tree" ] || mount -t tmpfs none "$tree" || exit 99; done; shift 2; exec "$@"'


def hiding():
    """A command that runs another one where the two trees are empty; None where this user may not make such a place."""
    for unshare in (["unshare", "-m"], ["unshare", "-rm"]):
        command = [*unshare, "sh", "-c", HIDE, "sh", SOURCE, BUILD]
        try:
            hidden = subprocess.run([*command, "test", "!", "-e", os.path.join(SOURCE, "spec")], capture_output=True)
        except FileNotFoundError:
            return None
        if hidden.returncode == 0:
            return command
    return None


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
        if cls.hide is None:
            # The search for the trees' paths in the installed files is then all that speaks for it.
            print("cannot hide the checkout from the installed program: no mount namespaces here", file=sys.stderr)

    def execute(self, *command, cwd=None):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("SCATTERPROOF", "PYTHON"))}
        if engines := os.environ.get("SCATTERPROOF_ENGINES"):
            kept["SCATTERPROOF_ENGINES"] = engines
        path = os.path.join(self.prefix, "bin") + os.pathsep + os.environ["PATH"]
        return subprocess.run([*(self.hide or []), *command], cwd=cwd or self.elsewhere, text=True, capture_output=True,
                              env={**kept, "PATH": path, "NO_COLOR": "1"}, timeout=300)

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
