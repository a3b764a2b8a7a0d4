# SPDX-License-Identifier: Apache-2.0
"""Executes docs/use/ci.md literally: each command, in order, exits as its comment says, or with 0."""

import os
import re
import shutil
import subprocess
import unittest

from fixture import Fixture
from program import PROGRAM, SOURCE


class Guide(Fixture):
    def test_every_command_exits_as_it_says(self):
        with open(os.path.join(SOURCE, "docs/use/ci.md"), encoding="utf-8") as file:
            commands = [line for block in re.findall(r"^```sh\n(.*?)^```", file.read(), re.M | re.S) for line in block.splitlines()]
        self.assertGreater(len(commands), 10)
        os.mkdir(self.path("bin"))
        os.symlink(PROGRAM, self.path("bin/scatterproof"))
        shutil.copy(os.path.join(SOURCE, "docs/use/ci/gate.sh"), self.folder)  # as the text says
        environment = {**os.environ, "PATH": self.path("bin") + ":" + os.environ["PATH"], "XDG_STATE_HOME": self.path("state")}
        for command in commands:
            says = re.search(r"# exits with (\d)$", command)
            done = subprocess.run(["sh", "-c", command], cwd=self.folder, env=environment, text=True, capture_output=True, timeout=120)
            self.assertEqual(done.returncode, int(says[1]) if says else 0, f"{command}\n{done.stdout}{done.stderr}")
            self.assertLessEqual(len(done.stdout.splitlines()), 60, f"one fault, told in few lines: {command}\n{done.stdout}")
        with open(self.path("scatterproof-baseline.yaml"), encoding="utf-8") as file:
            self.assertLessEqual(file.read().count("  - case:"), 10, "entries for one fault")
        back = subprocess.run(["bin/scatterproof", "diff", "today.jsonl", "run.jsonl"], cwd=self.folder, env=environment, text=True, capture_output=True)
        self.assertRegex(back.stdout, r"(?m)^worse \d+ calls of \d+ APIs \(\d operations\)")
        self.assertLessEqual(len(back.stdout.splitlines()), 12, f"one fault, told in few lines\n{back.stdout}")
        for made in ("run.html", "run.xml", "fuzz.xml", "history.db", "scatterproof-reports/run.md"):
            self.assertTrue(os.path.getsize(self.path(made)) > 0, made)

    def test_links_lead_somewhere(self):
        with open(os.path.join(SOURCE, "docs/use/ci.md"), encoding="utf-8") as file:
            links = re.findall(r"\]\(([^)#]+)\)", file.read())
        for link in links:
            self.assertTrue(os.path.exists(os.path.join(SOURCE, "docs/use", link)), link)


if __name__ == "__main__":
    unittest.main()
