# SPDX-License-Identifier: Apache-2.0
"""`doctor`: what is installed, what is missing, what to type."""

import json
import os
import shutil
import unittest

from fixture import Fixture
from program import SOURCE, run

CI = ("CI", "GITHUB_ACTIONS", "GITLAB_CI", "CIRCLECI", "BUILDKITE", "JENKINS_URL", "SLURM_JOB_ID", "KUBERNETES_SERVICE_HOST")


class Doctor(Fixture):
    def look(self, *flags, **env):
        """The exit code, and the findings for each subject: state, what, hint."""
        bare = {name: "" for name in CI}
        result = run("doctor", "--json", *flags, cwd=self.folder, env={**bare, "XDG_STATE_HOME": self.path("state"), **env})
        found = {}
        for one in json.loads(result.stdout)["findings"]:
            found.setdefault(one["subject"], []).append((one["state"], one["what"], one.get("hint", "")))
        return result.returncode, found

    def nothing_installed(self):
        os.makedirs(self.path("engines"), exist_ok=True)
        return {"SCATTERPROOF_ENGINES": self.path("engines")}

    def test_a_healthy_installation(self):
        code, found = self.look(**self.nothing_installed())
        self.assertEqual(code, 0, found)
        self.assertRegex(found["program"][0][1], r"^scatterproof 0\.\S+ \(git ")
        self.assertRegex(found["data"][0][1], r": \d\d+ specs, \d{3,} cases$")
        self.assertRegex(found["state"][0][1], r"writable, \d+ MiB free$")
        self.assertEqual(found["settings"], [("ok", "no scatterproof.yaml, no profile", "")])
        self.assertIn(("ok", "backend sqlite3 is there", ""), found["history"])
        self.assertIn(("ok", "backend postgresql is there", ""), found["history"])
        self.assertIn(("ok", "reference is installed", ""), found["engine"])
        self.assertEqual(found["ci"], [("ok", "no CI system in the environment", "")])
        self.assertEqual([len(found[one]) for one in ("python", "cuda", "shard")], [1, 1, 1])

    def test_as_text(self):
        result = run("doctor", cwd=self.folder, env=self.nothing_installed())
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertRegex(result.stdout, r"(?m)^note     engine    torch@\S+ is not installed\n +hint: scatterproof engines install torch$")
        self.assertRegex(result.stdout, r"\nSummary: nothing is missing, \d+ notes?\n\Z")

    def test_nothing_is_left_behind(self):
        self.look(**self.nothing_installed())
        self.assertFalse(os.path.exists(self.path("state")))

    def test_frameworks(self):
        env = self.nothing_installed()
        python = self.path("engines/numpy@1.0.0/bin/python")
        os.makedirs(os.path.dirname(python))
        broken = self.look(**env)
        self.write("engines/numpy@1.0.0/bin/python", "#!/bin/sh\nexit 3\n")
        os.chmod(python, 0o755)
        _, installed = self.look(**env)
        self.assertIn(("ok", "numpy@1.0.0 is installed", ""), installed["engine"])
        code, started = self.look("--start", **env)
        self.assertEqual(code, 7)
        words = next(one for one in started["engine"] if "numpy@1.0.0" in one[1])
        self.assertEqual((words[0], words[2]), ("missing", "scatterproof engines install numpy"))
        self.assertRegex(words[1], "^numpy@1.0.0 does not start: .")
        self.assertIn("ok", next(one for one in started["engine"] if one[1].startswith("reference started: version")))
        self.assertEqual(broken[0], 0)

    def test_started_without_frameworks(self):
        code, found = self.look("--start", **self.nothing_installed())  # thrust-cuda may have no device
        self.assertEqual((code, [one for one in found["engine"] if one[0] == "missing"]), (0, []))

    def test_a_release_whose_python_is_gone(self):
        env = self.nothing_installed()
        _, found = self.look(**env)
        name = next(one[1].split()[0] for one in found["engine"] if one[1].startswith("torch@"))
        os.makedirs(self.path(f"engines/{name}/bin"))
        code, found = self.look(**env)
        self.assertEqual(code, 0)
        self.assertIn(("note", f"{name} is installed, but its Python cannot be executed", "scatterproof engines install torch"), found["engine"])

    def test_data_that_is_not_there(self):
        code, found = self.look(SCATTERPROOF_DATA=self.path("gone"))
        self.assertEqual((code, found["data"][0][0]), (4, "missing"))
        self.assertIn("SCATTERPROOF_DATA", found["data"][0][2])

    def test_data_that_is_wrong(self):
        for folder in ("spec", "cases"):
            shutil.copytree(os.path.join(SOURCE, folder), self.path(f"data/{folder}"))
        self.change(self.path("data/spec/data/ops/torch/torch.gather.yaml"), "api:", "apo:")
        code, found = self.look(SCATTERPROOF_DATA=self.path("data"))
        self.assertEqual((code, found["data"][0][0]), (4, "missing"))
        self.assertRegex(found["data"][0][1], r"torch\.gather\.yaml:\d+:\d+: .*'apo'")

    def test_a_state_folder_that_cannot_be_made(self):
        code, found = self.look(XDG_STATE_HOME="/proc")  # not even by root
        self.assertEqual((code, found["state"][0][0]), (0, "note"))
        self.assertIn("runs are not kept: /proc", found["state"][0][1])

    def test_settings_in_force(self):
        self.write("scatterproof.yaml", "profile: ci\n")
        self.assertEqual(self.look()[1]["settings"], [("ok", "scatterproof.yaml, profile ci", "")])
        self.assertEqual(self.look("--profile", "quick")[1]["settings"][0][1], "scatterproof.yaml, profile quick")
        self.write("scatterproof.yaml", "commands:\n  rnu: {}\n")
        code, found = self.look()
        self.assertEqual(code, 4)
        self.assertEqual(found["settings"], [("missing", "scatterproof.yaml:2:3: unknown command 'rnu'", "did you mean 'run'?")])

    def test_a_history(self):
        self.assertIn(("ok", "there is no history yet", "scatterproof history add"), self.look()[1]["history"])
        stream = self.path("run.jsonl")
        run("run", "torch.gather/doc/*", "-e", "reference", "--report", f"jsonl={stream}", cwd=self.folder)
        run("history", "add", stream, "--db", self.path("h.db"))
        self.assertIn(("ok", f"{self.path('h.db')}: 1 runs", ""), self.look(SCATTERPROOF_HISTORY=self.path("h.db"))[1]["history"])
        self.write("bad.db", "no database")
        code, found = self.look(SCATTERPROOF_HISTORY=self.path("bad.db"))
        self.assertEqual((code, found["history"][-1][0]), (0, "note"))
        _, found = self.look(SCATTERPROOF_HISTORY="postgresql://me:secret@host/base")
        self.assertIn(("ok", "postgresql://...@host/base is not asked", "scatterproof doctor --start"), found["history"])

    def test_ci_and_shards(self):
        _, found = self.look(CI="true", GITLAB_CI="true", CI_NODE_INDEX="2", CI_NODE_TOTAL="4")
        self.assertEqual(found["ci"][0][1], "the environment has CI, GITLAB_CI")
        self.assertEqual(found["shard"], [("ok", "`--shard auto` takes 2/4: CI_NODE_INDEX decides", "")])
        _, found = self.look(CI_NODE_INDEX="2", CI_NODE_TOTAL="4", TEST_SHARD_INDEX="0", TEST_TOTAL_SHARDS="2")
        self.assertEqual(found["shard"][0][0], "note")
        self.assertIn("TEST_SHARD_INDEX says 1/2, and CI_NODE_INDEX says 2/4", found["shard"][0][1])


if __name__ == "__main__":
    unittest.main()
