# SPDX-License-Identifier: Apache-2.0
"""tract, through its Python bindings. Keeps one model for each model and its shapes, which tract needs before
it runs anything. Its bindings have no bf16."""

from functools import lru_cache
from tempfile import NamedTemporaryFile

import numpy
import onnx_one_node
import tract
from scatterproof_worker import Unsupported, Worker

worker = Worker(
    name="tract", framework="onnx", version=tract.version(),
    dtypes=["bool", "u8", "i8", "i16", "i32", "i64", "f16", "f32", "f64"],
)


@lru_cache(maxsize=256)
def runnable(key, shapes):
    with NamedTemporaryFile(suffix=".onnx") as file:
        file.write(onnx_one_node.model(*key, shapes).SerializeToString())
        file.flush()
        model = tract.onnx().load(file.name)
    try:
        return model.into_model().into_runnable()
    except tract.TractError as error:
        if "Unimplemented(" in str(error):
            raise Unsupported(f"tract {tract.version()} has no {key[0]}") from None
        raise


def execute(key, feeds):
    (result,) = runnable(key, onnx_one_node.shapes(feeds)).run([numpy.asarray(each, order="C") for each in feeds.values()])
    return result.to_numpy()


onnx_one_node.register(worker, execute)
worker.serve()
