# SPDX-License-Identifier: Apache-2.0
"""`engines new`: what it writes builds, passes the check and is right. One language a run: scaffold_test.py LANGUAGE."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from program import SOURCE, run, worker_python

LANGUAGE = sys.argv.pop() if sys.argv[-1] in ("c", "cpp", "cuda", "python") else "c"
SKIPPED = 77


class Scaffold(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="scatter proof ")  # with a space, as users have them
        self.addCleanup(shutil.rmtree, self.root)
        self.folder = os.path.join(self.root, "my kernel")

    def written(self):
        result = run("engines", "new", "--lang", LANGUAGE, self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        for line in result.stdout.splitlines()[:-1]:
            self.assertTrue(os.path.isfile(line), line)
        return self.folder

    def build(self, folder, *flags):
        """The two commands of the README, with warnings as errors."""
        strict = {"c": "C", "cpp": "CXX"}.get(LANGUAGE)
        flags += (f"-DCMAKE_{strict}_FLAGS=-Wall -Wextra -pedantic -Wconversion -Werror",) if strict else ()
        for command in (["cmake", "-B", "build", *flags], ["cmake", "--build", "build"]):
            result = subprocess.run(command, cwd=folder, text=True, capture_output=True)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def engine(self):
        return f"cmd:'{worker_python()}' mine.py" if LANGUAGE == "python" else "so:./libmine.so"

    def test_nothing_of_yours_is_overwritten(self):
        readme = os.path.join(self.written(), "README.md")
        others = [name for name in os.listdir(self.folder) if name != "README.md"]
        for name in others:
            os.remove(os.path.join(self.folder, name))
        with open(readme, "w", encoding="utf-8") as out:
            out.write("mine")
        again = run("engines", "new", "--lang", LANGUAGE, self.folder)
        self.assertEqual(again.returncode, 4)
        self.assertIn("there is a file of this name already", again.stderr)
        self.assertEqual(os.listdir(self.folder), ["README.md"])
        with open(readme, encoding="utf-8") as kept:
            self.assertEqual(kept.read(), "mine")

    def test_it_builds_and_is_right(self):
        folder = self.written()
        if LANGUAGE == "cuda":
            return self.check_without_device(folder)
        if LANGUAGE != "python":
            self.build(folder)
        check = run("engines", "check", self.engine(), cwd=folder)
        self.assertEqual(check.returncode, 0, check.stdout + check.stderr)
        result = run("run", "--engine", self.engine(), cwd=folder)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        passed = int(result.stdout.split(" pass ")[0].split()[-1])
        self.assertGreater(passed, 30)

    def check_without_device(self, folder):
        self.build(folder, "-DCMAKE_CUDA_ARCHITECTURES=75")
        hidden = {"CUDA_VISIBLE_DEVICES": ""}  # also where there is one
        check = run("engines", "check", self.engine(), cwd=folder, env=hidden)
        self.assertEqual(check.returncode, 1)
        self.assertIn("no CUDA device", check.stdout)
        result = run("run", "--engine", self.engine(), "torch.Tensor.scatter_add_/*", cwd=folder, env=hidden)
        self.assertEqual(result.returncode, 7, result.stdout + result.stderr)
        self.assertIn("no CUDA device", result.stdout + result.stderr)

    @unittest.skipIf(LANGUAGE == "python", "it is not built")
    def test_the_header_can_be_named(self):
        folder = self.written()
        lists = os.path.join(folder, "CMakeLists.txt")
        with open(lists, encoding="utf-8") as file:
            text = file.read()
        include = os.path.join(SOURCE, "engines", "plugin", "include")
        self.assertIn(include, text)
        with open(lists, "w", encoding="utf-8") as file:
            file.write(text.replace(include, "/nowhere"))
        flags = [f"-DSCATTERPROOF_INCLUDE={include}", "-DCMAKE_CUDA_ARCHITECTURES=75"]
        found = subprocess.run(["cmake", "-B", "build", *flags], cwd=folder, text=True, capture_output=True)
        self.assertEqual(found.returncode, 0, found.stderr)


class Languages(unittest.TestCase):
    def test_an_unknown_one(self):
        result = run("engines", "new", "--lang", "cobol", "/tmp/never-made")
        self.assertEqual(result.returncode, 4)
        self.assertIn("one of c, cpp, cuda, python", result.stderr)
        self.assertFalse(os.path.exists("/tmp/never-made"))


if __name__ == "__main__":
    if LANGUAGE == "cuda" and not os.environ.get("CUDA_COMPILER"):
        print("no CUDA compiler: the scaffold was not built")
        sys.exit(SKIPPED)
    unittest.main()
