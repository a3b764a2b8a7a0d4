# SPDX-License-Identifier: Apache-2.0
"""Every block of Python in docs/use/python.md is executed. A second word in its first line names the package
that it needs, and so the interpreter that executes it."""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from program import PROGRAM, SOURCE, worker_python

ENGINES = os.environ.get("SCATTERPROOF_ENGINES", os.path.expanduser("~/.local/share/scatterproof/engines"))
PAGE = os.path.join(SOURCE, "docs", "use", "python.md")


def blocks():
    with open(PAGE, encoding="utf-8") as page:
        return re.findall(r"^```python ?(\w*)\n(.*?)^```$", page.read(), re.DOTALL | re.MULTILINE)


class Page(unittest.TestCase):
    def python_with(self, package):
        """An interpreter; None where the package is not there."""
        if not package:
            return worker_python()
        if found := sorted(glob.glob(os.path.join(ENGINES, f"{package}@*", "bin", "python"))):
            return found[-1]
        if package != "numba":  # triton is 0.3 GB
            return os.environ.get(f"PYTHON_WITH_{package.upper()}")
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="environment"))
        python = os.path.join(folder, "bin", "python")
        for command in ([sys.executable, "-m", "venv", folder], [python, "-m", "pip", "install", "-q", package]):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=300)
        return python

    def test_every_block(self):
        seen = set()
        extensions = self.enterContext(tempfile.TemporaryDirectory(prefix="extensions"))  # no lock was left there
        for package, text in blocks():
            with self.subTest(package=package, block=text[:80]):
                if not (python := self.python_with(package)):
                    continue
                if "cpp_extension" in text and not (shutil.which("c++") and shutil.which("ninja")):
                    self.skipTest("a C++ extension needs c++ and ninja")
                with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
                    script.write(text)
                    script.flush()
                    done = subprocess.run([python, script.name], text=True, capture_output=True, timeout=300, env={
                        **os.environ, "TORCH_EXTENSIONS_DIR": extensions, "PYTHONPATH": os.path.join(SOURCE, "engines", "workers", "python"),
                        "PATH": os.path.dirname(PROGRAM) + os.pathsep + os.environ["PATH"]})
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                seen.add(package)
                if "the fault was not found" in text:
                    self.assertRegex(done.stdout, r"(?s)^scatter_add is not torch.scatter_add \(mismatch\), .*assert_allowed\(scatter_add\(\*\*call\)"
                                     r"|^gather is not torch.gather \(mismatch\), .*assert_gradients_allowed\(gather, ")
        self.assertLessEqual({"", "numba", "torch", "jax", "tensorflow"}, seen)


if __name__ == "__main__":
    unittest.main()
