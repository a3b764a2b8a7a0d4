# SPDX-License-Identifier: Apache-2.0
"""A folder of its own for each test, with files written into it."""

import os
import shutil
import tempfile
import unittest

from program import SOURCE


class Fixture(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="scatter proof ")  # with a space, as users have them
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as out:
            out.write(text)
        return self.path(name)

    def copy_of(self, *parts):
        """A copy of a shipped file, to be changed."""
        target = self.path(parts[-1])
        shutil.copy(os.path.join(SOURCE, *parts), target)
        return target

    def change(self, path, old, new):
        with open(path, encoding="utf-8") as source:
            text = source.read()
        self.assertIn(old, text)
        with open(path, "w", encoding="utf-8") as target:
            target.write(text.replace(old, new, 1))
