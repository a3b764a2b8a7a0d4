# SPDX-License-Identifier: Apache-2.0
"""Prints which of the modules named this interpreter can import, each with its version. It imports none."""

import importlib.metadata
import importlib.util
import sys


def version_of(module):
    """None if it was not installed: what is only in a folder on the path has no version."""
    if importlib.util.find_spec(module) is None:
        return None
    for distribution in (module, *importlib.metadata.packages_distributions().get(module, ())):
        try:
            return importlib.metadata.version(distribution)
        except importlib.metadata.PackageNotFoundError:
            pass
    return None


for module in sys.argv[1:]:
    if version := version_of(module):
        print(module, version)
