# SPDX-License-Identifier: Apache-2.0
"""A PostgreSQL server of a test's own: in a temporary folder, reached by a socket there and by nothing
else."""

import glob
import os
import shutil
import subprocess
import tempfile
import time

OWNER = "nobody"  # the server refuses to run as root


def programs():
    """The folder of initdb and postgres, which Debian does not put on the PATH."""
    on_path = shutil.which("initdb")
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin")) or ([os.path.dirname(os.path.realpath(on_path))] if on_path else [])
    if not folders:
        raise RuntimeError("PostgreSQL is not installed: apt-get install postgresql")
    return folders[-1]


class Server:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="pg")
        self.run_as = {}
        if os.geteuid() == 0:
            shutil.chown(self.folder, OWNER)
            self.run_as = {"user": OWNER, "extra_groups": []}
        data = os.path.join(self.folder, "data")
        self.call("initdb", "-D", data, "-U", "tester", "--auth=trust", "-E", "UTF8", "--locale=C", "--no-sync")
        self.process = subprocess.Popen(
            [os.path.join(programs(), "postgres"), "-D", data, "-k", self.folder, "-c", "listen_addresses=", "-c", "fsync=off",
             "-c", "autovacuum=off"],
            cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **self.run_as)
        try:
            self.wait_until_ready()
        except BaseException:
            self.stop()
            raise

    def wait_until_ready(self):
        for _ in range(600):
            if self.call("pg_isready", "-q", "-h", self.folder, check=False).returncode == 0:
                return
            time.sleep(0.05)
        raise RuntimeError("PostgreSQL did not start")

    def call(self, program, *args, check=True):
        return subprocess.run([os.path.join(programs(), program), *args], cwd=self.folder, check=check, text=True,
                              capture_output=True, timeout=60, **self.run_as)

    def query(self, text, database="postgres"):
        return self.call("psql", "-h", self.folder, "-U", "tester", "-AtXc", text, database).stdout.strip()

    def url(self, database):
        """Of a new database."""
        self.query(f"CREATE DATABASE {database}")
        return f"postgresql:///{database}?host={self.folder}&user=tester"

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=60)
        shutil.rmtree(self.folder)
