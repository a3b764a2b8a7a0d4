# SPDX-License-Identifier: Apache-2.0
"""A virtual environment with pytest and the numpy that the numpy engine is pinned to."""

import os
import re
import subprocess
import sys
import tempfile

from program import SOURCE

PYTEST = "pytest==9.2.0"


def folder():
    # pip cannot write a space into the first line of a script.
    return tempfile.TemporaryDirectory(prefix="environment")


def wheel():
    """As the build makes it."""
    return os.path.join(os.environ["BUILD"], "wheel", f"scatterproof-{os.environ['VERSION']}-py3-none-any.whl")


def numpy_pin():
    with open(os.path.join(SOURCE, "engines", "workers", "numpy", "engine.yaml"), encoding="utf-8") as manifest:
        return re.search(r"- (numpy==\S+)", manifest.read()).group(1)


def make(folder, wheel):
    """Makes it in a new folder, with the wheel; returns the folder of its programs."""
    without_ours = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    programs = os.path.join(folder, "bin")
    for command in ([sys.executable, "-m", "venv", folder],
                    [os.path.join(programs, "python"), "-m", "pip", "install", "-q", PYTEST, numpy_pin(), wheel]):
        subprocess.run(command, check=True, env=without_ours, stdout=subprocess.DEVNULL, timeout=300)
    return programs
