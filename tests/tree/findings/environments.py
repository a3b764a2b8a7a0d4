# SPDX-License-Identifier: Apache-2.0
"""Scripts and questions for the Pythons in which the frameworks are installed
(docs/formats/worker-protocol.md)."""

import glob
import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass

ENGINES = os.environ.get("SCATTERPROOF_ENGINES") or os.path.join(
    os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share"), "scatterproof", "engines")
LIMIT = 300  # seconds for one script
# The parts of a user's shell that frameworks read: no number of threads, no allocator, no path of the tests.
# OPENBLAS_* name the processor where OpenBLAS takes it for another one.
KEPT = ("HOME", "LANG", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "PATH", "SSL_CERT_FILE", "TERM", "USER")


def python_of(engine, release):
    """The interpreter of a release, local versions (`+cpu`) included; None where it is not installed."""
    for folder in sorted(glob.glob(os.path.join(ENGINES, f"{engine}@{release}*"))):
        version = os.path.basename(folder).partition("@")[2]
        if version == release or version.startswith(release + "+"):
            return os.path.join(folder, "bin", "python")
    return None


@dataclass
class Ended:
    """How a process ended: its exit status (negative: the signal; None: it was ended after its time), and
    what it printed."""

    status: int | None
    printed: str

    def __str__(self):
        how = "did not return" if self.status is None else f"ended with {self.status}"
        if self.status is not None and self.status < 0:
            how = f"ended by {signal.Signals(-self.status).name}"
        return how + "\n" + "\n".join(self.printed.strip().splitlines()[-12:])


def execute(python, words, folder, seconds=LIMIT):
    """Executes `python WORDS` in a folder, in a session of its own, which ends with it."""
    environment = {name: os.environ[name] for name in KEPT if name in os.environ} | {"TMPDIR": folder}
    process = subprocess.Popen([python, "-B", *words], cwd=folder, env=environment, text=True, errors="replace",
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        printed, _ = process.communicate(timeout=seconds)
        return Ended(process.returncode, printed)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return Ended(None, process.communicate()[0])
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)  # its child processes
        except ProcessLookupError:
            pass


def as_claimed(ended, ends):
    """Whether a script did what its entry says."""
    if ends is None:
        return ended.status == 0
    if isinstance(ends, dict):
        return ended.status is None
    return ended.status is not None and ended.status < 0 and signal.Signals(-ended.status).name in ends


def run_entry(python, entry):
    """Runs the script of an entry of `shows`, as often as it may need: None, or how the last run ended."""
    ends = entry.get("ends")
    seconds = ends["silent_for"] if isinstance(ends, dict) else LIMIT
    for _ in range(entry.get("tries", 1)):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "finding.py")
            with open(path, "w", encoding="utf-8") as file:  # some compilers read the source of a function
                file.write(entry["script"])
            ended = execute(python, [path], folder, seconds)
        if as_claimed(ended, ends):
            return None
    return ended


if __name__ == "__main__":  # environments.py torch 2.13.0 SCRIPT
    with tempfile.TemporaryDirectory() as scratch:
        print(execute(python_of(sys.argv[1], sys.argv[2]), [os.path.abspath(sys.argv[3])], scratch))
