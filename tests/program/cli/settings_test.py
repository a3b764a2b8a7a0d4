# SPDX-License-Identifier: Apache-2.0
"""scatterproof.yaml, profiles, and which of flag, environment, file and default decides."""

import json
import os
import re
import unittest

import small_data
from fixture import Fixture
from program import SOURCE, run, stream

small_data.use("torch/torch.gather", "jax/jax.numpy.ndarray.at.updates")


class Settings(Fixture):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path(".git"))  # the root of a repository

    def settings(self, text):
        return self.write("scatterproof.yaml", text)

    def shown(self, *command, env=None, cwd=None):
        """Each option's value and where it comes from, as --show-config prints it."""
        result = run(*command, "--show-config=json", cwd=cwd or self.folder, env=env)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return {one["option"]: (one["value"], one["from"]) for one in json.loads(result.stdout)["options"]}

    def assert_wrong(self, result, *words):
        self.assertEqual(result.returncode, 4, result.stdout + result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)


class Order(Settings):
    def test_flag_before_environment_before_file_before_default(self):
        variable = {"SCATTERPROOF_HISTORY": "variable.db"}
        self.assertEqual(self.shown("history", "list")["db"], ("history.db next to the kept runs", "default"))
        self.settings("commands:\n  history list: {db: file.db}\n")
        self.assertEqual(self.shown("history", "list")["db"], ("file.db", "scatterproof.yaml:2"))
        self.assertEqual(self.shown("history", "list", env=variable)["db"], ("variable.db", "SCATTERPROOF_HISTORY"))
        self.assertEqual(self.shown("history", "list", "--db", "flag.db", env=variable)["db"], ("flag.db", "flag"))
        for place, env, flags in (("file.db", {}, ()), ("variable.db", variable, ()), ("flag.db", variable, ("--db", "flag.db"))):
            self.assertIn(f"{place}: error: there is no history yet", run("history", "list", *flags, cwd=self.folder, env=env).stderr)

    def test_what_is_set_is_what_happens(self):
        self.settings("commands:\n  run: {engine: [reference, openmp], seed: 7}\n")
        for flags, engines in (((), {"reference", "openmp"}), (("-e", "reference"), {"reference"})):
            result = run("run", "torch.gather/doc/*", "--report", "jsonl=-", *flags, cwd=self.folder)
            header, *_, end = map(json.loads, result.stdout.splitlines())
            self.assertEqual(({one["name"] for one in header["engines"]}, header["seed"], end["exit_code"]), (engines, 7, 0))

    def test_colour(self):
        self.settings("commands:\n  run: {color: always}\n")
        args = ("run", "torch.gather/doc/*", "-e", "reference")
        for flags, environment, coloured in (((), {"NO_COLOR": ""}, True), ((), {}, False), (("--color=always",), {}, True),
                                             (("--color=never",), {"NO_COLOR": ""}, False)):
            self.assertEqual("\x1b[" in run(*args, *flags, cwd=self.folder, env=environment).stdout, coloured, (flags, environment))
        self.assertNotIn("\x1b[", run("--color=never", *args, cwd=self.folder, env={"NO_COLOR": ""}).stdout)

    def test_a_flag_can_be_taken_back(self):
        self.settings("commands:\n  run: {exitfirst: true, no-baseline: false}\n")
        shown = self.shown("run")
        self.assertEqual((shown["exitfirst"], shown["no-baseline"]), (("true", "scatterproof.yaml:2"), ("false", "scatterproof.yaml:2")))
        self.assertEqual(self.shown("run", "--exitfirst=false")["exitfirst"], ("false", "flag"))

    def test_an_option_gives_way_to_a_flag_that_excludes_it(self):
        self.settings("commands:\n  fuzz: {cases: 5}\n  run: {min-coverage: 50}\n")
        result = run("fuzz", "--time", "1s", "--show-config", cwd=self.folder)
        self.assertRegex(result.stdout, r"(?m)^  cases +20000 +default; scatterproof.yaml:2 gives way to --time$")
        shard = run("run", "torch.gather/doc/*", "-e", "reference", "--shard", "1/2", cwd=self.folder)
        self.assertEqual(shard.returncode, 0, shard.stderr)
        self.assertIn("note: min-coverage at scatterproof.yaml:3 gives way to --shard", shard.stderr)

    def test_as_text(self):
        self.settings("commands:\n  run:\n    timeout: 20s\n")
        text = run("run", "-e", "reference", "--show-config", cwd=self.folder).stdout
        self.assertIn("scatterproof run: scatterproof.yaml, no profile\n", text)
        for line in (r"timeout +20s +scatterproof\.yaml:3", r"engine +reference +flag", r"seed +0 +default", r"verbose +false +default"):
            self.assertRegex(text, rf"(?m)^  {line}$")


class Files(Settings):
    def test_the_nearest_one_up_to_the_root_of_the_repository(self):
        inner = self.path("a/b")
        os.makedirs(inner)
        self.settings("commands: {run: {seed: 1}}\n")
        self.assertEqual(self.shown("run", cwd=inner)["seed"], ("1", "../../scatterproof.yaml:1"))
        self.write("a/scatterproof.yaml", "commands: {run: {seed: 2}}\n")
        self.assertEqual(self.shown("run", cwd=inner)["seed"], ("2", "../scatterproof.yaml:1"))
        os.mkdir(self.path("a/b/.git"))
        self.assertEqual(self.shown("run", cwd=inner)["seed"], ("0", "default"))
        os.rmdir(self.path(".git"))
        os.rmdir(self.path("a/b/.git"))
        self.assertEqual(self.shown("run", cwd=inner)["seed"], ("0", "default"))  # no repository
        self.assertEqual(self.shown("run")["seed"], ("1", "scatterproof.yaml:1"))

    def test_another_file(self):
        self.settings("commands: {run: {seed: 1}}\n")
        self.write("other.yaml", "commands: {run: {seed: 2}}\n")
        self.write("third.yaml", "commands: {run: {seed: 3}}\n")
        env = {"SCATTERPROOF_CONFIG": "other.yaml"}
        self.assertEqual(self.shown("run", env=env)["seed"], ("2", "other.yaml:1"))
        self.assertEqual(self.shown("run", "--config", "third.yaml", env=env)["seed"], ("3", "third.yaml:1"))
        self.assertEqual(self.shown("--config", "third.yaml", "run", env=env)["seed"], ("3", "third.yaml:1"))
        self.assert_wrong(run("run", "--config", "tihrd.yaml", cwd=self.folder), "no such file 'tihrd.yaml' for --config", "third.yaml")
        self.assert_wrong(run("run", env={"SCATTERPROOF_CONFIG": self.path("none.yaml")}, cwd=self.folder), "for SCATTERPROOF_CONFIG")

    def test_paths_are_meant_from_the_folder_of_the_file(self):
        inner = self.path("inner")
        os.mkdir(inner)
        self.write("known.yaml", "entries: []\n")
        self.settings("commands:\n  run: {baseline: known.yaml, engine: ['so:./k.so', torch, 'cmd:./w --x'], report: [junit=out.xml, console=-]}\n")
        shown = self.shown("run", cwd=inner)
        self.assertEqual(shown["baseline"][0], ["../known.yaml"])
        self.assertEqual(shown["engine"][0], ["so:../k.so", "torch", "cmd:../w --x"])
        self.assertEqual(shown["report"][0], ["junit=../out.xml", "console=-"])

    def test_help_needs_no_settings(self):
        self.settings("commands: {rnu: {}}\n")
        for command in (("help", "run"), ("run", "--help"), ("completion", "bash"), ("man",), ("--version",)):
            self.assertEqual(run(*command, cwd=self.folder).returncode, 0, command)

    def test_a_password_is_not_shown(self):
        self.settings("commands:\n  history list: {db: 'postgresql://me:secret@host/base'}\n")
        self.assertEqual(self.shown("history", "list")["db"][0], "postgresql://...@host/base")


class Mistakes(Settings):
    def test_each_has_its_place_and_a_hint(self):
        for text, *words in (
                ("comands: {}\n", "scatterproof.yaml:1:1: error: ", "'comands'", "did you mean 'commands'?"),
                ("commands:\n  rnu: {}\n", "scatterproof.yaml:2:3: error: unknown command 'rnu'", "did you mean 'run'?"),
                ("commands:\n  help: {}\n", "scatterproof.yaml:2:3: error: unknown command 'help'"),
                ("commands:\n  run: {timeuot: 5s}\n", "scatterproof.yaml:2:9: error: unknown option 'timeuot' of run", "did you mean 'timeout'?"),
                ("commands:\n  run: {config: x}\n", "scatterproof.yaml:2:9: error: option 'config' cannot be set in a file"),
                ("commands:\n  run: {timeout: soon}\n", "scatterproof.yaml:2:18: error: invalid duration 'soon' for option 'timeout'"),
                ("commands:\n  run: {report: [jnuit=x]}\n", "scatterproof.yaml:2:18: error: unknown report kind 'jnuit'", "did you mean 'junit'?"),
                ("commands:\n  run: {exitfirst: 1}\n", "scatterproof.yaml:2:20: error: option 'exitfirst' is a flag", "hint: write true or false"),
                ("commands:\n  run: {timeout: true}\n", "scatterproof.yaml:2:18: error: option 'timeout' needs a value"),
                ("commands:\n  run: {timeout: [1s, 2s]}\n", "scatterproof.yaml:2:18: error: option 'timeout' takes one value"),
                ("commands:\n  fuzz: {cases: 5, time: 1s}\n", "scatterproof.yaml:2:26: error: option 'time' cannot be used together with 'cases'"),
                # Checked although fuzz does not run.
                ("commands:\n  fuzz: {cases: -5}\n", "invalid number '-5' for option 'cases'"),
                ("commands:\n  run: {baseline: gone.yaml}\n", "scatterproof.yaml:2:19: error: no such file 'gone.yaml' for option 'baseline'"),
                # Checked although the profile is not used.
                ("profiles:\n  mine:\n    run: {sede: 5}\n", "scatterproof.yaml:3:11: error: unknown option 'sede' of run"),
                ("profile: nigthly\n", "scatterproof.yaml:1:10: error: unknown profile 'nigthly'", "did you mean 'nightly'?"),
                ("commands: [\n", "scatterproof.yaml:")):
            with self.subTest(text):
                self.settings(text)
                self.assert_wrong(run("run", "torch.gather/doc/*", "-e", "reference", cwd=self.folder), *words)

    def test_all_are_told_at_once(self):
        self.settings("commands:\n  run: {sede: 1, tiemout: 5s}\n  fzuz: {}\n")
        self.assertEqual(run("run", cwd=self.folder).stderr.count("error: unknown"), 3)


class Profiles(Settings):
    def test_the_built_in_ones_are_right(self):
        shown = self.shown("fuzz", "--profile", "quick")["cases"]
        self.assertEqual(shown[0], "2000")
        self.assertRegex(shown[1], r"runner/profiles\.yaml:\d+$")
        for name in ("quick", "ci", "nightly"):
            self.assertTrue(any("profiles.yaml" in origin for _, origin in self.shown("run", "--profile", name).values()), name)

    def test_one_of_the_file_is_stronger_than_its_defaults_and_than_the_built_in_one(self):
        self.settings("commands:\n  fuzz: {cases: 7, seed: 1}\nprofiles:\n  quick:\n    fuzz: {cases: 9}\n  mine:\n    fuzz: {seed: 3}\n")
        quick, mine, none = (self.shown("fuzz", *flags) for flags in (("--profile", "quick"), ("--profile", "mine"), ()))
        self.assertEqual((quick["cases"], quick["seed"]), (("9", "scatterproof.yaml:5"), ("1", "scatterproof.yaml:2")))
        self.assertEqual((mine["cases"][0], mine["seed"][0], none["cases"][0]), ("7", "3", "7"))
        self.assertRegex(run("fuzz", "--profile", "mine", "--show-config", cwd=self.folder).stdout,
                         r"seed +3 +profile mine, scatterproof\.yaml:7")
        # Options that the file does not name keep their values.
        self.assertEqual(self.shown("bench", "--profile", "quick")["quick"][0], "true")

    def test_flag_before_variable_before_file(self):
        self.settings("profile: a\nprofiles:\n  a: {run: {seed: 1}}\n  b: {run: {seed: 2}}\n  c: {run: {seed: 3}}\n")
        env = {"SCATTERPROOF_PROFILE": "b"}
        self.assertEqual([self.shown("run", *flags, env=one)["seed"][0] for flags, one in (((), {}), ((), env), (("--profile", "c"), env))],
                         ["1", "2", "3"])

    def test_an_unknown_one(self):
        self.assert_wrong(run("run", "--profile", "nigthly", cwd=self.folder), "error: unknown profile 'nigthly' for --profile",
                          "did you mean 'nightly'?")
        self.assert_wrong(run("run", cwd=self.folder, env={"SCATTERPROOF_PROFILE": "zzzzzz"}), "for SCATTERPROOF_PROFILE",
                          "use one of ci, nightly, quick")


class Gates(Settings):
    def judge(self, *args, env=None):
        result = run("run", *args, "-e", "reference", "--report", f"jsonl={self.path('run.jsonl')}", "--report", "console=-",
                     cwd=self.folder, env=env)
        return result, stream(self.path("run.jsonl"))

    def test_coverage_is_that_of_spec_coverage_for_what_ran(self):
        sides = 2 * int(re.search(r"(\d+) rules, 100 % of sides", run("spec", "coverage", "torch.gather").stdout)[1])
        result, _ = self.judge("torch.gather/*", "--min-coverage", "100")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        result, (*_, end) = self.judge("torch.gather/doc/*", "--min-coverage", "10%")
        self.assertEqual((result.returncode, end["exit_code"]), (1, 1))
        text = f"0.0 % of the sides of rules are covered (0 of {sides}), at least 10 % is wanted"
        self.assertEqual(end["gates"], [{"gate": "min-coverage", "text": text}])
        self.assertIn(f"failed gates\n  min-coverage: {text}\n", result.stdout)
        self.assertIn("Summary: 1 failed gate, ", result.stdout)
        _, *records, _ = stream(self.path("run.jsonl"))
        self.assertTrue(records)
        self.assertTrue(all(record["verdict"] in ("pass", "weak") for record in records))

    def test_half_of_the_sides(self):
        result, (*_, end) = self.judge("torch.gather/rule/*", "-k", "breaks", "--min-coverage", "51")
        self.assertEqual(result.returncode, 1)
        self.assertIn("50.0 % of the sides", end["gates"][0]["text"])
        self.assertEqual(self.judge("torch.gather/rule/*", "-k", "breaks", "--min-coverage", "50")[0].returncode, 0)

    def test_what_is_unsupported_covers_nothing(self):
        result, (_, *records, end) = self.judge("jax.numpy.ndarray.at.add/rule/*", "--min-coverage", "100")
        left = {record["id"] for record in records if record["verdict"] == "unsupported"}
        self.assertIn("jax.numpy.ndarray.at.add/rule/clip-to-something/breaks", left)
        self.assertEqual(result.returncode, 1)
        self.assertIn("jax.numpy.ndarray.at.add/rule/gradient-in-bounds/breaks", left)
        self.assertIn("(10 of 12)", end["gates"][0]["text"])  # those sides have no other case

    def test_the_gate_of_a_part_fails_the_whole(self):
        result = run("run", "torch.gather/doc/*", "-e", "reference", "--shard", "1/1", "--report", "jsonl=-", cwd=self.folder)
        header, *records, end = map(json.loads, result.stdout.splitlines())
        end.update(exit_code=1, gates=[{"gate": "min-throughput", "text": "too slow"}])
        path = self.write("part.jsonl", "".join(json.dumps(line) + "\n" for line in (header, *records, end)))
        merged = run("merge", path)
        self.assertEqual(merged.returncode, 1, merged.stderr)
        self.assertIn("min-throughput: too slow", merged.stdout)

    def test_every_report_tells(self):
        self.judge("torch.gather/doc/*", "--min-coverage", "10")
        for kind in ("console", "junit", "ctrf", "tap", "markdown", "html", "github"):
            result = run("report", self.path("run.jsonl"), "--report", f"{kind}=-")
            self.assertIn("at least 10 % is wanted", result.stdout.replace("%25", "%"), kind)

    def test_one_line_where_no_report_on_stdout_tells(self):
        result = run("run", "torch.gather/doc/*", "-e", "reference", "--report", "tap=-", "--min-coverage", "10", cwd=self.folder)
        self.assertRegex(result.stderr, r"(?m)^error: gate min-coverage failed: 0\.0 % of .* at least 10 % is wanted$")

    def test_of_generated_calls(self):
        def fuzz(*args):
            return run("fuzz", "--api", "torch.gather", "-e", "reference", "--cases", "400", "--save", self.path("found"), *args, cwd=self.folder)
        self.assertEqual(fuzz("--min-coverage", "80").returncode, 0)
        valid = fuzz("--valid", "--min-coverage", "80")
        self.assertEqual(valid.returncode, 1, valid.stdout)
        self.assertRegex(valid.stdout, r"min-coverage: [1-5]\d\.\d % of the sides of rules are covered")

    def test_wrong_limits(self):
        for flags, words in ((("--min-coverage", "101"), "invalid share '101' for --min-coverage: use a number from 0 to 100"),
                             (("--min-coverage", "5", "--shard", "1/2"), "cannot be used together with"),
                             (("--min-throughput", "x"), "invalid share 'x' for --min-throughput")):
            self.assert_wrong(run("run", *flags), words)


class Throughput(Settings):
    def earlier(self, rates, place="history.db", **header):
        """A history of runs like the one that follows, with these rates."""
        db = {"SCATTERPROOF_HISTORY": self.path(place)}
        result = run("run", "torch.gather/doc/*", "-e", "reference", "--report", "jsonl=-", cwd=self.folder)
        first, *records, end = map(json.loads, result.stdout.splitlines())
        self.assertGreater(end["calls_per_second"], 0)
        for i, rate in enumerate(rates):
            lines = [{**first, "run": f"run-{i}", **header}, *records, {**end, "calls_per_second": rate}]
            path = self.write("earlier.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
            self.assertEqual(run("history", "add", path, env=db).returncode, 0)
        return run("run", "torch.gather/doc/*", "-e", "reference", "--min-throughput", "50", cwd=self.folder, env=db)

    def test_far_slower_than_all_earlier_runs(self):
        result = self.earlier([1e12, 2e12, 3e12, 4e12, 5e12])
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"min-throughput: \S+ calls executed per second are 0 % of the median of 5 earlier runs \(3e\+12\) "
                                        r"and fewer than in each, at least 50 % is wanted")

    def test_not_slower(self):
        result = self.earlier([1e-6] * 5)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_one_earlier_run_was_as_slow(self):
        self.assertEqual(self.earlier([1e-6, 2e12, 3e12, 4e12, 5e12]).returncode, 0)

    def test_too_few_to_tell(self):
        result = self.earlier([1e12] * 4)
        self.assertEqual(result.returncode, 0)
        self.assertIn("note: gate min-throughput is not checked: the history holds 4 runs like this one, 5 are needed", result.stderr)

    def test_of_another_machine_or_with_other_jobs(self):
        for i, header in enumerate(({"host": "elsewhere"}, {"machine": "another"}, {"jobs": 999}, {"shard": "1/2"}, {"engines": []},
                       {"command_line": "scatterproof run 'onnx.*' -e reference"}, {"planned": 10 ** 6})):
            with self.subTest(header):
                result = self.earlier([1e12] * 5, place=f"{i}.db", **header)
                self.assertEqual(result.returncode, 0, result.stdout)
                self.assertIn("holds 0 runs like this one", result.stderr)


class Slowdown(Settings):
    def timings(self, name, seconds):
        with open(os.path.join(SOURCE, "tests/unit/reports/timing/recorded.jsonl"), encoding="utf-8") as file:
            machine, *records = map(json.loads, file)
        timed = next(one for one in records if one.get("seconds"))
        return self.write(name, json.dumps(machine) + "\n" + json.dumps({**timed, "seconds": seconds}) + "\n")

    def diff(self, before, now, *flags):
        return run("diff", self.timings("before.jsonl", before), self.timings("now.jsonl", now), *flags, cwd=self.folder)

    def test_the_ratio_and_chance_decide(self):
        base = [1.0, 1.01, 1.02, 1.03, 1.04]
        for factor, flags, code in ((2, (), 1), (1.05, (), 0), (1.4, ("--ratio", "1.3"), 1), (2, ("--ratio", "3"), 0)):
            result = self.diff(base, [factor * one for one in base], *flags)
            self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        self.assertRegex(self.diff(base, [2 * one for one in base]).stdout, r"(?m)^slower .* 2\.00 times as long, p = 0\.0079$")

    def test_three_repetitions_cannot_tell(self):
        result = self.diff([1.0, 1.01, 1.02], [2.0, 2.01, 2.02])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("too few repetitions to decide any row", result.stdout)

    def test_in_the_file(self):
        self.settings("commands:\n  diff: {ratio: 3}\n")
        self.assertEqual(self.diff([1.0] * 5, [2.0] * 5).returncode, 0)
        self.settings("commands:\n  diff: {ratio: 0.5}\n")
        self.assert_wrong(self.diff([1.0] * 5, [2.0] * 5), "scatterproof.yaml:2:17: error: invalid ratio '0.5' for option 'ratio'")

    def test_runs_have_no_ratio(self):
        for flags in (("--ratio", "2"), ("--json", "x.json")):
            result = run("diff", "reference@1", "reference@2", *flags, cwd=self.folder)
            self.assertEqual(result.returncode, 4)
            self.assertIn("--json and --ratio are about two benchmarks", result.stderr)


if __name__ == "__main__":
    unittest.main()
