# SPDX-License-Identifier: Apache-2.0
"""The program's own texts: help, version, colour, completion, manual pages."""

import os
import pty
import re
import select
import shutil
import subprocess
import time
import unittest

from fixture import Fixture
from program import PROGRAM, SOURCE, run
from verbs import every_verb, help_of, names_below

with open(os.path.join(SOURCE, "runner/cli/CMakeLists.txt"), encoding="utf-8") as listed:
    VERBS = re.search(r"set\(verbs ([^)]+)\)", listed.read())[1].split()
ALL = every_verb()


def entry(text, name):
    """The lines of one option: its own, and those below that are indented deeper."""
    found = re.search(rf"^  (?:-\w, )?{re.escape(name)}\b.*\n(?:   .*\n)*", text, re.M)
    return " ".join(found.group(0).split()) if found else ""


class Help(unittest.TestCase):
    def test_every_verb_is_listed_with_its_purpose(self):
        text = help_of()
        for verb in VERBS:
            self.assertRegex(text, rf"(?m)^  {verb} +[A-Z].*[^.]$")
        self.assertEqual(sorted(names_below()), sorted(VERBS))

    def test_every_verb_has_a_purpose_a_usage_and_two_examples(self):
        for verb in ALL:
            with self.subTest(verb):
                text = help_of(*verb)
                command = "scatterproof " + " ".join(verb)
                self.assertRegex(text, r"\A[A-Z].*\.\n\nUsage: " + re.escape(command))
                examples = re.search(r"\nExamples:\n((?:  .*\n)+)", text).group(1)
                commands = re.findall(r"^  (\S.*)$", examples, re.M)
                self.assertGreaterEqual(len(commands), 2)
                for example in commands:
                    self.assertIn(command, example)
                self.assertEqual(run(*verb, "-h").stdout, text)
                self.assertEqual(run("help", *verb).stdout, text)

    def test_lines_fit_and_the_library_does_not_show_through(self):
        for verb in [(), *ALL]:
            text = help_of(*verb)
            self.assertLessEqual(max(map(len, text.splitlines())), 100, verb)
            self.assertNotRegex(text, r"\b(FLOAT|UINT|INT|TEXT|NONNEGATIVE|POSITIVE|REQUIRED|OPTIONAL)\b|\bin \[|SUBCOMMAND")

    def test_defaults_values_and_variables(self):
        for verb in ("run", "fuzz"):
            text = help_of(verb)
            for name, words in (("--timeout", "[default: 10s]"), ("--seed", "[default: 0]"), ("--jobs", "[default: all cores]"),
                                ("--engine", "in the folder SCATTERPROOF_ENGINES"), ("--specs", "[env: SCATTERPROOF_DATA]"),
                                ("--color", "[values: auto, always, never] [default: auto]"), ("--report", "console, jsonl, junit")):
                self.assertIn(words, entry(text, name), name)
        for verb, name, words in (("fuzz", "--cases", "[default: 20000]"), ("selftest", "--cases", "[default: 100000]"),
                                  ("selftest", "--seed", "[default: 1]"), ("bench", "--threads", "[default: 1,2]")):
            self.assertIn(words, entry(help_of(verb), name), (verb, name))

    def test_the_same_option_is_spelt_the_same(self):
        for verb in ALL:
            text = help_of(*verb)
            for short, long in (("-e", "--engine ENGINE"), ("-j", "--jobs N"), ("-v", "--verbose")):
                if long in text:
                    self.assertIn(f"{short}, {long}", text, verb)
            if "--shard " in text:
                self.assertIn("--shard I/N", text, verb)

    def test_options_are_grouped(self):
        titles = re.findall(r"^(\w+):$", help_of("run"), re.M)
        self.assertEqual(titles, ["Examples", "Arguments", "Select", "Execute", "Judge", "Report", "General"])

    def test_topics(self):
        with open(os.path.join(SOURCE, "docs", "use", "exit-codes.md"), encoding="utf-8") as document:
            documented = re.findall(r"^\| (\d+) \|", document.read(), re.M)
        self.assertEqual(re.findall(r"^  (\d)", run("help", "exit-codes").stdout, re.M), documented)
        for name in ("SCATTERPROOF_DATA", "SCATTERPROOF_ENGINES", "XDG_DATA_HOME", "NO_COLOR", "OMP_NUM_THREADS"):
            self.assertIn(name, run("help", "environment").stdout)


class VersionAndColour(unittest.TestCase):
    def test_version_names_the_revision_and_the_libraries(self):
        result = run("-V")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"\Ascatterproof 0\.\S+ \(git ([0-9a-f]{12}(-dirty)?|unknown)\)\n")
        for word in ("yaml-cpp", "pegtl", "g++"):
            self.assertIn(word, result.stdout)
        self.assertEqual(run("--version").stdout, result.stdout)

    def test_colour_as_wanted(self):
        args = ("run", "torch.gather/doc/*", "--engine", "reference")
        forced = {"NO_COLOR": "", "CLICOLOR_FORCE": "1"}
        for flags, environment, coloured in (((), {}, False), ((), forced, True), (("--color", "always"), {}, True),
                                             (("--color=never",), forced, False), (("--color", "auto"), {}, False)):
            self.assertEqual("\x1b[" in run(*args, *flags, env=environment).stdout, coloured, (flags, environment))
        self.assertIn("\x1b[", run("--color=always", *args).stdout)


# Does what bash does when the tab key is pressed: $1 is the line, the rest its words as bash splits them.
PRESS_TAB = r"""
source <("$PROGRAM" completion bash)
complete -p scatterproof >/dev/null || exit 9
COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=("${@:2}") COMP_CWORD=$(($# - 2))
_scatterproof
printf '%s\n' "${COMPREPLY[@]}"
"""


BASH = ("bash", "--norc", "--noprofile", "-i"), "source <('{}' completion bash); complete -p scatterproof"
ZSH = ("zsh", "-f", "-i"), "autoload -Uz compinit; compinit -u -D; source <('{}' completion zsh); (( $+_comps[scatterproof] ))"


def press_tab(typed, folder, program, start=BASH):
    """The words of the line after the tab key, in a shell on a terminal: it prints them, each in brackets."""
    own, other = pty.openpty()
    command, set_up = start
    shell = subprocess.Popen(command, cwd=folder, stdin=other, stdout=other, stderr=other, start_new_session=True,
                             env={"PATH": f"{os.path.dirname(program)}:/usr/bin:/bin", "HOME": os.path.normpath(folder), "TERM": "dumb", "PS1": "ready> "})
    os.close(other)

    def until(end, seconds=20):
        text, last = "", time.monotonic() + seconds
        while end not in text and time.monotonic() < last:
            if select.select([own], [], [], 0.1)[0]:
                text += os.read(own, 65536).decode(errors="replace")
        return text
    try:
        until("ready> ")
        os.write(own, f"{set_up.format(program)} && printf 'ta%s\\n' ken\n".encode())
        until("taken\r\n")
        until("ready> ", 1)
        os.write(own, typed.encode() + b"\t")
        until("\0", 1.5)  # bash asks the program, and says no more than the rest of the word
        os.write(own, b"\x01printf '<%s>\\n' \x05; printf 'do%s\\n' ne\n")
        return re.findall(r"^<(.*)>\r$", until("done\r\n", 5), re.M)
    finally:
        shell.kill()
        shell.wait()
        os.close(own)


class Completion(Fixture):
    def complete(self, line, program=PROGRAM):
        parts = [part for word in line.split(" ") for part in ([p for p in re.split(r"([=@:])", word) if p] or [""])]
        parts[0] = program
        done = subprocess.run(["bash", "-c", PRESS_TAB, "bash", line.replace("scatterproof", program, 1), *parts],
                              env={**os.environ, "PROGRAM": PROGRAM}, text=True, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.split()

    def test_bash_offers_verbs_options_values_and_names(self):
        for line, offered in (("", VERBS), ("re", ["report"]), ("spec c", ["coverage"]), ("run --en", ["--engine"]),
                              ("run --engine ref", ["reference"]), ("run -e jax:", ["device=NAME", "jit", "jit_views", "vmap"]), ("run -e openmp-", ["openmp-deterministic"]),
                              ("run --color a", ["auto", "always"]), ("run --color=ne", ["never"]), ("run --report ju", ["junit="]),
                              ("spec show torch.ga", ["torch.gather", "torch.gather.out", "torch.gather.sparse_grad"]), ("help ex", ["exit-codes"]),
                              ("engines new --lang p", ["python"]), ("compare gather_el", ["gather_elements"]), ("compare torch.gather.", ["torch.gather.out", "torch.gather.sparse_grad"]),
                              ("compare torch_g", ["torch_geometric", "torch_geometric.utils.scatter"]), ("compare --check numpy.choose/doc/", run("list", "numpy.choose/doc/*").stdout.split()),
                              ("fuzz --all --rul", ["--rule"]),
                              ("list torch.gather/doc/ex", run("list", "torch.gather/doc/ex*").stdout.split())):
            self.assertEqual(self.complete("scatterproof " + line), offered, line)

    def test_bash_finds_a_program_whose_path_has_blanks(self):
        link = self.path("here and there/scatterproof")
        os.makedirs(os.path.dirname(link))
        os.symlink(PROGRAM, link)
        for typed in (link, link.replace(" ", "\\ "), f"'{link}'", f'"{link}"'):
            self.assertEqual(self.complete("scatterproof spec c", program=typed), ["coverage"], typed)

    def test_the_tab_key_in_a_real_bash(self):
        """In a folder, with a program and with files that have blanks in their names."""
        program = self.path("here and there/scatterproof")
        os.makedirs(os.path.dirname(program))
        os.symlink(PROGRAM, program)
        self.write("base line.yaml", "")
        escaped = program.replace(" ", "\\ ")
        for typed, words in ((f"{escaped} spec c", [program, "spec", "coverage"]),
                             (f"'{program}' spec c", [program, "spec", "coverage"]),
                             (f'"{program}" spec c', [program, "spec", "coverage"]),
                             ("~/here\\ and\\ there/scatterproof spec c", [program, "spec", "coverage"]),
                             ("scatterproof run --baseline bas", ["scatterproof", "run", "--baseline", "base line.yaml"]),
                             ("scatterproof run --baseline base\\ l", ["scatterproof", "run", "--baseline", "base line.yaml"]),
                             ("scatterproof run --baseline=base\\ l", ["scatterproof", "run", "--baseline=base line.yaml"]),
                             ("scatterproof run --baseline 'base l", ["scatterproof", "run", "--baseline", "base line.yaml"]),
                             ('scatterproof run --baseline "base l', ["scatterproof", "run", "--baseline", "base line.yaml"]),
                             ('scatterproof report --report "jsonl=base', ["scatterproof", "report", "--report", "jsonl=base line.yaml"]),
                             ("scatterproof run -e 'so:./base", ["scatterproof", "run", "-e", "so:./base line.yaml"]),
                             ("scatterproof run --baseline 'a --engine' --color=ne", ["scatterproof", "run", "--baseline", "a --engine", "--color=never"])):
            with self.subTest(typed):
                self.assertEqual(press_tab(typed, self.path(""), program), words)

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_the_tab_key_in_a_real_zsh(self):
        program = self.path("here and there/scatterproof")
        os.makedirs(os.path.dirname(program))
        os.symlink(PROGRAM, program)
        self.write("base line.yaml", "")
        for typed, words in (("scatterproof spec c", ["scatterproof", "spec", "coverage"]),
                             ("scatterproof run --report ju", ["scatterproof", "run", "--report", "junit="]),
                             ("scatterproof run --report jsonl=bas", ["scatterproof", "run", "--report", "jsonl=base line.yaml"]),
                             ('scatterproof run --report "jsonl=bas', ["scatterproof", "run", "--report", "jsonl=base line.yaml"]),
                             ("scatterproof run -e so:./bas", ["scatterproof", "run", "-e", "so:./base line.yaml"]),
                             ("scatterproof run --baseline bas", ["scatterproof", "run", "--baseline", "base line.yaml"]),
                             ("scatterproof run --baseline=bas", ["scatterproof", "run", "--baseline=base line.yaml"]),
                             ("scatterproof run --color=ne", ["scatterproof", "run", "--color=never"])):
            with self.subTest(typed):
                self.assertEqual(press_tab(typed, self.path(""), program, ZSH), words)

    def test_bash_replaces_only_what_follows_the_at_sign(self):
        offered = self.complete("scatterproof run -e torch@")
        self.assertTrue(offered)
        for version in offered:
            self.assertRegex(version, r"^\d")

    def test_scripts_of_the_other_shells_parse(self):
        for shell, flag in (("zsh", "-n"), ("fish", "--no-execute")):
            script = run("completion", shell).stdout
            self.assertIn("__complete", script)
            if shutil.which(shell):
                checked = subprocess.run([shell, flag, self.write(f"completion.{shell}", script)], text=True, capture_output=True)
                self.assertEqual((checked.returncode, checked.stderr), (0, ""))


class Manual(unittest.TestCase):
    def test_every_verb_has_a_page_that_groff_accepts(self):
        for verb in ([], *([verb] for verb in VERBS)):
            page = run("man", *verb).stdout
            self.assertTrue(page.startswith('.TH "SCATTERPROOF'), verb)
            for heading in (".SH NAME", ".SH SYNOPSIS", ".SH EXAMPLES"):
                self.assertIn(heading, page)
            if shutil.which("groff"):
                checked = subprocess.run(["groff", "-man", "-z", "-ww"], input=page, text=True, capture_output=True)
                self.assertEqual((checked.returncode, checked.stderr), (0, ""), verb)
        self.assertIn(r"\-\-timeout", run("man", "run").stdout)
        self.assertIn("SCATTERPROOF_ENGINES", run("man").stdout)


if __name__ == "__main__":
    unittest.main()
