# SPDX-License-Identifier: Apache-2.0
"""A maintainer's story: a baseline from one release of torch, the next release checked against it, and both
in reports, in the history and on several machines. The earlier release is Debian's, for the system's
Python."""

import glob
import os
import pathlib
import re
import shutil
import tempfile
import unittest
import xml.etree.ElementTree

from browser import Browser
from postgres import Server
from program import run, stream
from slurm import Cluster

SYSTEM_PYTHON = "/usr/bin/python3"
SOURCE = os.environ["SOURCE"]
APIS = "torch.*"
# torch 1.13 takes memory that was never written for the end of a slice that has none, and its embedding_bag
# writes behind the result where the last offset is included.
ALIKE_EACH_TIME = "not slice_scatter and not embedding_bag"
FIXED = "torch.index_add/rule/same-rank/breaks/less"  # refused since, as its document says
CHANGED = "torch.take_along_dim/rule/index-not-negative/breaks/last"  # refused once, wrapped now
CHANGED_METHOD = CHANGED.replace("torch.", "torch.Tensor.")
UNEXPECTED, AS_EXPECTED = 1, 0


def fails(record):
    return record["disposition"] == "unexpected"


class Story(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="story ")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.environment = {"SCATTERPROOF_ENGINES": cls.path("engines"), "XDG_STATE_HOME": cls.path("state"),
                           "SCATTERPROOF_DATA": cls.data_before_the_older_release_was_looked_at()}
        newer = sorted(glob.glob(os.path.expanduser("~/.local/share/scatterproof/engines/torch@2*")))[-1]
        cls.newer = os.path.basename(newer)
        os.makedirs(cls.path("engines"))
        os.symlink(newer, cls.path("engines/" + cls.newer))
        taken = cls.call("engines", "install", "torch", "--python", SYSTEM_PYTHON)
        cls.older = taken.stdout.removesuffix(" is ready\n")
        cls.codes = {"older": cls.judge(cls.older, "older").returncode}
        cls.written = cls.call("baseline", "write", "ci.yaml", "--from", "older.jsonl")
        cls.codes["older again"] = cls.judge(cls.older, "again", "--baseline", "ci.yaml").returncode
        cls.held = cls.judge(cls.newer, "newer", "--baseline", "ci.yaml", "--report", "junit=newer.xml")
        cls.call("history", "add", "older.jsonl", "newer.jsonl", "--db", cls.path("history.db"))

    @classmethod
    def data_before_the_older_release_was_looked_at(cls):
        """The shipped data, with a baseline without entries for the older release."""
        data = cls.path("data")
        for folder in ("spec", "cases", "engines/workers"):
            shutil.copytree(os.path.join(SOURCE, folder), os.path.join(data, folder))
        place = os.path.join(data, "engines/workers/torch/baseline.yaml")
        with open(place, encoding="utf-8") as file:
            entries = re.split(r"(?m)^(?=  - case:)", file.read())
        known = [one.replace(">=1.13,<=", "==") for one in entries if '"==1.13.' not in one]
        with open(place, "w", encoding="utf-8") as file:
            file.write("".join(known))
        return data

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    @classmethod
    def call(cls, *args):
        return run(*args, cwd=cls.folder, env=cls.environment)

    @classmethod
    def judge(cls, engine, name, *args):
        return cls.call("run", APIS, "-k", ALIKE_EACH_TIME, "--engine", engine, "--report", f"jsonl={name}.jsonl", "--report", "console", *args)

    def good(self, *args):
        done = self.call(*args)
        self.assertEqual(done.returncode, AS_EXPECTED, done.stdout + done.stderr)
        return done.stdout

    def test_the_baseline_makes_the_older_release_as_expected(self):
        failed = [one for one in stream(self.path("older.jsonl"))[1:-1] if fails(one)]
        self.assertGreater(len(failed), 10)
        self.assertEqual(self.codes["older"], UNEXPECTED)
        self.assertRegex(self.written.stdout, rf"entries added for {len(failed)} failures")
        with open(self.path("ci.yaml"), encoding="utf-8") as file:
            self.assertEqual(set(re.findall(r"^    engine: (.*)$", file.read(), re.M)), {"torch"}, "the next release is held against it")
        self.assertEqual(self.codes["older again"], AS_EXPECTED)

    def test_the_newer_release_has_fixed_what_the_baseline_expects(self):
        self.assertEqual(self.held.returncode, UNEXPECTED, self.held.stdout)
        self.assertIn(f"{FIXED} on torch did not fail in this way: remove this case", self.held.stdout)
        self.assertEqual(self.judge(self.newer, "allowed", "--baseline", "ci.yaml", "--allow-fixed").returncode, AS_EXPECTED)
        pruned = self.path("pruned.yaml")
        shutil.copy(self.path("ci.yaml"), pruned)
        self.good("baseline", "prune", pruned, "--from", "newer.jsonl")
        self.assertEqual(self.judge(self.newer, "after", "--baseline", pruned).returncode, AS_EXPECTED)
        # Back on the older release, the pruned failures are new.
        back = self.judge(self.older, "back", "--baseline", pruned)
        self.assertEqual(back.returncode, UNEXPECTED)
        new = {one["id"]: one["verdict"] for one in stream(self.path("back.jsonl"))[1:-1] if fails(one)}
        self.assertEqual(new[FIXED], "missing_error")

    def test_the_difference_has_witnesses_and_versions(self):
        told = self.call("diff", "older.jsonl", "newer.jsonl", "-v")
        self.assertEqual(told.returncode, UNEXPECTED, told.stderr)
        changed = re.search(rf"^\w+ {re.escape(CHANGED)} on .*?\n\n", told.stdout, re.M | re.S)[0]
        self.assertRegex(changed, r"before: open .*refused RuntimeError")
        self.assertRegex(changed, r"after: open .*wrapped_once.*produced f32")
        self.assertIn(f"--engine {self.newer}", changed)
        self.assertIn(FIXED, told.stdout)

    def test_junit_is_what_a_strict_reader_takes(self):
        records = stream(self.path("newer.jsonl"))[1:-1]
        entries = stream(self.path("newer.jsonl"))[-1]["stale"]
        root = xml.etree.ElementTree.parse(self.path("newer.xml")).getroot()
        cases = list(root.iter("testcase"))
        self.assertEqual(len(cases), len(records) + len(entries))
        self.assertEqual(int(root.get("failures")), len([one for one in cases if one.find("failure") is not None]))
        self.assertEqual(int(root.get("failures")), len([one for one in records if fails(one)]) + len(entries))

    def check_history(self, place):
        trend = self.good("history", "trend", "--engine", "torch", "--db", place).splitlines()
        self.assertEqual(len(trend), 2, trend)
        for line, engine in zip(trend, (self.older, self.newer)):
            self.assertIn(engine.replace("@", " "), line)
        no_kept_runs = {"XDG_STATE_HOME": self.path("none"), "SCATTERPROOF_HISTORY": place}
        told = run("diff", self.older, self.newer, cwd=self.folder, env={**self.environment, **no_kept_runs})
        self.assertEqual(told.returncode, UNEXPECTED, told.stdout + told.stderr)
        self.assertIn(place, told.stderr)
        self.assertRegex(told.stdout, rf"(?m)^other .*practice index_repair/wrapped_once/indices; {re.escape(CHANGED_METHOD)} and 2 more$")

    def test_the_history_in_a_file(self):
        self.check_history(self.path("history.db"))

    def test_the_history_on_a_server(self):
        server = Server()
        self.addCleanup(server.stop)
        place = server.url("story")
        self.good("history", "add", "older.jsonl", "newer.jsonl", "--db", place)
        self.check_history(place)

    def test_the_page_in_a_browser(self):
        page = self.path("page.html")
        shown = self.call("report", "newer.jsonl", "--history", "--db", self.path("history.db"), "--report", f"html={page}")
        self.assertEqual(shown.returncode, UNEXPECTED, shown.stderr)
        browser = Browser()
        self.addCleanup(browser.close)
        browser.log("browser")
        browser.open(pathlib.Path(page).as_uri())
        text = browser.run("return document.body.textContent")
        self.assertIn(FIXED, text)
        self.assertIn(self.newer, text)
        self.assertGreater(browser.run("return document.querySelectorAll('svg title').length"), 0)
        browser.click(".matrix tr[data-api='torch.index_add'] td a")
        self.assertNotEqual(browser.run("return location.hash"), "")
        self.assertEqual([one for one in browser.log("browser") if one["level"] == "SEVERE"], [])

    def test_the_same_on_several_machines(self):
        cluster = Cluster()
        self.addCleanup(cluster.stop)
        out = self.path("shards")
        environment = {**cluster.environment, **self.environment}
        queued = run("submit", "slurm", "--shards", "3", "--out", out, "--", "run", APIS, "-k", ALIKE_EACH_TIME, "--engine", self.newer,
                     "--baseline", self.path("ci.yaml"), cwd=self.folder, env=environment)
        self.assertEqual(queued.returncode, 0, queued.stderr)
        cluster.wait_for_jobs()
        whole, parts = stream(self.path("newer.jsonl")), stream(os.path.join(out, "run.jsonl"))

        def seen(lines):
            return sorted((one["id"], one["engine"], one["verdict"], one["disposition"], one.get("diagnosis")) for one in lines[1:-1])

        self.assertEqual(seen(parts), seen(whole))
        self.assertEqual(parts[-1]["exit_code"], whole[-1]["exit_code"])
        with open(self.path("ci.yaml"), encoding="utf-8") as file:
            begins = [number for number, line in enumerate(file, 1) if line.startswith("  - ")]

        def entries(lines):
            """A shard has some cases of an entry, and names those."""
            return {max(begin for begin in begins if begin <= one["line"]) for one in lines[-1]["stale"]}

        self.assertEqual(entries(parts), entries(whole))


if __name__ == "__main__":
    unittest.main()
