# SPDX-License-Identifier: Apache-2.0
"""Runs the scripts that `claims --scripts FOLDER` saved in fresh environments, without scatterproof, and holds what each
does against what it says at its top that its framework did.

    python3 tests/claims/confirm.py FOLDER ENVIRONMENTS

ENVIRONMENTS is a folder of virtual environments, one a framework, named after it. One that is not there is made, with the
packages of engines/workers/<framework>/engine.yaml. Exit code 1: some script does something else. A difference that shows
after other calls alone is such a one.
"""

import cmath
import collections
import glob
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
ON = re.compile(r"^# \S+ on (\w+)[ :]", re.M)
GOT = re.compile(r"^# got: (?:produced (?P<dtype>\w+)\[(?P<shape>[\d,]*)\] (?P<values>.*)|refused: (?P<error>\w+)|(?P<died>crashed))", re.M)
FORMATS = {"bool": "?", "u8": "B", "i8": "b", "i16": "h", "i32": "i", "i64": "q", "f16": "e", "f32": "f", "f64": "d", "c64": "f",
           "c128": "d"}
STEPS = {"bf16": 2**-8, "f16": 2**-11, "f32": 2**-24, "c64": 2**-24, "f64": 2**-53, "c128": 2**-53}  # half of one, relative


def environment(framework, folder):
    python = os.path.join(folder, framework, "bin", "python")
    if os.path.exists(python):
        return python
    with open(os.path.join(ROOT, "engines", "workers", framework, "engine.yaml"), encoding="utf-8") as manifest:
        packages = re.findall(r"^  - (\S+==\S+)", manifest.read(), re.M)
    subprocess.run([sys.executable, "-m", "venv", os.path.join(folder, framework)], check=True)
    subprocess.run([python, "-m", "pip", "install", "-q", *packages], check=True)
    return python


def executed(scripts, python):
    """What the scripts leave behind, in order; one that ends its process leaves {}."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as listed:
        json.dump(scripts, listed)
        listed.flush()
        left = []
        while len(left) < len(scripts):
            run = subprocess.run([python, os.path.join(ROOT, "tests", "snippet", "run_snippets.py"), listed.name, str(len(left))],
                                 capture_output=True, text=True, check=False)
            left += map(json.loads, run.stdout.splitlines())
            if len(left) < len(scripts):
                left.append({})
        return left


def numbers_of(dtype, raw):
    if dtype == "bf16":
        return [struct.unpack("<f", b"\0\0" + raw[i:i + 2])[0] for i in range(0, len(raw), 2)]
    parts = [one[0] for one in struct.iter_unpack("<" + FORMATS[dtype], raw)]
    return [complex(*pair) for pair in zip(parts[::2], parts[1::2])] if dtype.startswith("c") else parts


def number(text):
    """As the top of a script prints it: `1e-45`, `-inf`, `true`, `1.0-2.0j`."""
    text = {"true": "1", "false": "0"}.get(text, text)
    return int(text) if re.fullmatch(r"-?\d+", text) else complex(text)


def is_same(left, said):
    if said["died"] or not left:
        return bool(said["died"]) and not left
    if said["error"] or "dtype" not in left:
        return bool(said["error"]) and said["error"] in left.get("raised", [])
    if (left["dtype"], ",".join(map(str, left["shape"]))) != (said["dtype"], said["shape"]):
        return False
    if "..." in said["values"]:
        return True  # the top of the script has not all of them
    wanted = [number(one) for one in re.findall(r"[^\s\[\],()]+", said["values"])]
    found = numbers_of(left["dtype"], bytes.fromhex(left["bytes"]))
    step = STEPS.get(left["dtype"], 0)  # it is printed with as few digits as tell it from its neighbours
    return len(wanted) == len(found) and all(
        a == b or cmath.isnan(a) and cmath.isnan(b) or cmath.isclose(a, b, rel_tol=step, abs_tol=1e-44 if step else 0)
        for a, b in zip(wanted, found))


def main(scripts, environments):
    by_framework = collections.defaultdict(list)
    for path in sorted(glob.glob(os.path.join(scripts, "*", "*.py"))):
        with open(path, encoding="utf-8") as source:
            text = source.read()
        by_framework[ON.search(text)[1]].append((path, text))
    wrong = 0
    for framework, listed in by_framework.items():
        others = 0
        for (path, text), left in zip(listed, executed([text for _, text in listed], environment(framework, environments))):
            if not (said := GOT.search(text)) or not is_same(left, said):
                others += 1
                print(f"{path}: {left or 'its process ended'}")
        print(f"{framework}: {len(listed) - others} of {len(listed)} scripts do what they say")
        wrong += others
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
