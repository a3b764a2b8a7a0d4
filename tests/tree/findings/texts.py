# SPDX-License-Identifier: Apache-2.0
"""By a framework's own Python: the documents of its release.

    python texts.py FOLDER NAME...

FOLDER holds the workers. Prints one JSON object: by name the text, or null where the release has none.
"""

import contextlib
import importlib
import importlib.util
import json
import sys


def text_of(name, workers):
    package = name.partition(".")[0]
    if package == "onnx":
        sys.path[:0] = [f"{workers}/onnx", f"{workers}/python"]
        return importlib.import_module("onnx_schemas").document(name)
    # By its path: next to it are modules whose names frameworks use too.
    spec = importlib.util.spec_from_file_location("documents", f"{workers}/python/scatterproof_worker/documents.py")
    documents = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(documents)
    with contextlib.suppress(ImportError):  # the last part may be a class; the modules before it are imported
        importlib.import_module(name)
    return documents.docstring(name, importlib.import_module(package))


print("\n" + json.dumps({name: text_of(name, sys.argv[1]) for name in sys.argv[2:]}))
