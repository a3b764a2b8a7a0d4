# SPDX-License-Identifier: Apache-2.0
from onnx import TensorProto, helper


def one_node_model(operator, opset, inputs, attributes, shapes=None):
    """A model of one node. `inputs`: element type by name. `shapes`: by name too, for a runtime that needs
    them in the model; else they are left open, so that the runtime judges them."""
    node = helper.make_node(operator, list(inputs), ["output"], **attributes)
    values = [helper.make_tensor_value_info(name, kind, shapes and shapes[name]) for name, kind in inputs.items()]
    output = helper.make_tensor_value_info("output", next(iter(inputs.values())), None)
    graph = helper.make_graph([node], operator, values, [output])
    # The first IR version that may carry opset 18: old enough for every runtime of today.
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
