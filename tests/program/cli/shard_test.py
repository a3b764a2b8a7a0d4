# SPDX-License-Identifier: Apache-2.0
"""A run in parts, on independent machines, and the merged parts."""

import glob
import os
import unittest

import small_data
from fixture import Fixture
from program import run, stream

small_data.use("torch/torch.gather")


class Shards(Fixture):
    def shard(self, index, total=3, *what):
        """One part, as a Slurm array would start it."""
        path = self.path(f"shard-{index}.jsonl")
        slurm = {"SLURM_ARRAY_TASK_ID": str(index), "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_STEP": "1",
                 "SLURM_ARRAY_TASK_COUNT": str(total)}
        result = run("run", *(what or ("torch.gather/*",)), "-e", "reference", "--shard", "auto", "--report", f"jsonl={path}", env=slurm)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"shard {index}/{total}, by SLURM_ARRAY_TASK_ID", result.stderr)
        return path

    def test_globs_that_no_part_matched_are_stale(self):
        globs = ("doc/*", "rule/index-in-range/*", "nothing/*")
        baseline = self.write("known.yaml", "baseline:\n" + "".join(
            f'  - {{case: "torch.gather/{glob}", engine: reference, verdict: mismatch, reason: x, since: 2026-11-01}}\n'
            for glob in globs))
        chosen = ("torch.gather/*", "--baseline", baseline)
        parts = [self.shard(index, 3, *chosen) for index in (1, 2, 3)]
        whole, once = self.path("whole.jsonl"), self.path("once.jsonl")
        codes = [run("run", *chosen, "-e", "reference", "--report", f"jsonl={once}").returncode,
                 run("merge", *parts, "--report", f"jsonl={whole}").returncode]
        self.assertEqual(codes, [1, 1])
        stale = [stream(path)[-1]["stale"] for path in (whole, once)]
        self.assertEqual(*stale)
        # whether the third is stale is not known: not all cases ran
        self.assertEqual([one["line"] for one in stale[0]], [2, 3])

    def test_all_parts_together_are_the_run(self):
        parts = [self.shard(index) for index in (1, 2, 3)]
        whole = self.path("whole.jsonl")
        merged = run("merge", *reversed(parts), "--report", f"jsonl={whole}", "--report", "console=-")
        self.assertEqual(merged.returncode, 0, merged.stderr)
        run("run", "torch.gather/*", "-e", "reference", "--report", f"jsonl={self.path('once.jsonl')}")
        ids = [sorted(one["id"] for one in stream(path)[1:-1]) for path in (whole, self.path("once.jsonl"))]
        self.assertEqual(*ids)
        self.assertEqual([stream(part)[0]["shard"] for part in parts], ["1/3", "2/3", "3/3"])
        self.assertNotIn("shard", stream(whole)[0])

        again = run("merge", *parts, parts[0], "--report", f"jsonl={self.path('again.jsonl')}")
        self.assertEqual(again.returncode, 0)
        self.assertIn("shard 1/3 is also in", again.stderr)
        self.assertEqual(stream(self.path("again.jsonl"))[0]["run"], stream(whole)[0]["run"])

        part = run("merge", parts[0], parts[2], "--report", f"jsonl={whole}")
        self.assertEqual(part.returncode, 7)
        self.assertIn("error: shard 2/3 is missing", part.stderr)
        self.assertEqual(run("report", whole).returncode, 2, "what is not whole has no end")

        first = run("merge", parts[0], "--report", f"jsonl={whole}", "--again", "make shards='{}' whole")
        self.assertIn("error: shard 3/3 is missing\n  hint: run it again: make shards='2,3' whole\n", first.stderr)

        with open(parts[1], encoding="utf-8") as file:
            lines = file.readlines()
        self.write("shard-2.jsonl", "".join(lines[:-1]))
        cut_off = run("merge", *parts)
        self.assertEqual(cut_off.returncode, 7)
        self.assertIn("shard 2/3 was cut off or interrupted", cut_off.stderr)
        self.assertIn("cut off", cut_off.stdout)

    def test_an_empty_part_is_no_mistake(self):
        sizes = [len(stream(self.shard(index, 3, "torch.gather/doc/example", "--report", "console=-"))) - 2 for index in (1, 2, 3)]
        self.assertEqual(sorted(sizes)[:1], [0])

    def test_generated_calls_in_parts_are_those_of_the_whole(self):
        """And a failure that an earlier run saved runs again in one part."""
        saved = self.path("saved")
        fuzz = ("fuzz", "--api", "torch.gather", "--cases", "600", "--save", saved)
        self.assertEqual(run(*fuzz, "-e", "faulty:index-strides-ignored").returncode, 1)
        # As if the other engine had failed on it.
        for path in glob.glob(os.path.join(saved, "**", "*.yaml"), recursive=True):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace("faulty:index-strides-ignored", "reference"))
        parts = [self.path(f"fuzz-{index}.jsonl") for index in (1, 2, 3)]
        for index, path in enumerate(parts, 1):
            run(*fuzz, "-e", "reference", "--shard", f"{index}/3", "--report", f"jsonl={path}")
        whole, once = self.path("whole.jsonl"), self.path("once.jsonl")
        self.assertEqual(run("merge", *parts, "--report", f"jsonl={whole}").returncode, 0)
        run(*fuzz, "-e", "reference", "--report", f"jsonl={once}")
        counts = [sorted((one["id"], one["verdict"], str(one.get("practice")), one.get("count")) for one in stream(path)[1:-1])
                  for path in (whole, once)]
        self.assertEqual(*counts)
        self.assertTrue(any("/fuzz/" not in one[0] for one in counts[0]), "nothing was replayed")

    def test_what_is_no_part_is_not_merged(self):
        path = self.path("once.jsonl")
        run("run", "torch.gather/doc/*", "-e", "reference", "--report", f"jsonl={path}")
        refused = run("merge", path)
        self.assertEqual(refused.returncode, 4)
        self.assertIn("once.jsonl: error: this stream is of no shard", refused.stderr)

    def test_auto_needs_somebody_to_say_it(self):
        clean = {name: "" for name in ("TEST_SHARD_INDEX", "GTEST_SHARD_INDEX", "SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX",
                                       "CI_NODE_INDEX", "CIRCLE_NODE_INDEX", "BUILDKITE_PARALLEL_JOB")}
        refused = run("list", "--shard", "auto", env=clean)
        self.assertEqual(refused.returncode, 4)
        self.assertIn("no variable of the environment names a shard", refused.stderr)


if __name__ == "__main__":
    unittest.main()
