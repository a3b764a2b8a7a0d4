# SPDX-License-Identifier: Apache-2.0
"""The Debian package, installed by dpkg into a root of its own, and the unpacked archive: the program runs
from there with the checkout out of reach, and pytest finds the plug-in of the wheel that is in them."""

import glob
import os
import shutil
import subprocess
import tarfile
import tempfile
import unittest

import python_environment
from hidden import BUILD, environment, hiding
from program import run as run_built

SHIPPED = ("bin/scatterproof", "libexec/scatterproof/scatterproof_plugin_host", "include/scatterproof/kernel_abi.h",
           "share/cmake/scatterproof/scatterproofConfig.cmake", "share/cmake/scatterproof/scatterproofAddTests.cmake",
           "share/cmake/scatterproof/scatterproofFindTests.cmake", "share/man/man1/scatterproof.1",
           "share/man/man1/scatterproof-run.1", "share/bash-completion/completions/scatterproof",
           "share/doc/scatterproof/README.md", "share/doc/scatterproof/docs/use/pytest.md",
           "share/scatterproof/spec/data/ops/torch/torch.gather.yaml", "share/scatterproof/engines/workers/numpy/worker.py",
           f"share/scatterproof/python/scatterproof-{os.environ['VERSION']}-py3-none-any.whl")
AS_ROOT = [] if os.geteuid() == 0 else ["unshare", "-r"]  # dpkg asks for it


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = tempfile.mkdtemp(prefix="packages")
        cls.addClassCleanup(shutil.rmtree, cls.root)
        subprocess.run(["cpack", "--config", os.path.join(BUILD, "CPackConfig.cmake"), "-B", cls.root], check=True,
                       stdout=subprocess.DEVNULL)
        (cls.package,) = glob.glob(os.path.join(cls.root, "*.deb"))
        (cls.archive,) = glob.glob(os.path.join(cls.root, "*.tar.gz"))
        cls.hide = hiding()

    def execute(self, *command, programs):
        folder = tempfile.mkdtemp(dir=self.root)
        return subprocess.run([*self.hide, *command], cwd=folder, env=environment(*programs), text=True, capture_output=True,
                              timeout=300)

    def succeed(self, *command, programs):
        done = self.execute(*command, programs=programs)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def dpkg(self, root, *words):
        path = os.environ["PATH"] + ":/usr/sbin:/sbin"
        return subprocess.run([*AS_ROOT, "dpkg", f"--root={root}", "--force-script-chrootless", *words], text=True,
                              capture_output=True, env={**os.environ, "PATH": path, "LC_ALL": "C"})

    def debian_root(self, status):
        """An empty root in which dpkg regards the packages of this status file as installed."""
        root = tempfile.mkdtemp(dir=self.root)
        for folder in ("info", "updates", "triggers"):
            os.makedirs(os.path.join(root, "var/lib/dpkg", folder))
        with open(os.path.join(root, "var/lib/dpkg/status"), "w", encoding="utf-8") as file:
            file.write(status)
        return root

    def check_prefix(self, prefix):
        for name in SHIPPED:
            self.assertTrue(os.path.isfile(os.path.join(prefix, name)), name)
        programs = [os.path.join(prefix, "bin")]
        self.assertTrue(self.succeed("scatterproof", "list", programs=programs) == run_built("list").stdout)
        self.assertIn("Summary: as expected", self.succeed("scatterproof", "run", "--engine", "reference", "torch.gather/*",
                                                           programs=programs))
        self.assertRegex(self.succeed("scatterproof", "fuzz", "--api", "torch.gather", "--cases", "200", "--engine",
                                                       "openmp", programs=programs),
                         r"Summary: as expected, 1\d\d calls judged, of them 0 failed; not judged: \d+ open")

    def check_plug_in(self, prefix):
        (wheel,) = glob.glob(os.path.join(prefix, "share/scatterproof/python/*.whl"))
        with python_environment.folder() as folder:
            programs = [python_environment.make(folder, wheel), os.path.join(prefix, "bin")]
            self.assertRegex(self.succeed("pytest", "--scatterproof-engine=numpy", "--scatterproof-api=numpy.put", "-v", programs=programs),
                             r"(?s)plugins: scatterproof-.*scatterproof::numpy::numpy.put PASSED")

    def test_the_debian_package(self):
        with open("/var/lib/dpkg/status", encoding="utf-8") as file:
            root = self.debian_root(file.read())
        installed = self.dpkg(root, "--install", self.package)
        self.assertEqual(installed.returncode, 0, installed.stderr)
        self.check_prefix(os.path.join(root, "usr"))
        self.check_plug_in(os.path.join(root, "usr"))
        removed = self.dpkg(root, "--remove", "scatterproof")
        self.assertEqual(removed.returncode, 0, removed.stderr)
        self.assertFalse(os.path.exists(os.path.join(root, "usr/bin/scatterproof")))

    def test_the_debian_package_asks_for_what_it_needs(self):
        refused = self.dpkg(self.debian_root(""), "--install", self.package)
        self.assertEqual(refused.returncode, 1, refused.stderr)
        self.assertIn("scatterproof depends on libsoci-sqlite3-", refused.stderr)
        needs = subprocess.run(["dpkg-deb", "-f", self.package, "Depends", "Recommends"], check=True, text=True, capture_output=True).stdout
        for library in ("libz3-4", "libtbb12", "libyaml-cpp0.7", "libsoci-core", "libsoci-postgresql", "python3-venv"):
            self.assertIn(library, needs)

    def test_the_archive(self):
        folder = tempfile.mkdtemp(dir=self.root, prefix="with space ")
        with tarfile.open(self.archive) as archive:
            archive.extractall(folder)  # our own archive; Debian 12 has no filter=
        (prefix,) = glob.glob(os.path.join(folder, "*"))
        self.check_prefix(prefix)


if __name__ == "__main__":
    unittest.main()
