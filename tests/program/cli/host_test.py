# SPDX-License-Identifier: Apache-2.0
"""Engines that are programs of their own, as a user meets them: there, not built, without a device; and
so:PATH."""

import os
import shutil
import stat
import tempfile
import unittest

import program
import small_data
from program import run

small_data.use("torch/torch.gather")

TEST_HOST = os.environ["TEST_HOST"]


class HostedEngines(unittest.TestCase):
    def setUp(self):
        """A tool in a folder of its own, without frameworks, where programs can be put next to it."""
        self.folder = tempfile.mkdtemp(prefix="scatter proof ")
        self.addCleanup(shutil.rmtree, self.folder)
        self.tool = shutil.copy(program.PROGRAM, self.folder)
        self.env = {"SCATTERPROOF_ENGINES": os.path.join(self.folder, "none"), "XDG_STATE_HOME": self.folder}

    def run_tool(self, *args):
        original, program.PROGRAM = program.PROGRAM, self.tool
        try:
            return run(*args, cwd=self.folder, env=self.env)
        finally:
            program.PROGRAM = original

    def lay(self, name, arguments="", first=":"):
        """A host of that name: the test host with these arguments, after a command that has to succeed."""
        path = os.path.join(self.folder, "libexec", "scatterproof", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as script:
            script.write(f"#!/bin/sh\n{first} && exec '{TEST_HOST}' {arguments}\n")
        os.chmod(path, stat.S_IRWXU)

    def test_not_built_is_said_and_fails_nothing(self):
        why = "not built: in a checkout, ./dev build --cuda makes it where there is a CUDA compiler"
        listed = self.run_tool("engines", "list")
        self.assertIn(why, listed.stdout)
        everywhere = self.run_tool("run", "torch.gather/*")
        self.assertEqual(everywhere.returncode, 0, everywhere.stdout + everywhere.stderr)
        self.assertRegex(everywhere.stdout, r"unavailable: thrust-cuda, thrust-cuda-deterministic \(not built: in a checkout,\s+./dev build")
        named = self.run_tool("run", "torch.gather/*", "--engine", "thrust-cuda")
        self.assertEqual(named.returncode, 4)
        self.assertIn("thrust-cuda is not built: in a checkout, ./dev build --cuda", named.stderr)

    def test_without_a_device_is_said_and_fails_only_who_asks_for_it(self):
        self.lay("scatterproof_thrust_cuda_host", "no-device")
        listed = self.run_tool("engines", "list", "thrust-cuda")
        self.assertIn("unavailable: no device", listed.stdout)
        everywhere = self.run_tool("run", "torch.gather/*")
        self.assertEqual(everywhere.returncode, 0, everywhere.stdout + everywhere.stderr)
        self.assertRegex(everywhere.stdout, r"thrust-cuda,\s+thrust-cuda-deterministic\s+\(no\s+device\)")
        named = self.run_tool("run", "torch.gather/*", "--engine", "thrust-cuda")
        self.assertEqual(named.returncode, 7)
        self.assertIn("thrust-cuda is unavailable: no device", named.stderr)

    def test_what_is_there_is_run_and_judged(self):
        self.lay("scatterproof_thrust_cuda_host")
        named = self.run_tool("run", "torch.gather/*", "--engine", "thrust-cuda")
        self.assertEqual(named.returncode, 0, named.stdout + named.stderr)
        checked = self.run_tool("engines", "check", "thrust-cuda")
        self.assertEqual(checked.returncode, 0, checked.stdout)
        self.assertIn("a prepared call is repeated and timed", checked.stdout)
        installed = self.run_tool("engines", "install", "thrust-cuda")
        self.assertEqual(installed.returncode, 0, installed.stderr)
        self.assertIn("nothing to install", installed.stderr)

    def test_a_library_is_handed_to_its_host(self):
        library = os.path.join(self.folder, "libmine.so")
        with open(library, "wb") as out:
            out.write(b"not looked at here")
        without = self.run_tool("run", "--engine", "so:./libmine.so")
        self.assertEqual(without.returncode, 4)
        self.assertIn("libexec/scatterproof/scatterproof_plugin_host", without.stderr)
        self.lay("scatterproof_plugin_host", first='cd / && test -f "$1"')
        hosted = self.run_tool("run", "torch.gather/*", "--engine", "so:./libmine.so", "--report", "jsonl=r.jsonl")
        self.assertEqual(hosted.returncode, 0, hosted.stdout + hosted.stderr)
        _, record, *_ = program.stream(os.path.join(self.folder, "r.jsonl"))
        self.assertEqual(record["engine"], "so:./libmine.so")
        missing = self.run_tool("run", "--engine", "so:./libmein.so")
        self.assertEqual(missing.returncode, 4)
        self.assertIn("cannot read the file './libmein.so'", missing.stderr)
        self.assertIn("hint:", missing.stderr)


if __name__ == "__main__":
    unittest.main()
