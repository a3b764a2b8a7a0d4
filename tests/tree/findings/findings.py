# SPDX-License-Identifier: Apache-2.0
"""The findings as data: engines/workers/<framework>/findings/F<number>.yaml, of the form of
finding.schema.json."""

import glob
import json
import os
import re

import jsonschema
import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.environ.get("SOURCE", os.path.dirname(os.path.dirname(os.path.dirname(HERE))))
WORKERS = os.path.join(SOURCE, "engines", "workers")
SEVERITIES = ["crash", "hang", "unrelated memory", "wrong result", "wrong gradient", "writes an argument", "accepts", "refuses",
              "message"]
BY_DESIGN = ("intended", "documented")


def read(path):
    with open(path, encoding="utf-8") as file:
        return yaml.load(file, Loader=yaml.CSafeLoader)


def manifests():
    """By engine, its manifest."""
    return {manifest["name"]: manifest for manifest in map(read, glob.glob(os.path.join(WORKERS, "*", "engine.yaml")))}


class Finding:
    """One file. `releases` are pairs of an engine, without its form, and a release. By engine, `pinned` is
    the release that its manifest names; ./dev installs it, unless the engine is in `on_request`."""

    pinned = {name: manifest["packages"][0].partition("==")[2] for name, manifest in manifests().items()}
    on_request = {name for name, manifest in manifests().items() if manifest.get("on_request")}

    def __init__(self, path):
        self.path = path
        self.data = read(path)
        self.id = self.data["id"]
        self.number = int(self.id[1:])
        self.severity = self.data["severity"]
        self.releases = [(name.partition(":")[0], release) for name, releases in self.data["seen"].items() for release in releases]
        self.engines = list(dict.fromkeys(engine for engine, _ in self.releases))

    @property
    def by_design(self):
        return self.data["status"] in BY_DESIGN

    @property
    def current(self):
        """Seen on a release that a manifest names."""
        return any(self.pinned[engine] == release for engine, release in self.releases)

    @property
    def rank(self):
        return SEVERITIES.index(self.severity), self.number

    def seen(self):
        """`torch 1.13.0a0, 2.13.0; torch:compile 2.13.0`"""
        text = "; ".join(f"{name} {', '.join(releases)}" for name, releases in self.data["seen"].items())
        return text + (" (set up)" if "configuration" in self.data else "")

    def scripts(self):
        """Pairs of an entry of `shows` and the (engine, release) pairs on which it is to be run."""
        for entry in self.data["shows"]:
            chosen = [(engine, release) for name, releases in self.data["seen"].items() for release in releases
                      for engine in [name.partition(":")[0]]
                      if "only" not in entry or {name, f"{name}@{release}", engine} & set(entry["only"])]
            yield entry, list(dict.fromkeys(chosen))


def all_findings():
    paths = glob.glob(os.path.join(WORKERS, "*", "findings", "*.yaml"))
    return sorted((Finding(path) for path in paths), key=lambda finding: finding.rank)


def mistakes(path):
    """The errors of a file, by the schema and by checks that it cannot express."""
    with open(os.path.join(HERE, "finding.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    data = read(path)
    found = [f"{'/'.join(map(str, error.absolute_path))}: {error.message}"
             for error in jsonschema.Draft7Validator(schema).iter_errors(data)]
    if found:
        return found
    if os.path.basename(path) != data["id"] + ".yaml":
        found.append("the file is not named after the finding")
    for number, entry in enumerate(data["shows"]):
        found += [f"shows/{number}: {mistake}" for mistake in script_mistakes(entry)]
    folder = os.path.basename(os.path.dirname(os.path.dirname(path)))
    first = next(iter(data["seen"])).partition(":")[0]
    if folder != first:
        found.append(f"a finding lies with the first engine of `seen`, {first}")
    return found


def script_mistakes(entry):
    script = entry["script"]
    try:
        compile(script, "script", "exec")
    except SyntaxError as error:
        yield str(error)
    if not re.search(r"(?m)^\s*(assert|raise)\b", script) and "ends" not in entry:
        yield "a script without an assertion claims nothing"
    if "scatterproof" in script:
        yield "a script is framework code alone"
