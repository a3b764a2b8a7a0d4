# SPDX-License-Identifier: Apache-2.0
"""Writes ONNX backend tests of single nodes as a recording: each call with the result that the test expects.

import_tests.py RECORDING [FOLDER ...]: the tests in the folders, at any depth; without one, those of this
package.
"""

import base64
import json
import pathlib
import sys
import warnings

import ml_dtypes
import numpy as np
import onnx
from google.protobuf.message import DecodeError
from onnx import TensorProto, defs, helper, numpy_helper
from onnx_one_node import INPUTS
from scatterproof_worker import bfloat16_bits
from scatterproof_worker.tensors import dtype_name

NOT_YET = {"uint16": "u16", "uint32": "u32", "uint64": "u64", "object": "string"}


class NotExpressed(Exception):
    """The test says something that a case cannot express; the message names it."""


def array_of(value):
    array = numpy_helper.to_array(value) if isinstance(value, TensorProto) else value
    if not isinstance(array, np.ndarray):
        raise NotExpressed(f"a value that is no tensor but a {type(array).__name__}")
    return bfloat16_bits(array) if array.dtype == ml_dtypes.bfloat16 else array


def tensor(value):
    array = array_of(value)
    kind = "object" if array.dtype.kind in "OUS" else array.dtype.name
    try:
        return {"dtype": dtype_name(array), "shape": list(array.shape), "data": base64.b64encode(array.tobytes()).decode()}
    except TypeError:
        raise NotExpressed(f"dtype {NOT_YET.get(kind, kind)} is not supported yet") from None


def attribute(one):
    value = helper.get_attribute_value(one)
    if isinstance(value, bytes):
        return {"word": value.decode()}
    if isinstance(value, int):
        return {"integer": value}
    raise NotExpressed(f"attribute {one.name} is neither an integer nor a word")


def arguments(model, inputs):
    (node,) = model.graph.node
    given = {value.name: numpy_helper.to_array(value) for value in model.graph.initializer}
    given |= dict(zip((value.name for value in model.graph.input), inputs))
    if len(node.input) != len(INPUTS[node.op_type]):
        raise NotExpressed(f"{len(node.input)} inputs")
    named = {name: {"tensor": tensor(given[source])} for name, source in zip(INPUTS[node.op_type], node.input)}
    named |= {one.name: attribute(one) for one in node.attribute}
    # The operator's own version: the newest opset that changed it, up to the model's.
    opset = next(one.version for one in model.opset_import if one.domain in ("", "ai.onnx"))
    return named | {"opset": {"integer": defs.get_schema(node.op_type, opset, "").since_version}}


def api_of(model):
    """The operator's; with several nodes, a name that is not an operator's."""
    if len(model.graph.node) != 1:
        return "onnx of several nodes"
    (node,) = model.graph.node
    return f"{node.domain}.{node.op_type}" if node.domain not in ("", "ai.onnx") else f"onnx.{node.op_type}"


def line(source, model, inputs, outputs):
    api = api_of(model)
    call = {"from": source, "api": api, "arguments": {}}
    if api.removeprefix("onnx.") not in INPUTS:
        return call | {"outcome": {"unsupported": {"reason": "another operator"}}}
    try:
        (expected,) = outputs
        call["arguments"] = arguments(model, inputs)
        return call | {"outcome": {"produced": {"tensors": [tensor(expected)], "wrote": []}}}
    except NotExpressed as why:
        return call | {"outcome": {"unsupported": {"reason": str(why)}}}


def read_tensors(folder, kind):
    files = sorted(folder.glob(f"{kind}_*.pb"), key=lambda file: int(file.stem.removeprefix(f"{kind}_")))
    return [TensorProto.FromString(file.read_bytes()) for file in files]


def line_of_folder(data_set):
    try:
        model = onnx.load(data_set.parent / "model.onnx")
        if api_of(model).removeprefix("onnx.") not in INPUTS:
            return line(str(data_set), model, [], [])  # its inputs may be anything
        return line(str(data_set), model, read_tensors(data_set, "input"), read_tensors(data_set, "output"))
    except (OSError, ValueError, DecodeError) as error:
        return {"from": str(data_set), "api": "onnx", "arguments": {},
                "outcome": {"unsupported": {"reason": f"it cannot be read: {error}"}}}


def lines_of_folder(folder):
    """One for each data set of each test below the folder."""
    for file in sorted(pathlib.Path(folder).rglob("model.onnx")):
        yield from map(line_of_folder, sorted(file.parent.glob("test_data_set_*")))


def lines_of_package():
    """The tests that the package makes; in older releases, the folders that it contains."""
    from onnx.backend.test.loader import load_model_tests

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # tests of other operators overflow on purpose
        tests = load_model_tests(kind="node")
    for test in sorted(tests, key=lambda test: test.name):
        if test.model is None:
            yield from lines_of_folder(test.model_dir)
            continue
        for number, (inputs, outputs) in enumerate(test.data_sets):
            yield line(f"{test.name}/test_data_set_{number}", test.model, inputs, outputs)


def main(recording, *folders):
    header = {"recording": 1, "engine": f"onnx@{onnx.__version__}", "framework": "onnx", "version": onnx.__version__,
              "device": "cpu", "apis": [f"onnx.{operator}" for operator in INPUTS], "dtypes": []}
    with open(recording, "w", encoding="utf-8") as out:
        print(json.dumps(header), file=out)
        for one in (one for folder in folders for one in lines_of_folder(folder)) if folders else lines_of_package():
            print(json.dumps(one), file=out)


main(*sys.argv[1:])
