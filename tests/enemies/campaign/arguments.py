# SPDX-License-Identifier: Apache-2.0
"""Command lines made of the words of the help, with every kind of value and of damage: each must be refused,
or show help, within a second of processor time. With a SCATTERPROOF of the preset asan, the sanitizers
watch."""

import os
import random
import re
import shlex
import shutil
import subprocess
import tempfile

from program import PROGRAM, run

VERBS = "run fuzz bench selftest claims list show spec engines report help completion man".split()
LONGEST = 1.0  # seconds of processor time
LINES_PER_RUN = 20
# One may be taken for the value of the option before it; the other is then refused, so no verb runs.
REFUSED = ["--no-such-option", "--no-such-option"]
DOCUMENTED = (0, 4)  # help or the version, and a wrong option
VALUES = ["", "0", "-1", "1", "1/0", "9223372036854775808", "18446744073709551616", "1e999", "nan", "0x10", "1h", "-5s", "5 s",
          "*", "torch.gather/*", "torch.gather", "reference", "so:", "cmd:", "cmd:'", "jsonl=", "=", "junit", ".", "/dev/null",
          "/no/such/file", "a and (b", "not", "\u00e9", "\udcff", "\x1b[31m", "x" * 5000, "(" * 2000, "%s%n", "{}", "-", "---"]


def help_words():
    """Of each verb: its examples as they stand, and its options."""
    for verb in VERBS:
        text = run("help", verb).stdout
        examples = []
        for line in re.findall(r"^ +scatterproof (.+?)(?: {2,}.*)?$", text, re.M):
            try:
                examples.append(shlex.split(line))
            except ValueError:  # the line is folded within a word
                pass
        yield verb, examples, sorted(set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", text)))


class Campaign:
    def __init__(self, seed):
        self.draws = random.Random(seed)
        self.words = list(help_words())
        self.lines, self.longest, self.problems = 0, 0.0, []
        self.folder = tempfile.mkdtemp(prefix="scatterproof-campaign-")

    def __del__(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def damaged(self, word):
        at = self.draws.randrange(len(word) + 1)
        return self.draws.choice([word[:at] + word[at + 1 :], word[:at] + self.draws.choice("x=- \t\n'\u00e9\udcfe") + word[at:],
                                  word + "=", word + "=" + self.draws.choice(VALUES), word * 2, word.upper()])

    def line(self):
        verb, examples, options = self.draws.choice(self.words)
        words = list(self.draws.choice(examples)) if examples and self.draws.random() < 0.5 else [verb]
        for _ in range(self.draws.randrange(6)):
            place = self.draws.randrange(len(words) + 1)
            words[place:place] = self.draws.choice([[self.draws.choice(options)], [self.draws.choice(VALUES)],
                                                    [self.draws.choice(options), self.draws.choice(VALUES)]])
        for _ in range(self.draws.randrange(3)):
            place = self.draws.randrange(len(words))
            words[place] = self.damaged(words[place])
        # What follows a bare -- is not an option.
        return [word for word in words if word != "--"] + REFUSED

    def run(self):
        for _ in range(LINES_PER_RUN):
            self.try_line(self.line())

    def try_line(self, words):
        self.lines += 1
        with open(os.path.join(self.folder, "stderr"), "w+b") as errors:
            environment = {**os.environ, "HOME": self.folder, "XDG_STATE_HOME": self.folder}
            process = subprocess.Popen([PROGRAM, *words], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=errors)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            errors.seek(0)
            said = errors.read()
        seconds = used.ru_utime + used.ru_stime
        self.longest = max(self.longest, seconds)
        if process.returncode not in DOCUMENTED or b"Sanitizer" in said or b"runtime error:" in said or seconds > LONGEST:
            self.problems.append(f"{words!r}: exit code {process.returncode}, {seconds:.2f} s: {said[-2000:]!r}")

    def passes(self):
        return not self.problems

    def figures(self):
        return {"command lines": self.lines, "longest": f"{self.longest:.2f} s", "problems": self.problems}
