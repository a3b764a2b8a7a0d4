# SPDX-License-Identifier: Apache-2.0
"""python -m scatterproof.function MODULE FUNCTION API ARRAYS DTYPES DESCRIBED: the worker of an engine such
as `py:module:function=torch.scatter_add`. The module may be a file; the last two are JSON."""

import importlib
import importlib.util
import json
import os
import sys
from types import ModuleType
from typing import Any

from . import _child
from ._function import FunctionWorker


def load(module: str) -> ModuleType:
    if not module.endswith(".py"):
        return importlib.import_module(module)
    name = os.path.splitext(os.path.basename(module))[0]
    sys.path.insert(0, os.path.dirname(os.path.abspath(module)))
    found = importlib.util.spec_from_file_location(name, module)
    assert found and found.loader
    loaded = importlib.util.module_from_spec(found)
    sys.modules[name] = loaded
    found.loader.exec_module(loaded)
    return loaded


def main(module: str, function: str, api: str, arrays: str, dtypes: str, described: str) -> None:
    _child.allowed_here = False
    try:
        callee: Any = load(module)
        for name in function.split("."):
            callee = getattr(callee, name)
        worker = FunctionWorker(callee, api, json.loads(described), json.loads(dtypes), arrays)
    except Exception as error:
        sys.exit(f"{module}:{function}: {type(error).__name__}: {error}")
    worker.serve()


if __name__ == "__main__":
    main(*sys.argv[1:])
