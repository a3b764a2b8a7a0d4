# SPDX-License-Identifier: Apache-2.0
"""A folder of data with few of the shipped specs and their cases. To read all of them is most of what a short
command takes, so a test that is about the command uses few."""

import atexit
import glob
import os
import shutil
import tempfile

from program import SOURCE

EVERYTHING = {"SCATTERPROOF_DATA": SOURCE}  # for `env=`: all that is shipped


def link(source, target):
    os.makedirs(os.path.dirname(target), exist_ok=True)
    os.symlink(source, target)


def make(data, *specs):
    """`specs` are patterns of paths in spec/data/ops, without suffix. Claims and benchmarks, which speak of
    others, are left out."""
    kept = ["docs", "engines", "runner/profiles.yaml", "runner/site/bridges.yaml"]
    kept += [f"spec/data/{name}" for name in os.listdir(os.path.join(SOURCE, "spec/data")) if name not in ("ops", "claims", "benchmarks")]
    for spec in specs:
        found = glob.glob(f"spec/data/ops/{spec}.yaml", root_dir=SOURCE)
        assert found, spec
        kept += found + [cases for cases in ("cases" + path[len("spec/data/ops"):-len(".yaml")] for path in found)
                         if os.path.isdir(os.path.join(SOURCE, cases))]
    for name in kept:
        link(os.path.join(SOURCE, name), os.path.join(data, name))


def use(*specs):
    """What the commands of this process have, but for those with another SCATTERPROOF_DATA."""
    data = tempfile.mkdtemp(prefix="scatter proof data ")
    atexit.register(shutil.rmtree, data)
    make(data, *specs)
    os.environ["SCATTERPROOF_DATA"] = data
    return data
