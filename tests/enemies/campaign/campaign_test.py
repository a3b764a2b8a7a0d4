# SPDX-License-Identifier: Apache-2.0
"""A slice of the fault campaign with a fixed seed; in the nightly preset 10,000 faults, 1,000 kills and
10,000 attacks."""

import os
import unittest

from campaign import carry_out, read_options
from catalogue import AT_START, FAULTS

LONG = int(os.environ.get("SCATTERPROOF_TRIALS", "0")) >= 1_000_000


class FaultCampaign(unittest.TestCase):
    def check(self, part, count):
        campaign, figures = carry_out(read_options([part, "--seed", "1", "--count", str(count)]))
        print({name: value for name, value in figures.items() if name != "by kind"})
        self.assertTrue(campaign.passes(), "\n".join(campaign.problems))
        return figures

    def test_there_are_many_kinds_of_fault(self):
        self.assertGreaterEqual(len(FAULTS) + len(AT_START), 40)

    def test_each_worker_fault_is_the_verdict_of_its_call_alone(self):
        figures = self.check("workers", 10_000 if LONG else 30)
        if LONG:
            self.assertEqual([], [name for name, kind in figures["by kind"].items() if kind["happened"] == 0])

    def test_a_run_that_is_killed_and_resumed_reports_the_same(self):
        self.check("kills", 1000 if LONG else 10)

    def test_no_attack_of_a_hostile_kernel_reaches_the_tool(self):
        self.check("hostile", 10_000 if LONG else 60)

    def test_every_command_line_is_refused_or_shows_help(self):
        self.check("arguments", 20_000 if LONG else 100)


if __name__ == "__main__":
    unittest.main()
