# SPDX-License-Identifier: Apache-2.0
"""The main job on what is shipped: every case is run and every formula is proved."""

import re
import unittest

from fixture import Fixture
from program import run, stream


class TheMainJob(Fixture):
    def test_every_shipped_case_passes_on_the_reference(self):
        result = run("run", "--engine", "reference", "--engine", "formula", "--report", f"jsonl={self.path('r.jsonl')}")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        header, *records, end = stream(self.path("r.jsonl"))
        self.assertEqual(end["records"], len(records))
        self.assertGreater(len(records), 300)
        self.assertEqual({r["disposition"] for r in records}, {"as_expected"})
        # The reference must be able to do what it offers, except for words that no operation supports, as the
        # spec says.
        self.assertEqual([r["id"] for r in records if r["verdict"] == "unsupported" and not r["explanation"].startswith(("no kernel does what ", "no kernel drops, clips or fills what an index out of range names", "no kernel multiplies the updates by a factor"))], [])

    def test_every_spec_is_covered_and_proved(self):
        self.assertEqual(run("spec", "coverage").returncode, 0)
        lint = run("spec", "lint")
        self.assertEqual(lint.returncode, 0, lint.stdout + lint.stderr)

    def test_a_worker_offers_apis_that_have_a_spec_and_no_others(self):
        known = {line.split()[0] for line in run("spec", "list").stdout.splitlines()}
        for framework in ("numpy", "torch"):
            listed = run("engines", "list", framework).stdout
            offered = set(re.findall(rf"(?m)(?<=\s){framework}\.[A-Za-z_][\w.]*(?=[,\s])", listed))
            self.assertGreater(len(offered & known), 20, listed)
            self.assertEqual(offered - known - {"torch.compile", "torch.onnx.export"}, set(), framework)


if __name__ == "__main__":
    unittest.main()
