# SPDX-License-Identifier: Apache-2.0
"""Fuzzing of the parsers under the sanitizers: no input may crash one, or take it more than a second."""

import os
import re
import subprocess

import seeds

BUILT = os.environ.get("PARSERS", "")  # the folder of the harnesses
LONGEST_INPUT = 60  # seconds; the harness itself allows a second of processor time
SANITIZERS = {"ASAN_OPTIONS": "hard_rss_limit_mb=4096", "UBSAN_OPTIONS": "print_stacktrace=1"}


class Campaign:
    """Each run gives every parser its share of a slice. The next slice begins with the resulting corpus."""

    def __init__(self, seed, seconds, corpus):
        self.seed, self.share = seed, seconds / len(seeds.PARSERS)
        self.folder = corpus
        self.inputs = dict.fromkeys(seeds.PARSERS, 0)
        self.problems = []
        for parser in seeds.PARSERS:
            seeds.plant(parser, os.path.join(self.folder, parser))

    def run(self):
        for parser in seeds.PARSERS:
            self.fuzz(parser)
        self.seed += 1

    def fuzz(self, parser):
        command = [os.path.join(BUILT, "parser_" + parser), f"-max_total_time={max(round(self.share), 1)}", f"-seed={self.seed}",
                   f"-timeout={LONGEST_INPUT}", "-print_final_stats=1",
                   f"-artifact_prefix={os.path.join(self.folder, parser)}-", os.path.join(self.folder, parser)]
        done = subprocess.run(command, env={**os.environ, **SANITIZERS}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, errors="replace", check=False)
        count = re.search(r"stat::number_of_executed_units: *(\d+)", done.stderr)
        self.inputs[parser] += int(count.group(1)) if count else 0
        if done.returncode != 0 or not count:
            self.problems.append(f"{parser}, seed {self.seed}, exit code {done.returncode}: {done.stderr[-4000:]}")

    def passes(self):
        return not self.problems

    def figures(self):
        return {"inputs": sum(self.inputs.values()), "by parser": self.inputs, "problems": self.problems}
