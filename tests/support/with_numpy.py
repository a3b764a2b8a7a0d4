# SPDX-License-Identifier: Apache-2.0
"""Tests of the Python packages, which need numpy: Debian's Python, which runs the tests, need not have it."""

import importlib.util
import os
import sys

from program import PROGRAM, SOURCE, worker_python

PACKAGES = os.path.join(SOURCE, "engines", "workers", "python")


def run_again():
    """Runs this script with a Python that has numpy, the packages and the program, if this one has not."""
    if importlib.util.find_spec("scatterproof"):
        return
    path = os.pathsep.join([PACKAGES, os.environ.get("PYTHONPATH", "")])
    programs = os.pathsep.join([os.path.dirname(PROGRAM), os.environ["PATH"]])
    os.execve(worker_python(), [worker_python(), "-B", *sys.argv], {**os.environ, "PYTHONPATH": path, "PATH": programs})
