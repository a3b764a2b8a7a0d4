# SPDX-License-Identifier: Apache-2.0
"""Checks the arrows of docs/understand/architecture.md with the compiler.

Every target of spec, engines, reports and runner is asked, with the include paths that it is really compiled
with, which headers of the tree it can reach: those of its dependencies, and no others. An include path cannot
forbid a step up and into another component, so the sources are searched for that.
"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["SOURCE"]).resolve()
BUILD = pathlib.Path(os.environ["BUILD"]).resolve()

# What each component sees besides itself. One line an arrow; docs/understand/architecture.md draws them.
SEES = {
    "spec/core": set(),
    "spec/yaml": {"spec/core"},
    "spec/language": {"spec/core"},
    "spec/judge": {"spec/core"},
    "spec/opspec": {"spec/language", "spec/yaml"},
    "spec/oracle": {"spec/judge", "spec/opspec"},
    "spec/gradient": {"spec/oracle"},
    "spec/family": {"spec/oracle"},
    "spec/cases": {"spec/oracle"},
    "spec/documents": {"spec/cases"},
    "spec/solve": {"spec/oracle"},
    "spec/record": {"spec/core"},
    "engines/support/core": {"spec/core"},
    "engines/support/native": {"engines/support/core", "spec/opspec"},
    "engines/support/kernels": {"engines/support/native", "spec/yaml"},
    "engines/support/protocol": {"spec/core"},
    "engines/support/client": {"engines/support/kernels", "engines/support/protocol"},
    "engines/support/server": {"engines/support/core", "engines/support/protocol", "spec/opspec"},
    "engines/reference": {"engines/support/native"},
    "engines/faulty": {"engines/support/native"},
    "engines/recorded": {"engines/support/core", "engines/support/protocol"},
    "engines/support/registry": {"engines/support/client", "engines/support/native", "engines/support/protocol", "engines/faulty", "engines/recorded", "spec/yaml"},
    "engines/plugin": {"engines/support/kernels", "engines/support/server", "engines/support/registry"},
    "reports": {"spec/record"},
    "runner/files": {"spec/core"},
    "runner/about": {"spec/solve", "engines/thrust"},
    "runner/calls": {"spec/core"},
    "runner/select": {"spec/cases"},
    "runner/trust": {"runner/files"},
    "runner/catalogue": {"spec/cases", "engines/recorded", "engines/support/registry", "runner/select"},
    "runner/baseline": {"spec/record", "runner/calls", "runner/select"},
    "runner/trial": {"spec/cases", "spec/gradient", "spec/record", "engines/support/core", "runner/calls"},
    "runner/run": {"spec/cases", "engines/recorded", "reports", "runner/about", "runner/baseline", "runner/catalogue",
                   "runner/files", "runner/relations", "runner/trial"},
    "runner/streams": {"runner/baseline", "runner/run", "runner/select"},
    "runner/shrink": {"runner/calls", "runner/files", "runner/trial"},
    "runner/snippet": {"spec/family", "engines/support/registry", "runner/relations", "runner/trial"},
    "runner/relations": {"spec/family", "runner/trial"},
    "runner/fuzz": {"spec/family", "spec/solve", "engines/support/registry", "reports", "runner/baseline",
                    "runner/relations", "runner/select", "runner/shrink", "runner/snippet"},
    "runner/python": {"engines/support/client", "engines/support/protocol", "runner/catalogue", "runner/fuzz"},
    "runner/compare": {"reports", "runner/fuzz"},
    "runner/claims": {"runner/compare"},
    "runner/site": {"runner/catalogue", "runner/claims", "runner/files"},
    "runner/bench": {"engines/reference", "runner/about", "runner/fuzz"},
    "runner/selftest": {"engines/faulty", "engines/reference", "runner/fuzz"},
    "runner/history": {"reports", "runner/baseline", "runner/files"},
    "runner/cli": {"spec/documents", "engines/plugin", "runner/bench", "runner/claims", "runner/compare", "runner/history",
                   "runner/python", "runner/selftest", "runner/site", "runner/streams", "runner/trust"},
}
# Every other folder of engines is an engine: it needs no line here.
ENGINE_SEES = {"engines/support/native", "engines/support/server"}


def seen(component):
    return SEES.get(component, ENGINE_SEES)


def all_seen(component):
    found = {component}
    for other in seen(component):
        found |= all_seen(other)
    return found


def component_of(path):
    """`spec/core`, `engines/openmp`, `engines/support/core`, `runner/cli`, `reports`: the folder whose
    headers and sources are one target's."""
    parts = pathlib.Path(path).relative_to(ROOT).parts
    if parts[0] == "reports" or (parts[0] == "runner" and len(parts) == 2):  # the program's own files
        return parts[0]
    return "/".join(parts[:3 if parts[:2] == ("engines", "support") else 2])


def headers():
    """Every header of the product by its spellings: public ones as they are included, and every tail of each
    path."""
    owners, public = {}, set()
    for top in ("spec", "engines", "reports", "runner"):
        for path in sorted((ROOT / top).rglob("*.h*")):
            if path.suffix not in (".h", ".hpp") or "scaffolds" in path.parts:
                continue
            parts = path.relative_to(ROOT).parts
            for i in range(len(parts)):
                owners.setdefault("/".join(parts[i:]), set()).add(component_of(path))
            if "include" in parts:
                public.add(str(path).split("/include/", 1)[1])
    return owners, public


def commands():
    """One compile command for each component's folder, as the build has it, without its input and outputs."""
    found = {}
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["directory"], entry["file"]).resolve()
        if path.is_relative_to(BUILD) and path.parent.name == "Unity":  # sources that are compiled together
            path = ROOT / path.relative_to(BUILD)
        elif path.suffix != ".cpp" or path.is_relative_to(BUILD):
            continue
        if not path.is_relative_to(ROOT) or path.relative_to(ROOT).parts[0] not in ("spec", "engines", "reports", "runner"):
            continue
        if component_of(path) == "runner":
            continue
        words = shlex.split(entry["command"])
        kept = [word for word in words if word.startswith(("-I", "-isystem", "-std"))]
        systems = [("-isystem", words[i + 1]) for i, word in enumerate(words) if word == "-isystem"]
        kept = [word for word in kept if word != "-isystem"] + [word for pair in systems for word in pair]
        found.setdefault(component_of(path), (entry["directory"], set()))[1].add(tuple(kept))
    return found


def reachable(directory, flags, spellings):
    """The spellings that the compiler finds, from a file outside the tree."""
    with tempfile.TemporaryDirectory() as empty, open(os.path.join(empty, "probe.cpp"), "w", encoding="utf-8") as probe:
        for i, spelling in enumerate(spellings):
            probe.write(f'#if __has_include("{spelling}")\nfound {i}\n#endif\n')
        probe.flush()
        text = subprocess.run(["c++", "-E", "-P", *flags, probe.name], cwd=directory, capture_output=True,
                              text=True, check=True).stdout
    return {spellings[int(number)] for number in re.findall(r"found (\d+)", text)}


class Layering(unittest.TestCase):
    maxDiff = None  # every include that should not be

    def test_every_component_has_its_line(self):
        """A new folder of spec says what it sees."""
        folders = {component for component in commands() if component.startswith(("spec/", "engines/support/", "runner/"))}
        self.assertEqual(folders, {component for component in SEES if component.startswith(("spec/", "engines/support/", "runner/"))})

    def test_include_paths_hold_only_what_is_seen(self):
        owners, public = headers()
        asked = commands()
        self.assertGreater(len(asked), 10)
        wrong = []
        for component, (directory, variants) in sorted(asked.items()):
            for flags in sorted(variants):
                for spelling in sorted(reachable(directory, flags, sorted(owners))):
                    if not self.may_see(component, owners[spelling], spelling in public):
                        wrong.append(f"{component} can include {spelling} of {', '.join(sorted(owners[spelling]))}")
        self.assertEqual(wrong, [])

    @staticmethod
    def may_see(component, owners, public):
        """Its own headers, and the public ones of what it sees."""
        return component in owners or (public and bool(owners & all_seen(component)))

    def test_a_component_sees_what_it_should(self):
        """The probe itself can find something."""
        directory, variants = commands()["spec/oracle"]
        self.assertEqual(reachable(directory, next(iter(variants)), ["scatterproof/spec/judge/bag.hpp"]),
                         {"scatterproof/spec/judge/bag.hpp"})

    def test_no_step_up_into_another_component(self):
        wrong = []
        for top in ("spec", "engines", "reports", "runner"):
            for path in sorted((ROOT / top).rglob("*")):
                if path.suffix not in (".cpp", ".hpp", ".h", ".cu", ".cuh"):
                    continue
                for number, line in enumerate(path.read_text().splitlines(), 1):
                    match = re.match(r'\s*#\s*include\s+"(\.\./[^"]*|[^"]*/\.\./[^"]*)"', line)
                    if match and component_of((path.parent / match[1]).resolve()) != component_of(path):
                        wrong.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    sys.exit(unittest.main())
