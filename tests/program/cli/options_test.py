# SPDX-License-Identifier: Apache-2.0
"""No option is dead: each one that a verb's help lists has an entry in TABLE or in SHARED, which says how its
effect is seen."""

import shlex
import unittest

from effects import Option, Tried, Unseen, Verb, alters, changes, complains, exits, hides, is_plain, says, shows, writes
from small_world import SmallWorld
from verbs import every_verb, options_of

# The effect of an option for verbs without an entry of their own.
SHARED = {
    "--help": Option("--help", says("\nUsage: scatterproof ")),
    "--version": Option("--version", shows("(git ")),
    "--color": Option("--color always", is_plain),
    "--config": Option("--config wrong.yaml", complains("wrong.yaml:1:")),
    "--profile": Option("--profile nosuch", complains("unknown profile 'nosuch'")),
    "--show-config": Option("--show-config --config settings.yaml", says(": settings.yaml, no profile\n")),
    "--specs": Option("--specs broken", complains("broken/torch.gather.yaml:")),
    "--engine": Option("-e cmd:false", shows("cmd:false")),
    "--report": Option("--report junit=results.xml", writes("results.xml")),
    "--db": Option("--db nowhere.db", complains("nowhere.db: error: there is no history yet")),
}

COLOUR = Option("--color always", shows("\x1b["))
SPEED = Unseen("it changes how many threads there are, and so the time alone")

GATHER = "torch.gather/doc/*"
FAULTY = "-e faulty:dropped-tail"
EXCUSED = "-e faulty:index-column-major"  # by a baseline that is shipped
GATHER_FUZZ = "--api torch.gather -e reference"
FUZZ = "--cases 50 -j 1 --save found"
TIMED = "--threads 3 --repetitions 2 --out out --json google.json"
ROW = "--threads 1 B8/gather/1 -e openmp --repetitions 1"
COMPARE = "--shrink-time 1ms gather_elements -e reference"
COMPARED = "--pairs --accepted accepted.json --json seen.json --save calls --markdown page.md --html page.html"
FAULT_AND_MUTANT = "torch.gather/rule/I/inverted faulty:dropped-tail --cases 30"
CLAIMED = "--json all.json --markdown page.md --scripts scripts"
WITNESS = r"(?m)^  \((?:input|data|arr)=.*"

DRIFT = Option("--from openmp --to faulty:dropped-tail", changes(r"\d+ differences"), rest="--shrink-time 1ms gather_elements",
               instead_of="-e openmp -e faulty:dropped-tail")
ONNX = {"SCATTERPROOF_ENGINES": "onnx-engines"}

# By verb. One command may show the effects of several options, where each has its own.
TABLE = {
    "": Verb("list torch.gather/doc/*", {"--color": Option("--color always", shows("\x1b["), rest=f"run {GATHER} -e reference")}),
    "run": Verb(f"{GATHER} {FAULTY}", {
        "--color": COLOUR,
        "--api": Option("--api torch.take", hides("torch.gather"), rest="-k doc -e reference -v"),
        "-k": Option("-k tutorial", hides("gather/doc/example")),
        "--shard": Option("--shard 1/3", hides("3 failed")),
        "--last-failed": Option("--last-failed", hides("torch.gather/rank/1"), rest="torch.gather/* -e reference -v"),
        "--timeout": Option("--timeout 50ms", shows("timeout"), rest="torch.gather/doc/example -e cmd:./slow"),
        "--resume": Option("--resume failed.jsonl", shows("not reused: 3 calls of faulty:dropped-tail"), rest=f"{GATHER} -e reference"),
        "--record": Option("--record answers.jsonl", writes("answers.jsonl")),
        "--jobs": SPEED,
        "--seed": Option("--seed 7", changes(r"torch\.gather/rule/\S+"), rest="torch.gather/rule/* -e reference -v"),
        "--exitfirst": Option("-x", hides("gather/doc/tutorial-5")),
        "--retries": Option("--retries 1", shows("flaky"), rest=f"{GATHER} -e cmd:./moody"),
        "--failed-first": Option("--failed-first", changes(r"torch\.gather/\S+"), rest="torch.gather/* -e reference -v"),
        "--baseline": Option("--baseline known.yaml", exits(0)),
        "--no-baseline": Option("--no-baseline", exits(1), rest=f"{GATHER} {EXCUSED}"),
        "--fail-on-flaky": Option("--fail-on-flaky", exits(1), rest=f"{GATHER} -e cmd:./moody --retries 1"),
        "--allow-fixed": Option("--allow-fixed", exits(0), rest=f"torch.gather/shape/empty-index {FAULTY} --baseline known.yaml"),
        "--gradients": Option("--gradients", shows("bf16/gradient"), rest="torch.gather/* -e reference -v"),
        "--min-throughput": Option("--min-throughput 1", shows("gate min-throughput")),
        "--min-coverage": Option("--min-coverage 100", shows("of the sides of rules are covered")),
        "--verbose": Option("-v", shows("torch.gather/doc/example"), rest=f"{GATHER} -e reference"),
    }),
    "fuzz": Verb(f"{GATHER_FUZZ} {FUZZ}", {
        "--color": COLOUR,
        "--api": Option("--api torch.gather", hides("numpy.take_along_axis"), rest=f"-e reference {FUZZ} -v", instead_of="--all"),
        "--all": Option("--all", shows("numpy.take_along_axis"), rest=f"-e reference {FUZZ} -v", instead_of="--api torch.gather"),
        "--from": Option("--from torch.gather/doc/example", changes(r"digest \w+"), rest=f"-e reference {FUZZ}",
                         instead_of="--api torch.gather"),
        "--shard": Option("--shard 1/2", hides("\n300 calls made"), rest=f"{GATHER_FUZZ} --cases 300 -j 1 --save found"),
        "--valid": Option("--valid", hides("dim-range"), rest=f"{GATHER_FUZZ} {FUZZ} --statistics"),
        "--broken": Option("--broken", hides("none broken"), rest=f"{GATHER_FUZZ} {FUZZ} --statistics"),
        "--rule": Option("--rule index-in-range", hides("dim-range"), rest=f"{GATHER_FUZZ} {FUZZ} --statistics"),
        "--practice": Option("--practice", changes(r"\d+ open")),
        "--large": Option("--large", changes(r"digest \w+"), rest=f"{GATHER_FUZZ} --cases 500 -j 1 --save found"),
        "--cases": Option("--cases 20", shows("\n20 calls made"), rest=f"{GATHER_FUZZ} -j 1 --save found", instead_of="--cases 30"),
        "--time": Option("--time 200ms", hides("\n30 calls made"), rest=f"{GATHER_FUZZ} -j 1 --save found",
                         instead_of="--cases 30"),
        "--corpus": Option("--corpus corpus.jsonl", writes("corpus.jsonl")),
        "--seed": Option("--seed 7", changes(r"digest \w+")),
        "--timeout": Option("--timeout 50ms", shows("timeout"),
                            rest="--api torch.gather --valid -e cmd:./slow --cases 1 -j 1 --save found --shrink-time 1ms"),
        "--jobs": Option("-j 2", writes("starts", "started\nstarted"),
                         rest="--api torch.gather -e cmd:./plain --cases 2 --save found", instead_of="-j 1"),
        "--exitfirst": Option("-x", hides(" calls)"), rest=f"--api torch.gather {FAULTY} {FUZZ}"),
        "--baseline": Option("--baseline known.yaml", exits(0), rest=f"--api torch.gather {FAULTY} {FUZZ}"),
        "--no-baseline": Option("--no-baseline", exits(1), rest=f"--api torch.gather {EXCUSED} {FUZZ}"),
        "--relations": Option("--relations", shows("torch.gather/relation/"), rest=f"{GATHER_FUZZ} {FUZZ} -v"),
        "--gradients": Option("--gradients", shows("torch.gather/fuzz/gradient"), rest=f"{GATHER_FUZZ} {FUZZ} -v"),
        "--min-throughput": Option("--min-throughput 1", shows("gate min-throughput")),
        "--min-coverage": Option("--min-coverage 100", shows("of the sides of rules are covered")),
        "--verbose": Option("-v", shows("torch.gather/fuzz/valid")),
        "--statistics": Option("--statistics", shows("largest size")),
        "--shrink-time": Option("--shrink-time 1ms", changes(r"(?s)FAILED .*Summary"),
                                rest=f"--api torch.gather {FAULTY} {FUZZ} --valid -v"),
        "--save": Option("--save kept", writes("kept/torch.gather"), rest=f"--api torch.gather {FAULTY} --cases 50 -j 1"),
    }),
    "compare": Verb("--check torch.gather/doc/example -e reference", {
        "--timeout": Option("--timeout 50ms", shows("no answer within 0.05 s"),
                            rest="--check torch.gather/doc/example -e reference -e cmd:./slow"),
        "--predict": Option("--predict", changes(r"\d+ differences"), rest="--shrink-time 1ms gather_elements", instead_of="-e reference"),
        "--gradients": Option("--gradients", shows("a value that lands in several cells"), rest="gather_elements -e reference"),
        "--from": DRIFT,
        "--to": DRIFT,
        "--seed": Option("--seed 7", changes(WITNESS), rest=COMPARE),
        "--pairs": Option(COMPARED, changes(r"\d+ inputs"), rest=COMPARE),
        "--thorough": Option("--thorough", changes(r"\d+ inputs"), rest=COMPARE),
        "--time": Option("--time 1ms", shows("there was no time to make it small"), rest=COMPARE),
        "--shrink-time": Option("--shrink-time 1ms", changes(WITNESS), rest="gather_elements -e reference --seed 4"),
        "--check": Option("--check torch.gather/doc/example", shows("portable between:"), rest="gather_elements -e reference",
                          instead_of="--shrink-time 1ms"),
        "--accepted": Option(COMPARED, exits(1), rest=COMPARE),
        "--json": Option(COMPARED, writes("seen.json"), rest=COMPARE),
        "--save": Option(COMPARED, writes("calls"), rest=COMPARE),
        "--markdown": Option(COMPARED, writes("page.md"), rest=COMPARE),
        "--html": Option(COMPARED, writes("page.html"), rest=COMPARE),
    }),
    "bench": Verb("--list", {
        "--color": Option("--color always", shows("\x1b["), rest=ROW, alone=True),
        "--workers": Option("--workers", shows("judged calls/s"), rest="--repetitions 1 -e numpy", instead_of="--list"),
        "--quick": Option("--quick", hides("gather/64"), rest="--list"),
        "--import": Option("--import spatter.json", hides("B8/gather/1"), rest="--list"),
        "--list": Option("--list", hides("random reads"), rest=ROW),
        "--gradients": Option("--gradients", shows("/gradient"), rest="--list"),
        "--seed": Option("--seed 7", alters("asked"), rest="B8/gather/1 -e cmd:./plain --repetitions 1 --threads 1"),
        "--engine": Option("-e cmd:false", shows("cmd:false"), rest="B8/gather/1 --threads 1", instead_of="--list"),
        "--threads": Option(TIMED, writes("out/timings.jsonl", '"threads":3'), alone=True, rest="B8/gather/1 -e openmp"),
        "--repetitions": Option(TIMED, writes("out/timings.jsonl", r'"seconds":\[[^],]+,[^],]+\]'), alone=True,
                                rest="B8/gather/1 -e openmp"),
        "--out": Option(TIMED, writes("out/timings.jsonl"), alone=True, rest="B8/gather/1 -e openmp"),
        "--json": Option(TIMED, writes("google.json"), alone=True, rest="B8/gather/1 -e openmp"),
    }),
    "selftest": Verb("faulty:dropped-tail --cases 30", {
        "--engine-faults": Option("--engine-faults", hides("torch.gather/rule/"), rest=FAULT_AND_MUTANT),
        "--spec-mutants": Option("--spec-mutants", hides("faulty:"), rest=FAULT_AND_MUTANT),
        "--gradients": Option("--gradients", shows("drawn-gradient-"), rest="--count 3 --cases 1"),
        "--count": Option("--count 2", shows("condition"), rest="--cases 30", instead_of="faulty:dropped-tail"),
        "--cases": Option("--cases 20", shows("within 20 calls"), rest="faulty:dropped-tail", instead_of="--cases 30"),
        "--seed": Option("--seed 7", changes(r"faulty:drawn-.*"), rest="--count 3 --cases 1"),
        "--jobs": SPEED,
        "--equivalents": Option("--equivalents equivalents.yaml", shows("is listed as an equivalent")),
    }),
    "claims": Verb("-e reference --cases 20", {
        "--claims": Option("--claims other-claims", shows("S-2")),
        "--cases": Option("--cases 300", changes(r"\d+ calls"), rest="-e reference", instead_of="--cases 20"),
        "--seed": Option("--seed 7", alters("all.json"), rest="-e reference --cases 20 --json all.json"),
        "--timeout": Option("--timeout 50ms", changes(r"\d+ of \d+ calls"), rest="--claims other-claims -e cmd:./slow --cases 1"),
        "--shrink-time": Option("--shrink-time 1ms", alters("all.json"), rest="--claims other-claims -e reference --cases 20 --json all.json"),
        "--json": Option(CLAIMED, writes("all.json")),
        "--markdown": Option(CLAIMED, writes("page.md")),
        "--scripts": Option(CLAIMED, writes("scripts")),
    }),
    "site": Verb("pages", {
        "--results": Option("--results results", complains("does not keep results")),
        "--run": Option("--run failed.jsonl", writes("kept", "faulty"), rest="pages --keep kept"),
        "--compare": Option("--compare accepted.json", writes("kept", "reference"), rest="pages --keep kept"),
        "--keep": Option("--keep kept", writes("kept", "faulty"), rest="pages --run failed.jsonl"),
    }),
    "list": Verb("torch.gather/*", {
        "--api": Option("--api torch.take", hides("torch.gather/rank/1"), rest=""),
        "-k": Option("-k doc", hides("torch.gather/rank/1")),
        "--shard": Option("--shard 1/100", hides("torch.gather/doc/example")),
    }),
    "show": Verb("numpy.take_along_axis/*", {
        "--snippet": Option("--snippet numpy", shows("import numpy"), rest="torch.gather/doc/example"),
        "--gradients": Option("--gradients", complains("torch.gather/doc/example has no gradients to judge on numpy"),
                              rest="--snippet numpy torch.gather/doc/example"),
    }),
    "spec": Verb("list", {}),
    "spec list": Verb("", {}),
    "spec show": Verb("", {}),
    "spec lint": Verb("torch.take", {}),
    "spec coverage": Verb("torch.gather", {}),
    "spec documents": Verb("numpy.take_along_axis", {
        "--engine": Option("-e cmd:false", shows("no --engine is one of numpy")),
        "--document": Option("--document numpy.take_along_axis=page.txt", shows("page.txt")),
        "--from": Option("--from numpy.take_along_axis=old-page.txt --to numpy.take_along_axis=page.txt", shows("This sentence is new")),
        "--to": Option("--to numpy.take_along_axis=page.txt", shows("This sentence is new"),
                       rest="--from numpy.take_along_axis=old-page.txt numpy.take_along_axis",
                       instead_of="--to numpy.take_along_axis=old-page.txt"),
        "--status": Option("--status", shows("# Status of the documents")),
    }),
    "engines": Verb("list", {}),
    "engines list": Verb("openmp", {}),
    "engines install": Verb("nosuch", {
        "--python": Option("--python /bin/false", complains("/bin/false"), rest="numpy", alone=True),
    }),
    "engines remove": Verb("nosuch", {}),
    "engines check": Verb("cmd:./plain", {}),
    "engines new": Verb("--lang c mine", {
        "--lang": Option("--lang python", writes("mine/mine.py"), rest="mine", instead_of="--lang c"),
    }),
    "import": Verb("onnx", {}, ONNX),
    "import onnx": Verb("", {
        "--output": Option("--output mine", writes("mine/torch.gather.yaml")),
    }, ONNX),
    "report": Verb("failed.jsonl", {
        "--color": COLOUR,
        "--verbose": Option("-v", shows("torch.gather/doc/example"), rest="passed.jsonl"),
        "--history": Option("--history", writes("page.html", "Earlier runs"), rest="passed.jsonl --report html=page.html"),
        "--db": Option("--db nowhere.db", complains("nowhere.db"), rest="failed.jsonl --history"),
    }),
    "merge": Verb("shard.jsonl", {
        "--color": COLOUR,
        "--again": Option("--again 'again {}'", shows("run it again: again 2")),
        "--verbose": Option("-v", shows("torch.gather/doc/")),
    }),
    "submit": Verb("slurm --dry-run -- run -e reference", {}),
    "submit slurm": Verb("--dry-run -- run -e reference", {
        "--shards": Option("--shards 3", shows("--array=1-3")),
        "--out": Option("--out mine", writes("mine/shards.sh")),
        "--sbatch-arg": Option("--sbatch-arg=--partition=gpu", writes("scatterproof-shards/shards.sh", "#SBATCH .*--partition=gpu")),
        "--dry-run": Option("--dry-run", shows("nothing is queued"), rest="-- run -e reference"),
        "--report": Option("--report junit=results.xml", writes("scatterproof-shards/merge.sh", "results.xml")),
        "--verbose": Option("-v", writes("scatterproof-shards/merge.sh", "-v|--verbose")),
    }),
    "diff": Verb("failed.jsonl passed.jsonl", {
        "--verbose": Option("-v", shows("same "), rest="times.jsonl times.jsonl"),
        "--html": Option("--html changes.html", writes("changes.html")),
        "--markdown": Option("--markdown changes.md", writes("changes.md")),
        "--json": Option("--json changes.json", writes("changes.json"), rest="times.jsonl times.jsonl"),
        "--ratio": Option("--ratio 3", exits(0), rest="times.jsonl slower-times.jsonl"),
        "--timings": Option("--timings times.jsonl", shows("Summary: "), rest="openmp openmp-deterministic", alone=True),
    }),
    "baseline": Verb("check known.yaml", {}),
    "baseline write": Verb("new.yaml", {
        "--from": Option("--from other.jsonl", alters("new.yaml")),
    }),
    "baseline check": Verb("known.yaml", {}),
    "baseline prune": Verb("known.yaml", {
        "--from": Option("--from good.jsonl", alters("known.yaml")),
    }),
    "baseline explain": Verb("known.yaml", {
        "--from": Option("--from other.jsonl", shows("torch.gather/rank/")),
    }),
    "history": Verb("list", {}),
    "history add": Verb("other.jsonl", {
        "--db": Option("--db new.db", writes("new.db")),
    }),
    "history list": Verb("", {}),
    "history show": Verb("RUN", {"--color": COLOUR}),
    "history export": Verb("RUN", {
        "--output": Option("--output run.jsonl", writes("run.jsonl")),
    }),
    "history trend": Verb("", {
        "--api": Option("--api torch.take", hides("reference")),
        "--engine": Option("--engine reference", hides("faulty")),
    }),
    "history bisect-hint": Verb("", {
        "--engine": Option("--engine reference", hides("faulty")),
    }),
    "history prune": Verb("--keep 5", {
        "--keep": Option("--keep 1", shows("1 run removed"), rest="", instead_of="--keep 5"),
    }),
    "doctor": Verb("", {
        "--start": Option("--start", shows(" started: ")),
        "--json": Option("--json", shows('"findings"')),
    }),
    "trust": Verb("settings.yaml", {
        "--revoke": Option("--revoke", shows("was not approved")),
        "--list": Option("--list", hides("settings.yaml"), rest="", instead_of="settings.yaml"),
    }),
    "help": Verb("exit-codes", {}),
    "completion": Verb("bash", {}),
    "man": Verb("", {}),
}


class NoOptionIsDead(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = SmallWorld()
        cls.addClassCleanup(cls.world.remove)
        cls.tried = {}

    def attempt(self, line, environment):
        if line not in self.tried:
            folder = self.world.copy()
            words = [self.world.run if word == "RUN" else word for word in shlex.split(line)]
            done = self.world.execute(words, folder, **environment)
            self.tried[line] = Tried(done.returncode, done.stdout + done.stderr, folder)
        return self.tried[line]

    def check(self, verb, option):
        rest = TABLE[verb].rest if option.rest is None else option.rest
        lines = [" ".join(filter(None, (verb, words, rest))) for words in (option.words, option.instead_of)]
        tried = [self.attempt(line, TABLE[verb].environment) for line in lines[:1 if option.alone else 2]]
        wrong = option.effect(*tried, *([None] if option.alone else []))
        shown = "\n".join(f"$ scatterproof {line}\n{one.text[:1500]}" for line, one in zip(lines, tried))
        self.assertFalse(wrong, f"{wrong}\n{shown}")

    def test_each_has_its_effect(self):
        for words in ((), *every_verb()):
            verb = " ".join(words)
            for name in options_of(*words):
                with self.subTest(verb=verb, option=name):
                    entry = TABLE[verb].options.get(name, SHARED.get(name)) if verb in TABLE else None
                    self.assertTrue(entry, f"nothing says how the effect of `{verb} {name}` is seen: "
                                           "add it to TABLE in tests/program/cli/options_test.py")
                    if isinstance(entry, Option):
                        self.check(verb, entry)

    def test_the_table_has_no_others(self):
        found = {verb: options_of(*verb.split()) for verb in ("", *map(" ".join, every_verb()))}
        for verb, entry in TABLE.items():
            for name in entry.options:
                self.assertIn(name, found.get(verb, []), f"TABLE in tests/program/cli/options_test.py has `{verb} {name}`, which is no option")


if __name__ == "__main__":
    unittest.main()
