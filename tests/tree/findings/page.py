# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/results/findings.md and of README.md, made from the files of the findings.

    python page.py            # says which tables differ
    python page.py --write    # writes them
"""

import os
import re
import sys

from findings import SEVERITIES, SOURCE, all_findings

SILENT = ["crash", "hang", "unrelated memory", "wrong result", "wrong gradient"]


def table(rows):
    head, *body = rows
    return "".join(f"| {' | '.join(cells)} |\n" for cells in [head, ["---"] * len(head), *body])


def status(finding):
    word = finding.data["status"] + (f" in {finding.data['fixed_in']}" if "fixed_in" in finding.data else "")
    return f"[{word}]({finding.data['link']})" if "link" in finding.data else word


def file_of(finding):
    return os.path.relpath(finding.path, os.path.join(SOURCE, "docs", "results"))


def listed(findings):
    return table([["id", "severity", "seen in", "what happens", "status"],
                  *([f"[{one.id}]({file_of(one)})", one.severity, one.seen(), one.data["title"], status(one)] for one in findings)])


def designed(findings):
    """Findings that are intended by the framework's makers, with the source."""
    return table([["id", "seen in", "what happens", "who says that it is meant"],
                  *([f"[{one.id}]({file_of(one)})", one.seen(), one.data["title"], f"{status(one)}: {one.data['because']}"]
                    for one in findings)])


def figures(findings):
    """How many there are of each severity in each framework; one of two frameworks counts for both, and once
    in all."""
    names = sorted({name for one in findings for name in one.engines})
    rows = [["severity", *names, "all"]]
    for label, among in [*((one, [one]) for one in SEVERITIES), ("all", SEVERITIES)]:
        chosen = [one for one in findings if one.severity in among]
        rows.append([label, *(str(sum(name in one.engines for one in chosen)) for name in names), str(len(chosen))])
    return table(rows)


ENGINES = {"torch_geometric": "pyg"}  # by framework, where their names differ


def in_figures(findings, earlier, status_page):
    """The README's table: APIs and cases of each framework's documents, and what was found in each."""
    held = {ENGINES.get(name, name): (apis, cases) for name, apis, cases in re.findall(r"(?m)^\| (\w+) \| (\d+) \| (\d+) \|$", status_page)}
    names = [*sorted({name for one in [*findings, *earlier] for name in one.engines} | held.keys() - {"all"}), "all"]

    def count(among, severities=SEVERITIES):
        return [str(sum(one.severity in severities and name in [*one.engines, "all"] for one in among)) for name in names]

    return table([["", *names],
                  ["APIs with a spec", *(held.get(name, "-")[0] for name in names)],
                  ["cases", *(held.get(name, "--")[1] for name in names)],
                  ["findings in the newest release", *count(findings)],
                  ["of these: crashes, hangs, reads of unrelated memory, silent wrong results and gradients", *count(findings, SILENT)],
                  ["findings in earlier releases only", *count(earlier)]])


def between(page, name, made):
    """The page with `made` between `<!-- NAME -->` and `<!-- end -->`."""
    marked = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.S)
    if not marked.search(page):
        raise SystemExit(f"no place for the table '{name}'")
    return marked.sub(lambda found: found[1] + made + found[2], page)


def text_of(*path):
    with open(os.path.join(SOURCE, *path), encoding="utf-8") as file:
        return file.read()


def pages():
    """By path, what the two pages should be."""
    findings = all_findings()
    counted = [one for one in findings if not one.by_design]
    current = [one for one in counted if one.current]
    earlier = [one for one in counted if not one.current]
    page = text_of("docs", "results", "findings.md")
    for name, made in [("figures of the newest releases", figures(current)), ("newest releases", listed(current)),
                       ("earlier releases", listed(earlier)), ("by design", designed([one for one in findings if one.by_design]))]:
        page = between(page, name, made)
    readme = between(text_of("README.md"), "figures", in_figures(current, earlier, text_of("tests", "tree", "results", "expected", "status.md")))
    return {("docs", "results", "findings.md"): page, ("README.md",): readme}


if __name__ == "__main__":
    for where, wanted in pages().items():
        if text_of(*where) == wanted:
            continue
        print(f"{'/'.join(where)}: its tables are not those of the findings", file=sys.stderr)
        if "--write" in sys.argv:
            with open(os.path.join(SOURCE, *where), "w", encoding="utf-8") as file:
                file.write(wanted)
