# SPDX-License-Identifier: Apache-2.0
"""`engines new`: what it writes builds, passes the check and is right. One language a run: scaffold_test.py
LANGUAGE."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from program import PROGRAM, run, worker_python

LANGUAGE = sys.argv.pop() if sys.argv[-1] in ("c", "cpp", "cuda", "python") else "c"
SKIPPED = 77


class Scaffold(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="scatter proof ")  # with a space, as users have them
        self.addCleanup(shutil.rmtree, self.root)
        self.folder = os.path.join(self.root, "our_adder-2")
        self.told = ""

    def written(self):
        result = run("engines", "new", "--lang", LANGUAGE, self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.told = result.stdout
        for line in result.stdout.splitlines():
            if line.startswith(self.folder + "/") and " lists " not in line:
                self.assertTrue(os.path.isfile(line), line)
        return self.folder

    def configure(self, folder, *flags, path):
        command = ["cmake", "-B", "build", *flags]
        env = {**os.environ, "PATH": path}
        return subprocess.run(command, cwd=folder, env=env, text=True, capture_output=True)

    def build(self, folder, *flags):
        """The two commands of the README, with warnings as errors and the program on the PATH."""
        strict = {"c": "C", "cpp": "CXX"}.get(LANGUAGE)
        flags += (f"-DCMAKE_{strict}_FLAGS=-Wall -Wextra -pedantic -Wconversion -Werror",) if strict else ()
        configured = self.configure(folder, *flags, path=os.path.dirname(PROGRAM) + os.pathsep + os.environ["PATH"])
        self.assertEqual(configured.returncode, 0, configured.stdout + configured.stderr)
        built = subprocess.run(["cmake", "--build", "build"], cwd=folder, text=True, capture_output=True)
        self.assertEqual(built.returncode, 0, built.stdout + built.stderr)

    def engine(self):
        return f"cmd:'{worker_python()}' our_adder-2.py" if LANGUAGE == "python" else "so:./libour_adder-2.so"

    def passed(self, folder, *what):
        result = run("run", "--engine", self.engine(), *what, cwd=folder)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return int(result.stdout.split(" pass ")[0].split()[-1])

    def test_nothing_of_yours_is_overwritten(self):
        readme = os.path.join(self.written(), "README.md")
        others = [name for name in os.listdir(self.folder) if name != "README.md"]
        for name in others:
            os.remove(os.path.join(self.folder, name))
        with open(readme, "w", encoding="utf-8") as out:
            out.write("mine")
        again = run("engines", "new", "--lang", LANGUAGE, self.folder)
        self.assertEqual(again.returncode, 4)
        self.assertIn("this file already exists", again.stderr)
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
        self.assertIn("our_adder-2 0.1", check.stdout)
        self.assertGreater(self.passed(folder), 30)
        if LANGUAGE == "cpp":  # the second kernel of the library
            self.assertGreater(self.passed(folder, "torch.gather/*"), 5)

    def check_without_device(self, folder):
        self.build(folder, "-DCMAKE_CUDA_ARCHITECTURES=75")
        hidden = {"CUDA_VISIBLE_DEVICES": ""}  # also where there is one
        check = run("engines", "check", self.engine(), cwd=folder, env=hidden)
        self.assertEqual(check.returncode, 1)
        self.assertIn("no CUDA device", check.stdout)
        result = run("run", "--engine", self.engine(), "torch.Tensor.scatter_add_/*", cwd=folder, env=hidden)
        self.assertEqual(result.returncode, 7, result.stdout + result.stderr)
        self.assertIn("no CUDA device", result.stdout + result.stderr)

    def test_everything_has_its_name(self):
        folder = self.written()
        for name in os.listdir(folder):
            self.assertNotIn("mine", name)
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                self.assertIsNone(re.search(r"\b(lib)?mine\b", file.read()), name)
        self.assertTrue(any(name.startswith("our_adder-2.") for name in os.listdir(folder)))

    @unittest.skipIf(LANGUAGE == "python", "it is not built")
    def test_the_package_can_be_named(self):
        folder = self.written()
        without = self.configure(folder, "-DCMAKE_CUDA_ARCHITECTURES=75", path=os.environ["PATH"])
        self.assertIn("scatterproof_DIR", without.stderr)
        shutil.rmtree(os.path.join(folder, "build"))
        said = re.search(r"'(-Dscatterproof_DIR=.*)'", self.told).group(1)
        found = self.configure(folder, said, "-DCMAKE_CUDA_ARCHITECTURES=75", path=os.environ["PATH"])
        self.assertEqual(found.returncode, 0, found.stderr)


class Languages(unittest.TestCase):
    def test_an_unknown_one(self):
        result = run("engines", "new", "--lang", "cobol", "/tmp/never-made")
        self.assertEqual(result.returncode, 4)
        self.assertIn("one of c, cpp, cuda, python", result.stderr)
        self.assertFalse(os.path.exists("/tmp/never-made"))

    def test_a_name_that_cannot_be_one(self):
        for name in ("two words", "2nd", 'quo"te'):
            result = run("engines", "new", "--lang", "c", f"/tmp/never-made/{name}")
            self.assertEqual(result.returncode, 4)
            self.assertIn(f"invalid name '{name}'", result.stderr)
        self.assertFalse(os.path.exists("/tmp/never-made"))


if __name__ == "__main__":
    if LANGUAGE == "cuda" and not os.environ.get("CUDA_COMPILER"):
        print("no CUDA compiler: the scaffold was not built")
        sys.exit(SKIPPED)
    unittest.main()
