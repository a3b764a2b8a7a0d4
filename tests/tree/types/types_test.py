# SPDX-License-Identifier: Apache-2.0
"""The Python packages keep to their own annotations: mypy --strict finds nothing."""

import os
import subprocess
import unittest
import venv

import python_environment
from program import SOURCE

TOOLS = os.environ["TOOLS"]  # a virtual environment that is kept between runs
MYPY = "mypy==2.4.1"


class Types(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not os.path.exists(os.path.join(TOOLS, "bin/mypy")):
            venv.create(TOOLS, with_pip=True, clear=True)
            subprocess.run([os.path.join(TOOLS, "bin/pip"), "install", "--quiet", MYPY, python_environment.PYTEST, python_environment.numpy_pin()],
                           check=True, timeout=300)

    def test_packages(self):
        checked = subprocess.run([os.path.join(TOOLS, "bin/mypy"), "--config-file", os.path.join(SOURCE, "tests/tree/types/mypy.ini"),
                                  "--cache-dir", os.path.join(TOOLS, "cache")], text=True, capture_output=True,
                                 cwd=os.path.join(SOURCE, "engines/workers/python"), timeout=300)
        self.assertRegex(checked.stdout + checked.stderr, r"^Success: no issues found in [1-9]\d source files\n$")


if __name__ == "__main__":
    unittest.main()
