# SPDX-License-Identifier: Apache-2.0
"""The slowest tests of a build as a table for docs/results/performance.md: tests/slowest.py BUILD [N]."""

import pathlib
import sys


def main(build, most=20):
    costs = []
    for line in (pathlib.Path(build) / "Testing/Temporary/CTestCostData.txt").read_text(encoding="utf-8").splitlines():
        words = line.split()
        if len(words) == 3 and float(words[2]) > 0:  # name, runs, mean seconds; failed tests follow `---`
            costs.append((float(words[2]), words[0]))
    costs.sort(reverse=True)
    print(f"| test | seconds, of {sum(cost for cost, _ in costs):,.0f} in {len(costs)} tests |\n|---|---|")
    for cost, name in costs[:most]:
        print(f"| `{name}` | {cost:.0f} |")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
