# SPDX-License-Identifier: Apache-2.0
"""OpenVINO, CPU plug-in, with the defaults of `Core().compile_model(model, "CPU")`. Keeps one compiled model
for each model and its shapes.

The model declares the shapes of its inputs, as an exporter writes them: the plug-in does not accept an input
whose number of dimensions is not in the model. One setting is not the default everywhere: f32 is computed as
f32, although a CPU with bf16 units would use fewer bits
(docs/decisions/0014-frameworks-as-they-are-by-default.md). The form `threads=1` computes each model in one
thread; `device=NAME` compiles for another device."""

from functools import lru_cache

import numpy
import onnx_one_node
import openvino
from scatterproof_worker import Device, Unsupported, Worker, bfloat16_bits, is_bfloat16

core = openvino.Core()
target = "CPU"


def precise(device):
    core.set_property(device, {"INFERENCE_PRECISION_HINT": "f32"})


def on_device(name):
    global target
    target = name
    for each in core.available_devices:  # the name may be HETERO:GPU,CPU
        if each.partition(".")[0] in name:
            precise(each)
    number = openvino.opset13.parameter([1], numpy.float32)
    core.compile_model(openvino.Model([number], [number], "any"), name)  # raises its error
    return Device(name.partition(":")[0].partition(".")[0].lower(), is_lost=lambda: False)


precise(target)
worker = Worker(
    name="openvino", framework="onnx", version=openvino.__version__.partition("-")[0],
    dtypes=["bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"],
    forms={"threads=1": lambda: core.set_property("CPU", {"INFERENCE_NUM_THREADS": 1}), "device=NAME": on_device},
)


@lru_cache(maxsize=256)
def request(key, shapes):
    try:
        model = core.read_model(onnx_one_node.model(*key, shapes).SerializeToString())
    except RuntimeError as error:
        if "No conversion rule found" in str(error):
            raise Unsupported(f"openvino {openvino.__version__} has no {key[0]} of opset {key[1]}") from None
        raise
    return core.compile_model(model, target).create_infer_request()


def to_openvino(array):
    """A copy. bf16 has no numpy dtype, so its bits travel together with the element type."""
    if is_bfloat16(array):
        bits = openvino.Tensor(openvino.Type.bf16, array.shape)
        bits.data.view(numpy.uint16)[...] = array
        return bits
    return openvino.Tensor(numpy.array(array, order="C"))


def from_openvino(tensor):
    result = tensor.data.copy()
    return bfloat16_bits(result.view(numpy.uint16)) if tensor.element_type == openvino.Type.bf16 else result


def execute(key, feeds):
    compiled = request(key, onnx_one_node.shapes(feeds))
    for name, array in feeds.items():
        compiled.set_tensor(name, to_openvino(array))
    compiled.infer()
    return from_openvino(compiled.get_output_tensor(0))


onnx_one_node.register(worker, execute)
worker.serve()
