# SPDX-License-Identifier: Apache-2.0
"""The recipes of docs/use/ci: their files follow the schemas of the CI systems, and their shell steps are
gates.

A step is taken out of its file and executed as the system would: its shell, its variables. `sudo` and
`apt-get` only say that they were called."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
import venv
import xml.etree.ElementTree

import small_data
from fixture import Fixture
from program import PROGRAM, SOURCE, run, stream

RECIPES = os.path.join(SOURCE, "docs/use/ci")
KERNELS = os.environ["KERNELS"]  # a folder of libraries
RIGHT = "add_blocked_16_0"
KNOWN, WORSE = "add_blocked_16_1", "rows_by_owner_1"  # two kernels that are wrong in different ways
TOOLS = os.environ["TOOLS"]  # a virtual environment that is kept between runs
SCHEMAS = "check-jsonschema==0.39.0"
ENGINE = "so:./libmine.so"
BLIND = f"--engine {ENGINE} torch.scatter_add/doc/example-1"  # a case that shows no fault
FUZZ = f"--engine {ENGINE} --api torch.scatter_add --cases 600"  # calls that do


def setUpModule():
    """The schemas that the CI systems publish, and a YAML reader, come with a tool from PyPI."""
    if not os.path.exists(os.path.join(TOOLS, "bin/check-jsonschema")):
        venv.create(TOOLS, with_pip=True, clear=True)
        subprocess.run([os.path.join(TOOLS, "bin/pip"), "install", "--quiet", SCHEMAS], check=True, timeout=300)


def yaml(name):
    """A YAML file as JSON data."""
    program = "import json, ruamel.yaml, sys; print(json.dumps(ruamel.yaml.YAML(typ='safe').load(open(sys.argv[1]))))"
    read = subprocess.run([os.path.join(TOOLS, "bin/python"), "-c", program, os.path.join(RECIPES, name)], check=True, capture_output=True)
    return json.loads(read.stdout)


class Recipe(Fixture):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("bin"))
        os.symlink(PROGRAM, self.path("bin/scatterproof"))
        for name, text in (("sudo", '#!/bin/sh\nexec "$@"\n'), ("apt-get", '#!/bin/sh\necho "$@" >>apt-get.log\n')):
            os.chmod(self.write(f"bin/{name}", text), 0o755)
        self.kernel(KNOWN)
        self.assertEqual(run("run", "-e", ENGINE, "--report", "jsonl=before.jsonl", cwd=self.folder).returncode, 1)
        self.assertEqual(run("baseline", "write", "expected.yaml", "--from", "before.jsonl", cwd=self.folder).returncode, 0)

    def kernel(self, name):
        shutil.copy(os.path.join(KERNELS, name + ".so"), self.path("libmine.so"))

    def execute(self, shell, script, **variables):
        """Runs a step and returns its exit code; its output is kept for messages."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("CI", "GITHUB_", "SCATTERPROOF"))}
        environment = {**clean, "PATH": self.path("bin") + ":" + os.environ["PATH"], "XDG_STATE_HOME": self.path("state"), **variables}
        if "SCATTERPROOF_ENGINES" in os.environ:
            environment["SCATTERPROOF_ENGINES"] = os.environ["SCATTERPROOF_ENGINES"]
        done = subprocess.run([*shell, "-c", script], cwd=self.folder, env=environment, text=True, capture_output=True, timeout=120)
        self.said = done.stdout + done.stderr
        return done.returncode

    def gate(self, pass_or_fail, **artifacts):
        """Passes with the baseline, fails without it and on another wrong kernel; each time its artifacts are
        complete."""
        for kernel, baseline, code in ((KNOWN, "expected.yaml", 0), (KNOWN, "", 1), (WORSE, "expected.yaml", 1)):
            self.kernel(kernel)
            shutil.rmtree(self.path("scatterproof-reports"), ignore_errors=True)
            self.assertEqual(pass_or_fail(baseline), code, self.said)
            self.check_artifacts(failing=code == 1, **artifacts)

    def check_artifacts(self, failing, html="scatterproof-reports/run.html"):
        whole = stream(self.path("scatterproof-reports/run.jsonl"))
        self.assertEqual((whole[0]["type"], whole[-1]["type"], len(whole) - 2), ("header", "end", whole[-1]["records"]))
        if os.path.exists(self.path("scatterproof-reports/run.xml")):
            suites = xml.etree.ElementTree.parse(self.path("scatterproof-reports/run.xml")).getroot()
            self.assertEqual(any(True for _ in suites.iter("failure")), failing)
        with open(self.path(html), encoding="utf-8") as file:
            self.assertTrue(file.read().lower().startswith("<!doctype html>"))

    def fuzz_follows(self, gate):
        """Generated calls find what no case shows, and nothing in the right kernel."""
        self.kernel(KNOWN)
        self.assertEqual(gate(), 1, self.said)
        self.assertIn("600 calls made", self.said)
        self.assertTrue(os.listdir(self.path("scatterproof-reports/findings")))
        self.assertGreater(os.path.getsize(self.path("scatterproof-reports/fuzz.xml")), 0)
        self.kernel(RIGHT)
        shutil.rmtree(self.path("scatterproof-reports"))
        self.assertEqual(gate(), 0, self.said)

    def schema(self, name, *which):
        checked = subprocess.run([os.path.join(TOOLS, "bin/check-jsonschema"), *which, os.path.join(RECIPES, name)], text=True, capture_output=True)
        self.assertEqual(checked.returncode, 0, checked.stdout)


def small_data_folder(case):
    """Few specs, so that a site takes no time."""
    folder = tempfile.mkdtemp(prefix="scatter proof data ")
    case.addCleanup(shutil.rmtree, folder)
    small_data.make(folder, "torch/torch.gather", "numpy/numpy.take_along_axis")
    return folder


class Site(Fixture):
    """Both recipes make the site, keep results, and start from them the next time."""

    def execute(self, *step, **variables):
        return Recipe.execute(self, *step, **variables)

    def makes(self, script):
        os.mkdir(self.path("bin"))
        os.symlink(PROGRAM, self.path("bin/scatterproof"))
        data = small_data_folder(self)
        for engines, names in (("reference", ["reference"]), ("openmp", ["openmp", "reference"])):
            self.assertEqual(self.execute(("bash", "-eo", "pipefail"), script, ENGINES=engines, SCATTERPROOF_DATA=data), 0, self.said)
            kept = sorted(name.split("@")[0] for name in os.listdir(self.path("scatterproof-results")))
            self.assertEqual([name for name in kept if name in ("openmp", "reference")], names)
            with open(self.path("public/api-torch.gather.html"), encoding="utf-8") as page:
                self.assertIn("enforced", page.read())

    def test_github(self):
        Recipe.schema(self, "github/site.yml", "--builtin-schema", "vendor.github-workflows")
        self.makes(next(one["run"] for one in yaml("github/site.yml")["jobs"]["site"]["steps"] if one.get("name") == "Make"))

    def test_gitlab(self):
        Recipe.schema(self, "gitlab/site.yml", "--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci")
        self.makes("\n".join(yaml("gitlab/site.yml")["pages"]["script"]))


class Shell(Recipe):
    def test_it_is_a_gate(self):
        script = os.path.join(RECIPES, "gate.sh")
        self.gate(lambda baseline: self.execute(("sh",), f"sh '{script}' --engine {ENGINE}", SCATTERPROOF_BASELINE=baseline))
        self.assertGreater(os.path.getsize(self.path("scatterproof-reports/run.md")), 0)

    def test_generated_calls_follow_cases_that_went_well(self):
        script = os.path.join(RECIPES, "gate.sh")
        self.fuzz_follows(lambda: self.execute(("sh",), f"sh '{script}' {BLIND}", SCATTERPROOF_FUZZ=FUZZ))


class GitHub(Recipe):
    BASH = ("bash", "--noprofile", "--norc", "-eo", "pipefail")

    def step(self, name, **given):
        """A step of the action with these inputs, and the defaults of the others."""
        action = yaml("github/action.yml")
        inputs = {key: given.get(key, one.get("default", "")) for key, one in action["inputs"].items()}
        step = next(one for one in action["runs"]["steps"] if one["name"] == name)
        self.assertNotIn("${{", step["run"], "what is put into a script is executed")
        environment = {key: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: inputs[found[1]], text) for key, text in step["env"].items()}
        return self.execute(self.BASH, step["run"], GITHUB_ACTIONS="true", GITHUB_OUTPUT=self.path("output"),
                            GITHUB_STEP_SUMMARY=self.path("summary.md"), **environment)

    def text(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def test_files_follow_the_published_schemas(self):
        self.schema("github/action.yml", "--builtin-schema", "vendor.github-actions")
        self.schema("github/workflow.yml", "--builtin-schema", "vendor.github-workflows")
        steps = yaml("github/workflow.yml")["jobs"]["shards"]["steps"]
        given = next(one["with"] for one in steps if "actions/scatterproof" in one.get("uses", ""))
        self.assertLessEqual(set(given), set(yaml("github/action.yml")["inputs"]))

    def test_the_action_is_a_gate(self):
        self.gate(lambda baseline: self.step("Judge", arguments=f"--engine '{ENGINE}'", baseline=baseline))
        self.assertEqual(self.text("output"), "status=0\nstatus=1\nstatus=1\n")
        self.assertIn("::error", self.said)
        self.assertIn("scatterproof", self.text("summary.md"))

    def test_generated_calls_follow(self):
        self.fuzz_follows(lambda: self.step("Judge", arguments=BLIND, fuzz=FUZZ))

    def test_a_mistake_in_the_arguments_is_told_as_one(self):
        self.assertEqual(self.step("Judge", arguments="--engin reference"), 4)
        self.assertIn("did you mean '--engine'?", self.said)

    def test_a_package_is_installed(self):
        package = self.write("the package.deb", "")
        self.assertEqual(self.step("Install", package="the package.deb"), 0, self.said)
        self.assertIn(f"install --yes --no-install-recommends {os.path.realpath(package)}\n", self.text("apt-get.log"))

    def test_the_parts_of_the_workflow_are_joined(self):
        jobs = yaml("github/workflow.yml")["jobs"]
        for shard in jobs["shards"]["strategy"]["matrix"]["shard"]:
            self.step("Judge", arguments=f"--engine {ENGINE}", baseline="expected.yaml", shard=f"{shard}/4")
            os.makedirs(self.path(f"shards/shard-{shard}"))
            os.rename(self.path("scatterproof-reports/run.jsonl"), self.path(f"shards/shard-{shard}/run.jsonl"))
        join = next(one["run"] for one in jobs["whole"]["steps"] if one.get("name") == "Join")
        self.assertEqual(self.execute(self.BASH, join), 0, self.said)
        self.assertEqual(len(stream(self.path("run.jsonl"))), len(stream(self.path("before.jsonl"))))
        shutil.rmtree(self.path("shards/shard-3"))
        self.assertEqual(self.execute(self.BASH, join), 7, self.said)
        self.assertIn("shard 3/4 is missing", self.said)


class GitLab(Recipe):
    def job(self, name, **variables):
        template = yaml("gitlab/scatterproof.yml")
        job = {**template[template[name]["extends"]], **template[name]}
        return self.execute(("bash", "-eo", "pipefail"), "\n".join([*job["before_script"], *job["script"]]), CI="true",
                            **{**template["variables"], **variables})

    def test_the_file_follows_the_published_schema(self):
        self.schema("gitlab/scatterproof.yml", "--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci")

    def test_it_is_a_gate(self):
        shards = yaml("gitlab/scatterproof.yml")["scatterproof-shards"]
        parts = shards["parallel"]

        def pipeline(baseline):
            for index in range(1, parts + 1):
                code = self.job("scatterproof-shards", CI_NODE_INDEX=str(index), CI_NODE_TOTAL=str(parts), SCATTERPROOF_BASELINE=baseline)
                self.assertIn(code, [0, *shards["allow_failure"]["exit_codes"]], self.said)
                self.assertIn("by CI_NODE_INDEX", self.said)
            return self.job("scatterproof", SCATTERPROOF_FUZZ="")  # the baseline is about cases

        self.gate(pipeline)
        self.assertEqual(self.job("scatterproof", SCATTERPROOF_PACKAGE="expected.yaml", SCATTERPROOF_FUZZ=""), 1)
        with open(self.path("apt-get.log"), encoding="utf-8") as log:
            self.assertIn("expected.yaml", log.read())


    def test_generated_calls_follow(self):
        def pipeline():
            self.job("scatterproof-shards", CI_NODE_INDEX="1", CI_NODE_TOTAL="1", SCATTERPROOF_ARGUMENTS=BLIND)
            return self.job("scatterproof", SCATTERPROOF_FUZZ=FUZZ)

        self.fuzz_follows(pipeline)


class Jenkins(Recipe):
    def test_it_is_a_gate(self):
        with open(os.path.join(RECIPES, "jenkins/Jenkinsfile"), encoding="utf-8") as file:
            text = file.read()
        given = dict(re.findall(r"^    (SCATTERPROOF_\w+) = '([^']*)'", text, re.M))
        install, judge = [script.replace("\\\\", "\\") for script in re.findall(r"sh '''(.*?)'''", text, re.S)]
        jenkins = {"JENKINS_URL": "https://jenkins.example/", "BUILD_NUMBER": "1"}
        known = {**given, **jenkins, "SCATTERPROOF_FUZZ": ""}  # the baseline is about cases
        self.gate(lambda baseline: self.execute(("sh", "-xe"), judge, **{**known, "SCATTERPROOF_BASELINE": baseline}),
                  html="scatterproof-reports/html/index.html")
        self.assertEqual(self.execute(("sh", "-xe"), install, **{**given, **jenkins, "SCATTERPROOF_PACKAGE": "expected.yaml"}), 0, self.said)
        self.fuzz_follows(lambda: self.execute(("sh", "-xe"), judge, **{**given, **jenkins, "SCATTERPROOF_ARGUMENTS": BLIND, "SCATTERPROOF_FUZZ": FUZZ}))


if __name__ == "__main__":
    unittest.main()
