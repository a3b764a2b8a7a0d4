# SPDX-License-Identifier: Apache-2.0
"""A plug-in for pytest: one test for each engine and API, and fixtures for tests of functions
(docs/use/pytest.md). The engine's tests share one run of the program scatterproof."""

from __future__ import annotations

import collections
import json
import os
import shlex
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest
from scatterproof.program import INTERPRETER, environment, find_program

AS_EXPECTED, UNEXPECTED, NOTHING_RAN = 0, 1, 5  # exit codes of the program
# Verdicts of calls that were not judged, in the order of the program's reports.
NOT_JUDGED = ("open", "unsupported", "infra", "disputed")
ALLOWED = ("pass", "weak")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("scatterproof", "scatterproof: scatter and gather operators against their documents")
    several: dict[str, Any] = {"action": "append", "default": []}
    group.addoption("--scatterproof-engine", metavar="ENGINE", help=(
        "add a test for each API of this engine: a framework of this interpreter, such as torch, or what "
        "`scatterproof run --engine` takes; repeatable"), **several)
    group.addoption("--scatterproof-api", metavar="API", help="only this API, or glob on APIs; repeatable", **several)
    group.addoption("--scatterproof-baseline", metavar="FILE", help="file of expected failures; repeatable", **several)
    group.addoption("--scatterproof-retries", metavar="N", type=int, default=0, help=(
        "try an unexpected failure again up to N times, each on a freshly started engine; one that passes is flaky"))
    group.addoption("--scatterproof-fuzz", metavar="TIME", help=(
        "how long scatterproof_check generates calls, such as 5s [default: 1000 calls]"))
    group.addoption("--scatterproof-program", metavar="PATH", help=(
        "the program [default: the one in this package, or on the PATH]"))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", (
        "scatterproof(*apis, **options): one test for each API, with the fixtures scatterproof_check and "
        "scatterproof_calls, to which the options go; the tests of engines have this mark too"))
    config.pluginmanager.register(Summary(), "scatterproof-summary")


@pytest.hookimpl(tryfirst=True)  # before -k and -m select
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
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
    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.environment = {**environment(), "NO_COLOR": "1"}
        self.cases: collections.Counter[str] = collections.Counter()  # by API
        self.run: Run | None = None

    def collect(self) -> list[Api]:
        globs = [f"{api}/*" for api in self.config.getoption("--scatterproof-api")]
        listed = self.execute("list", *globs, "--engine", self.name)
        if listed.returncode == NOTHING_RAN and globs:
            return []
        if listed.returncode != AS_EXPECTED:
            raise self.CollectError(listed.stderr.strip())
        if listed.stderr:
            warnings.warn(ScatterproofWarning(listed.stderr.strip()))
        self.cases.update(case.split("/")[0] for case in listed.stdout.split())
        return [Api.from_parent(self, name=api) for api in self.cases]

    def command(self, *words: str) -> list[str]:
        try:
            return [self.config.getoption("--scatterproof-program") or find_program(), *words]
        except FileNotFoundError as error:
            raise self.CollectError(f"{error}; --scatterproof-program names the program")

    def execute(self, *words: str) -> subprocess.CompletedProcess[str]:
        try:
            return subprocess.run(self.command(*words), env=self.environment, text=True, capture_output=True)
        except OSError as error:
            raise self.CollectError(f"cannot run {self.command()[0]}: {error.strerror}; --scatterproof-program names the program")

    def words(self, *apis: str) -> list[str]:
        return ["run", *(f"{api}/*" for api in apis), "--engine", self.name, *self.judging()]

    def judging(self) -> list[str]:
        """The options of this session that change verdicts. With --runxfail no failure is expected."""
        option = self.config.getoption
        words = ["--retries", str(option("--scatterproof-retries"))] if option("--scatterproof-retries") else []
        if option("--runxfail"):
            return [*words, "--no-baseline"]
        return words + [word for file in option("--scatterproof-baseline") for word in ("--baseline", os.path.abspath(file))]

    def run_of(self, api: str) -> Run:
        """The run that an API is part of: that of all that are selected, so that the engine starts once. The
        processes of pytest-xdist do not know what is theirs: each runs one API after the other."""
        if self.run is None or api not in self.run.apis:
            if self.run:
                self.run.end()
            selected = [item.name for item in self.session.items if isinstance(item, Api) and item.parent is self]
            self.run = Run(self, [api] if hasattr(self.config, "workerinput") or api not in selected else selected)
        return self.run


class Run:
    """A run of some APIs on an engine, whose records are read as they come."""

    def __init__(self, engine: Engine, apis: Sequence[str]) -> None:
        self.engine = engine
        self.apis = apis
        self.header = ""
        self.trailer: dict[str, Any] | None = None  # the last line, when the run is over
        self.records: dict[str, list[str]] = collections.defaultdict(list)  # by API, as lines
        self.said = tempfile.TemporaryFile("w+")  # on stderr
        self.process = subprocess.Popen(engine.command(*engine.words(*apis), "--report", "jsonl=-"), env=engine.environment,
                                        text=True, stdout=subprocess.PIPE, stderr=self.said)
        assert self.process.stdout
        self._out = self.process.stdout

    def lines_of(self, api: str) -> list[str]:
        """The records of an API, when all are there. Those of the last one wait for the end of the run."""
        is_last = all(len(self.records[one]) == self.engine.cases[one] for one in self.apis if one != api)
        while len(self.records[api]) < self.engine.cases[api] or (is_last and self.trailer is None):
            line = self._out.readline()
            if not line.endswith("\n"):
                break
            self.take(line)
        return self.records[api]

    def take(self, line: str) -> None:
        kind = json.loads(line)["type"]
        if kind == "header":
            self.header = line
        elif kind == "record":
            self.records[json.loads(line)["id"].split("/")[0]].append(line)
        elif kind == "end":
            self.trailer = json.loads(line)

    def stale(self) -> Any:
        """Entries of baselines that excuse nothing any more; known when the run is over."""
        return self.trailer["stale"] if self.trailer else []

    def broke_off(self, api: str) -> bool:
        return len(self.records[api]) < self.engine.cases[api]

    def report(self, api: str) -> tuple[int, str]:
        """The program's own report on an API: its exit code and its words."""
        end = {**(self.trailer or {"type": "end", "ended": "", "interrupted": False}), "records": len(self.records[api]),
               "exit_code": 0, "stale": self.stale()}
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as stream:
            stream.writelines([self.header, *self.records[api], json.dumps(end) + "\n"])
            stream.flush()
            done = self.engine.execute("report", stream.name, "--report", "console=-")
        return done.returncode, done.stdout + done.stderr

    def last_words(self) -> str:
        self.process.wait()
        self.said.seek(0)
        return self.said.read()

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self._out.close()
        self.said.close()


class Api(pytest.Item):
    parent: Engine

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.add_marker("scatterproof")

    def runtest(self) -> None:
        run = self.parent.run_of(self.name)
        lines = run.lines_of(self.name)
        records = [json.loads(line) for line in lines]
        engine = records[0]["engine"] if records else self.parent.name
        self.user_properties.append(("scatterproof", {"engine": engine, "calls": dict(count_calls(records))}))
        if run.broke_off(self.name):
            raise Failed(self.explain(run.last_words()))
        if run.stale() or any(record["disposition"] in ("unexpected", "expired") for record in records):
            code, words = run.report(self.name)
            if code not in (AS_EXPECTED, NOTHING_RAN):
                raise Failed(self.explain(words))
        self.conclude(records)

    def explain(self, said: str) -> str:
        """The program's own words, with commands that work in a shell; how the run ended comes first."""
        ended = [line.removeprefix("Summary: ") for line in said.splitlines() if line.startswith(("Summary: ", "error: "))]
        variables = f"{INTERPRETER}={shlex.quote(self.parent.environment.get(INTERPRETER, ''))} "
        said = said.replace("  reproduce: ", f"  reproduce: {variables}")
        repeat = shlex.join(self.parent.command(*self.parent.words(self.name)))
        return "\n".join([*ended[:1], "", said, f"repeat it: {variables}{repeat}"])

    def conclude(self, records: Sequence[Mapping[str, Any]]) -> None:
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

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, Failed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[os.PathLike[str], None, str]:
        return self.path, None, f"{self.name} on {self.parent.name}"


def pytest_sessionfinish(session: pytest.Session) -> None:
    for engine in {item.parent for item in getattr(session, "items", ()) if isinstance(item, Api)}:
        if engine.run:
            engine.run.end()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test with the mark is one for each API that the mark names."""
    mark = metafunc.definition.get_closest_marker("scatterproof")
    if "scatterproof_api" in metafunc.fixturenames:
        if not mark or not mark.args:
            raise pytest.UsageError(f'{metafunc.definition.nodeid}: name an API, as in @pytest.mark.scatterproof("torch.gather")')
        metafunc.parametrize("scatterproof_api", mark.args)


@pytest.fixture
def scatterproof_api() -> None:
    """The API that the test is about."""


@pytest.fixture
def scatterproof_check(request: pytest.FixtureRequest, scatterproof_api: str) -> Callable[..., Any]:
    """scatterproof.check of a function like that API, with the options of the mark."""
    import scatterproof

    options = dict(request.node.get_closest_marker("scatterproof").kwargs)
    if time := request.config.getoption("--scatterproof-fuzz"):
        options |= {"cases": 0, "time": time}

    def check(function: Callable[..., Any], **more: Any) -> scatterproof.Checked:
        __tracebackhide__ = True
        return scatterproof.check(function, scatterproof_api, **{**options, **more})

    return check


@pytest.fixture
def scatterproof_calls(request: pytest.FixtureRequest, scatterproof_api: str) -> Callable[..., Iterator[Any]]:
    """scatterproof.calls of that API, with the options of the mark."""
    import scatterproof

    options = request.node.get_closest_marker("scatterproof").kwargs
    return lambda n=100, seed=0, **more: scatterproof.calls(scatterproof_api, n, seed, **{**options, **more})


class Summary:
    """How the calls of all tests ended, by engine; those of the processes of pytest-xdist too."""

    def __init__(self) -> None:
        self.engines: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        properties: list[tuple[str, Any]] = report.user_properties
        for name, value in properties:
            if name == "scatterproof" and report.when == "call":
                self.engines[value["engine"]].update(value["calls"])

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.engines:
            terminalreporter.section("scatterproof")
        for engine, calls in self.engines.items():
            terminalreporter.line(f"{engine}: {headline(calls)}")
            terminalreporter.line(f"    {verdicts(calls)}")


def count_calls(records: Sequence[Mapping[str, Any]]) -> collections.Counter[str]:
    """By verdict, and by disposition where a failure is known or flaky: `mismatch`, `mismatch known`."""
    apart = ("known", "flaky")
    return collections.Counter(
        record["verdict"] + (f" {record['disposition']}" if record["disposition"] in apart else "") for record in records)


def headline(calls: Mapping[str, int]) -> str:
    """How many were judged and how many were not, in the words of the program's own reports."""
    totals: collections.Counter[str] = collections.Counter()
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


def verdicts(calls: Mapping[str, int]) -> str:
    """`460 pass, 74 weak, 1 mismatch known`: those that were judged."""
    return ", ".join(f"{count} {how}" for how, count in sorted(calls.items()) if how.split()[0] not in NOT_JUDGED)
