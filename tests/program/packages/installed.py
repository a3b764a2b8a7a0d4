# SPDX-License-Identifier: Apache-2.0
"""The wheel with the program, made once and installed into an environment of its own, for several classes."""

import atexit
import functools
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from types import SimpleNamespace

import python_environment
from hidden import BUILD, environment, hiding
from program import SOURCE


@functools.cache
def installation():
    root = tempfile.mkdtemp(prefix="wheel")
    atexit.register(shutil.rmtree, root)
    made = subprocess.run([sys.executable, os.path.join(SOURCE, "cmake", "wheel.py"), BUILD, root], text=True, capture_output=True, timeout=600)
    if made.returncode:
        raise AssertionError(made.stdout + made.stderr)
    wheel = made.stdout.strip()
    programs = python_environment.make(os.path.join(root, "environment"), wheel)
    return SimpleNamespace(root=root, wheel=wheel, programs=programs, hide=hiding())


class Installed(unittest.TestCase):
    """Commands of a user who has installed the wheel; the checkout is out of reach."""

    @classmethod
    def setUpClass(cls):
        made = installation()
        cls.root, cls.wheel, cls.programs, cls.hide = made.root, made.wheel, made.programs, made.hide

    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=self.root)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def execute(self, *command, **variables):
        # No framework that this user has installed: what is found is the environment's.
        return subprocess.run([*self.hide, *command], cwd=self.folder, text=True, capture_output=True, timeout=300,
                              env={**environment(self.programs), "SCATTERPROOF_ENGINES": os.path.join(self.root, "engines"), **variables})

    def succeed(self, *command, **variables):
        done = self.execute(*command, **variables)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def fail_with(self, status, *command):
        done = self.execute(*command)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout
