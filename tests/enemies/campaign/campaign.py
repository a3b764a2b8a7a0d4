# SPDX-License-Identifier: Apache-2.0
"""The fault campaign (docs/results/reliability.md).

    campaign.py PART [--seed N] [--count N] [--slice SECONDS]

Ends with 0 when it passes. Needs SCATTERPROOF and SOURCE in the environment, as every test that runs the
program; for parsers also PARSERS, the folder of the built harnesses.
"""

import argparse
import json
import os
import sys
import time

import arguments
import hostile
import kills
import parsers
import workers
from program import SOURCE

# Makes a part, and which of its figures --count limits.
PARTS = {
    "workers": (lambda options: workers.Campaign(options.seed, options.timeout), "faults in calls"),
    "kills": (lambda options: kills.Campaign(options.seed, options.timeout), "kills"),
    "hostile": (lambda options: hostile.Campaign(options.seed, options.timeout), "attacks"),
    "arguments": (lambda options: arguments.Campaign(options.seed), "command lines"),
    "parsers": (lambda options: parsers.Campaign(options.seed, options.slice, options.corpus), "inputs"),
}


def read_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1 << 62, help="stop after this many faults, kills, attacks, command lines or inputs")
    parser.add_argument("--slice", type=float, default=86400, metavar="SECONDS", help="stop after this time [default: a day]")
    parser.add_argument("--timeout", type=float, default=3, metavar="SECONDS", help="of a call [default: 3]")
    parser.add_argument("--corpus", metavar="FOLDER", default=os.path.join(SOURCE, "build", "corpus"),
                        help="of the parsers' inputs; kept for the next slice [default: build/corpus]")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    return parser.parse_args(arguments)


def carry_out(options):
    """Runs a part up to its count or its time, whichever comes first. Returns the part and its figures."""
    make, counted = PARTS[options.part]
    begin = time.monotonic()
    campaign = make(options)
    told = set()
    while campaign.figures()[counted] < options.count and time.monotonic() - begin < options.slice:
        campaign.run()
        for line in campaign.problems + campaign.figures().get("misjudged", []):
            if line not in told:
                print(line, flush=True)
            told.add(line)
    seconds = round(time.monotonic() - begin, 1)
    return campaign, {"part": options.part, "seed": options.seed, **campaign.figures(), "seconds": seconds}


def main():
    options = read_options(None)
    campaign, figures = carry_out(options)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            file.write(json.dumps(figures, indent=1) + "\n")
    for name, value in figures.items():
        if name != "by kind":
            print(f"{name:>22}  {len(value) if isinstance(value, list) else value}")
    sys.exit(not campaign.passes())


if __name__ == "__main__":
    main()
