# SPDX-License-Identifier: Apache-2.0
"""Executes scripts one after another in this process, and reports the result of each.

    python run_snippets.py SCRIPTS FIRST

SCRIPTS: a JSON list of texts. Each from number FIRST on gives one JSON line on stdout: the tensor in
`result`, as dtype, shape and bytes, and `gradients` (a tensor or null for each) or the `tangent` if there are
such; whether exactly these were printed; or the classes of the exception.
"""

import contextlib
import faulthandler
import io
import json
import os
import re
import runpy
import sys
import tempfile

NAMES = {
    "bool": "bool", "uint8": "u8", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "float16": "f16",
    "bfloat16": "bf16", "float32": "f32", "float64": "f64", "complex64": "c64", "complex128": "c128",
}


def contents(result):
    """A tensor of any of the frameworks."""
    if hasattr(result, "bitcast"):  # tinygrad, whose constants are on no device
        result = result.clone(device="PYTHON")
        bits = result.bitcast("ushort") if result.dtype.name == "__bf16" else result
        dtype = "bf16" if bits is not result else NAMES[str(bits.numpy().dtype)]
        return {"dtype": dtype, "shape": list(result.shape), "bytes": bits.numpy().tobytes().hex()}
    # torch.float32, or <dtype: 'float32'>
    dtype = NAMES[re.search(r"(\w+)'?>?$", str(result.dtype))[1].lower()]
    if hasattr(result, "asnumpy"):  # mindspore
        result = result.asnumpy()
    elif hasattr(result, "untyped_storage"):  # torch, whose bf16 numpy does not know
        import torch

        result = result.detach()
        result = (result if result.layout is torch.strided else result.to_dense()).contiguous()
        result = (result.view(torch.int16) if dtype == "bf16" else result).numpy()
    elif type(result).__module__ == "mlx.core":  # whose bf16 numpy does not know
        import mlx.core
        import numpy

        result = numpy.array(result.view(mlx.core.uint16) if dtype == "bf16" else result)
    elif hasattr(result, "numpy"):  # paddle, tensorflow
        result = result.numpy()
    return {"dtype": dtype, "shape": list(result.shape), "bytes": result.tobytes().hex()}


def told(script, path):
    printed = io.StringIO()
    with open(path, "w", encoding="utf-8") as file:  # some compilers read the source of a function
        file.write(script)
    # A damaged heap may lock forever; then the process counts as dead.
    faulthandler.dump_traceback_later(120, exit=True)
    try:
        with contextlib.redirect_stdout(printed):
            names = runpy.run_path(path, run_name="__main__")
    except Exception as error:
        return {"raised": [kind.__name__ for kind in type(error).__mro__]}
    finally:
        faulthandler.cancel_dump_traceback_later()
    left, shown = contents(names["result"]), [names["result"]]
    if "gradients" in names:
        left["gradients"] = [one if one is None else contents(one) for one in names["gradients"]]
        shown.append(names["gradients"])
    if "tangent" in names:
        left["gradients"] = [contents(names["tangent"])]
        shown.append(names["tangent"])
    return {**left, "printed": printed.getvalue() == "".join(str(one) + "\n" for one in shown)}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        scripts = json.load(file)
    channel = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what a framework itself prints
    os.dup2(1, 2)
    with tempfile.TemporaryDirectory() as folder:
        for number, script in enumerate(scripts[int(sys.argv[2]):]):
            print(json.dumps(told(script, os.path.join(folder, f"{number}.py"))), file=channel, flush=True)


main()
