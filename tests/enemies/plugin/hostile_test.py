# SPDX-License-Identifier: Apache-2.0
"""Hostile kernels: what docs/use/test-your-kernel.md promises about the tool's process, with process
namespaces and without."""

import os
import signal
import subprocess
import tempfile
import time
import unittest

import namespaces
import small_data
from program import PROGRAM, run

small_data.use("torch/torch.Tensor.scatter_add_")

LIBRARY = os.path.join(os.environ["PLUGIN_LIBRARIES"], "libhostile.so")
CASES = "torch.Tensor.scatter_add_/doc/*"
DAEMON = "^/bin/sleep 3600.75"
LONGEST = 60  # seconds; many times what a run takes


def lives(pattern):
    return subprocess.run(["pgrep", "-f", pattern], stdout=subprocess.DEVNULL, check=False).returncode == 0


def ends(pattern):
    """Whether no such process is left, soon."""
    for _ in range(100):
        if not lives(pattern):
            return True
        time.sleep(0.1)
    return False


class Hostile:
    """The attacks that fail everywhere."""

    refuse = None  # for the program's process, before it begins

    def attack(self, how):
        """A run of the kernel: its exit code, its output, and the attacks that succeeded or were refused."""
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            log = os.path.join(folder, "log")
            environment = {**os.environ, "HOSTILE": how, "HOSTILE_LOG": log, "TMPDIR": folder, "XDG_STATE_HOME": folder}
            process = subprocess.Popen([PROGRAM, "run", "--engine", f"so:{LIBRARY}", CASES], env=environment, text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=type(self).refuse)
            try:
                said, _ = process.communicate(timeout=LONGEST)
            except subprocess.TimeoutExpired:
                process.kill()
                self.fail(f"{how}: the run hangs: {process.communicate()[0]}")
            self.assertTrue(ends(f"scatterproof_plugin_host.*{LIBRARY}"), "the kernel outlives the run")
            tried = []
            if os.path.exists(log):  # a kernel that ends the tool may end before it writes
                with open(log, encoding="utf-8") as lines:
                    tried = lines.read().splitlines()
        print(*tried, sep="\n", flush=True)
        return process.returncode, said, tried

    def assert_in_vain(self, how, tried_at_least):
        code, said, tried = self.attack(how)
        self.assertEqual([line for line in tried if not line.startswith("refused")], [])
        self.assertGreaterEqual(len(tried), tried_at_least)
        self.assertEqual(code, 0, said)

    def test_it_traces_no_thread_of_the_tool(self):
        self.assert_in_vain("trace", 2)

    def test_it_reads_none_of_the_tools_memory(self):
        self.assert_in_vain("read", 5)

    def test_a_daemon_without_environment_does_not_outlive_the_run(self):
        code, said, _ = self.attack("daemon")
        self.assertTrue(ends(DAEMON))
        self.assertEqual(code, 0, said)
        self.assertIn("outside its process group", said)

    def test_nor_one_whose_worker_dies_by_itself(self):
        code, said, _ = self.attack("daemon_and_die")
        self.assertTrue(ends(DAEMON))
        self.assertEqual(code, 1, said)
        self.assertIn("signal 11", said)
        self.assertIn("outside its process group", said)


@unittest.skipUnless(namespaces.are_given(), "this system refuses process namespaces: there, Together holds")
class Apart(Hostile, unittest.TestCase):
    """Each worker has a process namespace."""

    def test_it_kills_no_process_but_its_own(self):
        self.assert_in_vain("kill", 1)
        self.assert_in_vain("kill_all", 3)

    def test_it_stops_no_process_but_its_own(self):
        self.assert_in_vain("stop", 1)


class Together(Hostile, unittest.TestCase):
    """Workers have the process numbers of the tool."""

    refuse = staticmethod(namespaces.refuse)

    def test_a_kernel_that_ends_the_tool_ends_too(self):
        code, said, tried = self.attack("kill")
        self.assertEqual(code, -signal.SIGKILL, said)
        self.assertEqual([line for line in tried if not line.startswith("reached kill")], [])


class Told(unittest.TestCase):
    """`doctor` says which of the two a machine has."""

    def test_what_the_system_gives_is_used(self):
        gives = subprocess.run(["unshare", "--user", "--map-current-user", "--mount-proc", "--pid", "--fork", "true"],
                               stderr=subprocess.DEVNULL, check=False).returncode == 0
        self.assertEqual(namespaces.are_given(), gives)

    def test_a_refusal_is_told(self):
        said = run("doctor", preexec_fn=namespaces.refuse).stdout
        self.assertRegex(said, r"note +workers +they have no process namespace \(Operation not permitted\): a hostile kernel can end")


if __name__ == "__main__":
    unittest.main()
