# SPDX-License-Identifier: Apache-2.0
"""A plug-in for pytest: one test for each engine and API. Each test runs the program scatterproof
(docs/use/pytest.md)."""

import collections
import json
import os
import shlex
import subprocess
import tempfile
import warnings

import pytest
from scatterproof.program import INTERPRETER, environment, find_program

AS_EXPECTED, UNEXPECTED, NOTHING_RAN = 0, 1, 5  # exit codes of the program
# Verdicts of calls that were not judged, in the order of the program's reports.
NOT_JUDGED = ("open", "unsupported", "infra", "disputed")
ALLOWED = ("pass", "weak")


def pytest_addoption(parser):
    group = parser.getgroup("scatterproof", "scatterproof: scatter and gather operators against their documents")
    several = {"action": "append", "default": []}
    group.addoption("--scatterproof-engine", metavar="ENGINE", help=(
        "add a test for each API of this engine: a framework of this interpreter, such as torch, or what "
        "`scatterproof run --engine` takes; repeatable"), **several)
    group.addoption("--scatterproof-api", metavar="API", help="only this API, or glob on APIs; repeatable", **several)
    group.addoption("--scatterproof-baseline", metavar="FILE", help="file of expected failures; repeatable", **several)
    group.addoption("--scatterproof-retries", metavar="N", type=int, default=0, help=(
        "try an unexpected failure again up to N times, each on a freshly started engine; one that passes is flaky"))
    group.addoption("--scatterproof-program", metavar="PATH", help=(
        "the program [default: the one in this package, or on the PATH]"))


def pytest_configure(config):
    config.addinivalue_line("markers", "scatterproof: an API of an engine, held against its document")
    config.pluginmanager.register(Summary(), "scatterproof-summary")


@pytest.hookimpl(tryfirst=True)  # before -k and -m select
def pytest_collection_modifyitems(session, config, items):
    for name in config.getoption("--scatterproof-engine"):
        engine = Engine.from_parent(session, name=name, nodeid=f"scatterproof::{name}")
        report = config.hook.pytest_make_collect_report(collector=engine)
        config.hook.pytest_collectreport(report=report)
        items.extend(report.result)


class ScatterproofWarning(pytest.PytestWarning):
    """A test passed, and something about it is worth knowing."""


class Failed(Exception):
    """What the program reported about an API."""


class Engine(pytest.Collector):
    def __init__(self, **options):
        super().__init__(**options)
        self.environment = environment()

    def collect(self):
        globs = [f"{api}/*" for api in self.config.getoption("--scatterproof-api")]
        listed = self.execute("list", *globs, "--engine", self.name)
        if listed.returncode == NOTHING_RAN and globs:
            return []
        if listed.returncode != AS_EXPECTED:
            raise self.CollectError(listed.stderr.strip())
        apis = dict.fromkeys(case.split("/")[0] for case in listed.stdout.split())
        return [Api.from_parent(self, name=api) for api in apis]

    def command(self, *words):
        try:
            return [self.config.getoption("--scatterproof-program") or find_program(), *words]
        except FileNotFoundError as error:
            raise self.CollectError(f"{error}; --scatterproof-program names the program")

    def execute(self, *words):
        try:
            return subprocess.run(self.command(*words), env={**self.environment, "NO_COLOR": "1"},
                                  text=True, capture_output=True)
        except OSError as error:
            raise self.CollectError(f"cannot run {self.command()[0]}: {error.strerror}; --scatterproof-program names the program")


class Api(pytest.Item):
    def __init__(self, **options):
        super().__init__(**options)
        self.add_marker("scatterproof")

    def runtest(self):
        words = ["run", f"{self.name}/*", "--engine", self.parent.name, *self.judging()]
        with tempfile.TemporaryDirectory() as folder:
            stream = os.path.join(folder, "run.jsonl")
            done = self.parent.execute(*words, "--report", "console=-", "--report", f"jsonl={stream}")
            records = read_records(stream)
        engine = records[0]["engine"] if records else self.parent.name
        self.user_properties.append(("scatterproof", {"engine": engine, "calls": dict(count_calls(records))}))
        if done.returncode not in (AS_EXPECTED, NOTHING_RAN):
            raise Failed(self.explain(done, words))
        self.conclude(records)

    def explain(self, done, words):
        """The program's own words, with commands that work in a shell; how the run ended comes first."""
        said = done.stdout + done.stderr
        ended = [line.removeprefix("Summary: ") for line in said.splitlines() if line.startswith(("Summary: ", "error: "))]
        variables = f"{INTERPRETER}={shlex.quote(self.parent.environment.get(INTERPRETER, ''))} "
        said = said.replace("  reproduce: ", f"  reproduce: {variables}")
        return "\n".join([*ended[:1], "", said, f"repeat it: {variables}{shlex.join(self.parent.command(*words))}"])

    def judging(self):
        """The options of this session that change verdicts. With --runxfail no failure is expected."""
        option = self.config.getoption
        words = ["--retries", str(option("--scatterproof-retries"))] if option("--scatterproof-retries") else []
        if option("--runxfail"):
            return [*words, "--no-baseline"]
        return words + [word for file in option("--scatterproof-baseline") for word in ("--baseline", os.path.abspath(file))]

    def conclude(self, records):
        """The pytest outcome of a run without unexpected failures."""
        judged = [record for record in records if record["verdict"] not in NOT_JUDGED]
        if not judged:
            pytest.skip(f"{self.name}: {headline(count_calls(records))}")
        for record in judged:
            if record["disposition"] == "flaky":
                warnings.warn(ScatterproofWarning(f"flaky: {record['id']} on {record['engine']}: {record['verdict']}, and then not"))
        if all(record["verdict"] == "weak" for record in judged):
            warnings.warn(ScatterproofWarning(f"vacuous: every call of {self.name} that passed could hardly have shown a fault"))
        if known := [record for record in judged if record["disposition"] == "known"]:
            reasons = dict.fromkeys(f"{record['id']}: {record['known_reason']}" for record in known)
            pytest.xfail("; ".join(reasons))

    def repr_failure(self, excinfo, style=None):
        if isinstance(excinfo.value, Failed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, None, f"{self.name} on {self.parent.name}"


class Summary:
    """How the calls of all tests ended, by engine; those of the processes of pytest-xdist too."""

    def __init__(self):
        self.engines = collections.defaultdict(collections.Counter)

    def pytest_runtest_logreport(self, report):
        for name, value in report.user_properties:
            if name == "scatterproof" and report.when == "call":
                self.engines[value["engine"]].update(value["calls"])

    def pytest_terminal_summary(self, terminalreporter):
        if self.engines:
            terminalreporter.section("scatterproof")
        for engine, calls in self.engines.items():
            terminalreporter.line(f"{engine}: {headline(calls)}")
            terminalreporter.line(f"    {verdicts(calls)}")


def read_records(stream):
    """The records of a run that may have ended before its first."""
    if not os.path.exists(stream):
        return []
    with open(stream, encoding="utf-8") as lines:
        objects = [json.loads(line) for line in lines if line.endswith("\n")]
    return [one for one in objects if one["type"] == "record"]


def count_calls(records):
    """By verdict, and by disposition where a failure is known or flaky: `mismatch`, `mismatch known`."""
    apart = ("known", "flaky")
    return collections.Counter(
        record["verdict"] + (f" {record['disposition']}" if record["disposition"] in apart else "") for record in records)


def headline(calls):
    """How many were judged and how many were not, in the words of the program's own reports."""
    totals = collections.Counter()
    for how, count in calls.items():
        verdict, *excuse = how.split()
        counted = [verdict] if verdict in NOT_JUDGED else ["judged"] if verdict in ALLOWED else ["judged", "failed", *excuse]
        totals.update(dict.fromkeys(counted, count))
    text = f"{totals['judged']} call{'' if totals['judged'] == 1 else 's'} judged"
    if totals["judged"]:
        text += f", of them {totals['failed']} failed"
    if excused := [f"{totals[what]} {what}" for what in ("known", "flaky") if totals[what]]:
        text += f" ({', '.join(excused)})"
    if left := [f"{totals[verdict]} {verdict}" for verdict in NOT_JUDGED if totals[verdict]]:
        text += f"; not judged: {', '.join(left)}"
    return text


def verdicts(calls):
    """`460 pass, 74 weak, 1 mismatch known`: those that were judged."""
    return ", ".join(f"{count} {how}" for how, count in sorted(calls.items()) if how.split()[0] not in NOT_JUDGED)
