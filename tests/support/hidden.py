# SPDX-License-Identifier: Apache-2.0
"""Programs run with the checkout and the build tree out of reach, as on another machine."""

import os
import subprocess
import sys

from program import SOURCE

BUILD = os.environ["BUILD"]
HIDE = 'for tree in "$1" "$2"; do [ ! -e "$tree" ] || mount -t tmpfs none "$tree" || exit 99; done; shift 2; exec "$@"'


def hiding():
    """A command that runs another one where the two trees are empty; one that does nothing where this user
    may not make such a place."""
    for unshare in (["unshare", "-m"], ["unshare", "-rm"]):
        command = [*unshare, "sh", "-c", HIDE, "sh", SOURCE, BUILD]
        try:
            hidden = subprocess.run([*command, "test", "!", "-e", os.path.join(SOURCE, "spec")], capture_output=True)
        except FileNotFoundError:
            break
        if hidden.returncode == 0:
            return command
    # The search for the trees' paths in the installed files is then all that speaks for it.
    print("cannot hide the checkout from the installed program: no mount namespaces here", file=sys.stderr)
    return []


def environment(*programs):
    """That of a user who has these folders of programs on the PATH, and nothing of the tests' own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SCATTERPROOF", "PYTHON"))}
    if engines := os.environ.get("SCATTERPROOF_ENGINES"):
        kept["SCATTERPROOF_ENGINES"] = engines
    return {**kept, "PATH": os.pathsep.join([*programs, os.environ["PATH"]]), "NO_COLOR": "1"}
