# SPDX-License-Identifier: Apache-2.0
"""The built program and its surroundings, for tests that run it as a user does."""

import glob
import json
import os
import subprocess

PROGRAM = os.environ["SCATTERPROOF"]
SOURCE = os.environ["SOURCE"]


def run(*args, cwd=None, env=None, preexec_fn=None, timeout=300):
    """Runs the program; the result's stdout and stderr are text. `timeout`: in seconds, on a busy machine."""
    environment = {**os.environ, "NO_COLOR": "1", **(env or {})}
    return subprocess.run([PROGRAM, *args], cwd=cwd, env=environment, text=True, capture_output=True, timeout=timeout, preexec_fn=preexec_fn)


def stream(path):
    """The objects of a JSON-lines stream: header, records, end."""
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def worker_python(engine="numpy"):
    """The Python of an installed engine; each has numpy, which the workers' package needs."""
    engines = os.environ.get("SCATTERPROOF_ENGINES", os.path.expanduser("~/.local/share/scatterproof/engines"))
    found = sorted(glob.glob(os.path.join(engines, f"{engine}@*", "bin", "python")))
    if not found:
        raise RuntimeError(f"no {engine} engine is installed: scatterproof engines install {engine}")
    return found[-1]
