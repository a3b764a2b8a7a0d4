# SPDX-License-Identifier: Apache-2.0
"""Each finding's scripts, in the Python of each release that is installed: what is claimed must happen.

By default a rotating share of the findings, another one each day. SCATTERPROOF_FINDINGS=all runs every one
(the nightly preset does), SCATTERPROOF_FINDINGS=F12,F15 these, and SCATTERPROOF_FINDINGS=torch those of an
engine.
"""

import os
import unittest

from environments import python_of, run_entry
from findings import all_findings
from in_turn import is_in_turn, share_of_today

SHARES = 8
WANTED = os.environ.get("SCATTERPROOF_FINDINGS", "")


def chosen():
    findings = all_findings()
    if WANTED == "all":
        return findings
    if WANTED:
        named = [one for one in findings if {one.id, *one.engines} & set(WANTED.split(","))]
        if not named:
            raise SystemExit(f"no finding is {WANTED}")
        return named
    share = [one for one in findings if is_in_turn(one.number, SHARES)]
    print(f"share {share_of_today(SHARES)} of {SHARES}: {len(share)} of {len(findings)} findings; SCATTERPROOF_FINDINGS=all runs them all",
          flush=True)
    return share


class Scripts(unittest.TestCase):
    def test_what_is_claimed_happens(self):
        ran = absent = 0
        for finding in chosen():
            for entry, releases in finding.scripts():
                for engine, release in releases:
                    python = python_of(engine, release)
                    by_dev = finding.pinned[engine] == release and engine not in finding.on_request
                    if python is None and not by_dev:
                        absent += 1
                        continue
                    with self.subTest(f"{finding.id} on {engine} {release}"):
                        self.assertIsNotNone(python, "not installed: ./dev setup installs it")
                        ended = run_entry(python, entry)
                        self.assertIsNone(ended, f"this does not show it, it {ended}\n{entry['script']}")
                        ran += 1
        print(f"{ran} scripts did what is claimed; {absent} are for releases that are not installed", flush=True)
        self.assertGreater(ran, 0)


if __name__ == "__main__":
    unittest.main()
