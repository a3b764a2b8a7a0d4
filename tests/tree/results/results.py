# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/results/semantics.md, claims.md and status.md, made from the facts that are kept for
each.

    results.py                          # says which tables differ; the exit code is 1 if one does
    results.py --write                  # writes them
    results.py --write --seen NOW.json  # first keeps the facts of `scatterproof compare --json NOW.json`

The facts are seen.json here (what each API was seen to do), spec/data/claims (the standing of each claim),
and expected/status.md here (the output of `scatterproof spec documents --status`).
"""

import argparse
import collections
import datetime
import glob
import json
import os
import re
import sys

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.environ.get("SOURCE", os.path.dirname(os.path.dirname(os.path.dirname(HERE))))
sys.path.append(os.path.join(SOURCE, "tests", "tree", "findings"))
from page import between, table, text_of  # pylint: disable=wrong-import-position

SEEN = os.path.join(HERE, "seen.json")
STATUS = os.path.join(HERE, "expected", "status.md")
KINDS = ("documented difference", "undocumented difference", "contradicts own document")
STANDINGS = ("holds", "holds if", "refuted", "not run")


def seen():
    with open(SEEN, encoding="utf-8") as file:
        return json.load(file)


def facts_of(comparison):
    """Of what `compare --json` wrote, the letters of each cell and what the differences are called."""
    families = []
    for one in comparison["families"]:
        rows, letters = {}, {}
        for cell in one["cells"]:
            row = rows.setdefault(cell["class"], [""] * len(one["members"]))
            row[cell["member"]] = "".join(does["letter"] + "~" * (not does["repeated"]) for does in cell["does"])
            letters |= {does["letter"]: does["name"] for does in cell["does"]}
        families.append({"family": one["family"], "inputs": one["inputs"], "letters": dict(sorted(letters.items())),
                         "members": [[member["api"], member["engine"]] for member in one["members"]], "rows": rows,
                         "differences": [[of["name"], of["kind"], bool(of["portable"])] for of in one["differences"]]})
    return {"date": datetime.date.today().isoformat(), "seed": comparison["seed"], "families": families}


def keep(facts):
    """A line for each member, row and difference, so that diffs are readable."""
    def lines(of):
        """The items of a list or map, a line each."""
        items = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in of.items()] if isinstance(of, dict) else map(json.dumps, of)
        return ",\n".join(f"   {item}" for item in items)

    families = ",\n".join(
        f' {{"family": "{one["family"]}", "inputs": {one["inputs"]},\n  "letters": {json.dumps(one["letters"])},\n'
        f'  "members": [\n{lines(one["members"])}],\n  "rows": {{\n{lines(one["rows"])}}},\n'
        f'  "differences": [\n{lines(one["differences"])}]}}' for one in facts["families"])
    with open(SEEN, "w", encoding="utf-8") as file:
        file.write(f'{{"date": "{facts["date"]}", "seed": {facts["seed"]}, "families": [\n{families}]}}\n')


def by_family(facts):
    rows = [["family", "members", "calls", "input classes", "all do the same in", "differences", *KINDS, "can be written portably"]]
    for one in facts["families"]:
        same = sum(len({cell for cell in row if cell}) < 2 for row in one["rows"].values())
        kinds = collections.Counter(kind for _, kind, _ in one["differences"])
        rows.append([one["family"], *map(str, (len(one["members"]), one["inputs"], len(one["rows"]), same, len(one["differences"]),
                                               *(kinds[kind] for kind in KINDS), sum(portable for *_, portable in one["differences"])))])
    return table(rows + [["all", *(str(sum(int(row[at]) for row in rows[1:])) for at in range(1, len(rows[0])))]])


def by_engine(facts):
    """In how many classes an engine's APIs did what, by the first letter that applies."""
    counts = collections.defaultdict(collections.Counter)
    for one in facts["families"]:
        for row in one["rows"].values():
            for (_, engine), cell in zip(one["members"], row):
                letters = set(cell) - {"~"}
                if not letters:
                    continue
                counts[engine]["classes"] += 1
                counts[engine]["as defined"] += letters == {"="}
                counts[engine]["refuses"] += bool(letters & {"R", "W"})
                counts[engine]["crashes"] += "X" in letters
                counts[engine]["unexplained"] += "?" in letters
    heads = ("classes", "as defined", "refuses", "crashes", "unexplained")
    return table([["engine", "API and class pairs", "as defined alone", "refuses some or all", "crashes or hangs", "gives unexplained results"],
                  *([engine, *(str(counts[engine][head]) for head in heads)] for engine in sorted(counts))])


def claims():
    """What each group of sources claims, and the standing that its file records."""
    rows = [["claims", "in all", "executed", *STANDINGS, "file"]]
    for path in sorted(glob.glob(os.path.join(SOURCE, "spec", "data", "claims", "*.yaml"))):
        with open(path, encoding="utf-8") as file:
            group = yaml.load(file, Loader=yaml.CSafeLoader)
        executed = [one for one in group["claims"] if "because" not in one]
        standings = collections.Counter(
            standing for one in executed if "expect" in one
            for standing in (one["expect"].values() if isinstance(one["expect"], dict) else [one["expect"]]))
        name = os.path.basename(path)
        rows.append([group["title"], str(len(group["claims"])), str(len(executed)), *(str(standings[one]) for one in STANDINGS),
                     f"[{name}](../../spec/data/claims/{name})"])
    return table([*rows, ["all", *(str(sum(int(row[at]) for row in rows[1:])) for at in range(1, 3 + len(STANDINGS))), ""]])


def status_of():
    with open(STATUS, encoding="utf-8") as file:
        return file.read()


def status(text):
    """By framework: its documents, and what specs and cases say about their clauses. APIs of one text count
    it once each."""
    cases = {name: (apis, number) for name, apis, number in re.findall(r"(?m)^\| (\w+) \| (\d+) \| (\d+) \|$", text)}
    shares = collections.defaultdict(list)
    for api, clauses, covered, omitted, missing in re.findall(
            r"(?m)^\| (\w+)\.\S+ \| \d+ \| [^|]+ \| (\d+) \| (\d+) % \| (\d+) % \| (\d+) % \|", text):
        shares[api].append(tuple(map(int, (clauses, covered, omitted, missing))))
    rows = [["framework", "APIs", "cases", "APIs whose page has a text here", "clauses covered, in the mean", "APIs with a clause that nothing covers"]]
    for name, (apis, number) in cases.items():
        of = shares[name] if name != "all" else [one for group in shares.values() for one in group]
        mean = f"{round(sum(one[1] for one in of) / len(of))} %" if of else "-"
        rows.append([name, apis, number, str(len(of)), mean, str(sum(one[3] > 0 for one in of))])
    return table(rows)


def executors(text):
    """How many APIs each engine executes; a form that refuses or fails on all of them is not counted."""
    counts = collections.Counter()
    for cell in re.findall(r"(?m)^\| \S+\.\S+ \|.*\| ([^|]*) \|$", text):
        counts.update(one.strip() for one in cell.split(",") if not one.strip().endswith((" refuses", " fails")))
    return table([["engine", "APIs"], *([name, str(number)] for name, number in sorted(counts.items()) if name)])


def pages():
    """By path, what the three pages should be."""
    wanted = {}
    for name, tables in (("semantics", {"families": by_family(seen()), "engines": by_engine(seen())}),
                         ("claims", {"standings": claims()}),
                         ("status", {"frameworks": status(status_of()), "engines": executors(status_of())})):
        where = ("docs", "results", f"{name}.md")
        text = text_of(*where)
        for place, made in tables.items():
            text = between(text, place, made)
        wanted[where] = text
    return wanted


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--write", action="store_true", help="write the tables")
    options.add_argument("--seen", metavar="NOW.json", help="first keep the facts of this comparison")
    chosen = options.parse_args()
    if chosen.seen:
        with open(chosen.seen, encoding="utf-8") as file:
            keep(facts_of(json.load(file)))
    stale = {where: wanted for where, wanted in pages().items() if text_of(*where) != wanted}
    for where, wanted in stale.items():
        print(f"{'/'.join(where)}: its tables are not those of the facts", file=sys.stderr)
        if chosen.write:
            with open(os.path.join(SOURCE, *where), "w", encoding="utf-8") as file:
                file.write(wanted)
    return 1 if stale and not chosen.write else 0


if __name__ == "__main__":
    sys.exit(main())
