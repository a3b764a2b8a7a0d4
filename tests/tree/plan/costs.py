# SPDX-License-Identifier: Apache-2.0
"""How long tests take: costs.txt, from what ctest has measured, and the table of the slowest in
docs/results/performance.md.

    costs.py                  # the table
    costs.py --write BUILD    # first takes the times of a build's tests; tests without a time keep theirs
"""

import os
import re
import sys

from plan import COSTS, HERE, costs, labels_of

SLOWEST = 20
PAGE = os.path.join(HERE, "..", "..", "..", "docs", "results", "performance.md")


def measured(build):
    """Name, runs and mean seconds of a test; below `---` failed tests are listed."""
    with open(os.path.join(build, "Testing", "Temporary", "CTestCostData.txt"), encoding="utf-8") as lines:
        words = [line.split() for line in lines]
    return {of[0]: round(float(of[2])) for of in words if len(of) == 3 and int(of[1]) > 0}


def table(seconds):
    slowest = sorted(seconds, key=lambda name: (-seconds[name], name))[:SLOWEST]
    return "".join(["| test | seconds |\n|---|--:|\n", *(f"| `{name}` | {seconds[name]} |\n" for name in slowest),
                    f"| all {len(seconds)} that take a second | {sum(seconds.values()):,} |\n"])


def with_table(page, made):
    """The page with another table between its marks."""
    return re.sub(r"(<!-- slowest -->\n).*?(<!-- end -->)", lambda found: found[1] + made + found[2], page, flags=re.S)


def write(build):
    known, now = costs(), measured(build)
    seconds = {name: now.get(name, known.get(name, 0)) for name in sorted(labels_of(build))}
    with open(COSTS, encoding="utf-8") as file:
        head = [line for line in file if line[0] == "#"]
    with open(COSTS, "w", encoding="utf-8") as file:
        file.writelines([*head, *(f"{name} {cost}\n" for name, cost in seconds.items() if cost > 0)])
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(with_table(page, table(costs())))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        write(sys.argv[2])
    print(table(costs()), end="")
