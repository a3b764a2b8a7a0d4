# SPDX-License-Identifier: Apache-2.0
"""The program `scatterproof`: the one that the user names, the one in this package, or the one that is
installed on this machine."""

import os
import sys
from typing import NoReturn

_OWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_installed", "bin", "scatterproof")
# Names the interpreter whose frameworks the program tests before those that it has installed.
INTERPRETER = "SCATTERPROOF_PYTHON"
_CHOSEN = "SCATTERPROOF_PROGRAM"


def find_program() -> str:
    """The path of the program.

    Raises:
        FileNotFoundError: `SCATTERPROOF_PROGRAM` names none; or the package was installed without the
            program, and there is none on the `PATH`.
    """
    if chosen := os.environ.get(_CHOSEN):
        if not _is_program(chosen):
            raise FileNotFoundError(f"{_CHOSEN}={chosen} is not a program")
        return os.path.abspath(chosen)
    on_path = (os.path.join(folder, "scatterproof") for folder in os.get_exec_path())
    for path in (_OWN, *on_path):
        if _is_program(path):
            return path
    raise FileNotFoundError("there is no program scatterproof on the PATH, and this package was installed without it")


def _is_program(path: str) -> bool:
    """Whether the file can be executed, and is not the script that pip makes of `main`, which would start
    itself."""
    if not (os.access(path, os.X_OK) and os.path.isfile(path)):
        return False
    with open(path, "rb") as file:
        return file.read(2) != b"#!"


def environment() -> dict[str, str]:
    """The variables of a program that tests the frameworks of this interpreter."""
    own = {INTERPRETER: sys.executable} if sys.executable else {}
    return {**own, **os.environ}


def main() -> NoReturn:
    """Becomes the program."""
    try:
        program = find_program()
    except FileNotFoundError as error:
        sys.exit(f"error: {error}")
    os.execve(program, sys.argv, environment())
