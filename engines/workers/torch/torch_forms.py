# SPDX-License-Identifier: Apache-2.0
"""The form `compile` of torch: each call as torch.compile makes a whole of it."""

import logging
import os

import torch
from scatterproof_worker import Form, Unsupported


def chain(error):
    """An error and those that it came of."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def compiled_form():
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"  # no pool of processes
    import torch._dynamo
    import torch._inductor.exc
    from torch._subclasses import fake_tensor

    torch._logging.set_logs(all=logging.CRITICAL)  # else each refusal is told on stderr with its traceback
    of_compiler = torch._dynamo.exc.TorchDynamoException, torch._inductor.exc.InductorError
    without_values = (fake_tensor.DataDependentOutputException, fake_tensor.DynamicOutputShapeException,
                      fake_tensor.UnsupportedFakeTensorException, fake_tensor.UnsupportedOperatorException)

    def compile(function, tensors):
        def call(**tensors):
            return function(**tensors)

        call.__code__ = call.__code__.replace()  # code that is compiled for many signatures is given up
        return torch.compile(call, fullgraph=True, dynamic=False)

    def instead(error):
        """What the call itself raised while it was traced, or that the compiler does not take it."""
        if not isinstance(error, of_compiler):
            return error
        origin = next((each for each in chain(error) if not isinstance(each, of_compiler)), None)
        is_refusal = isinstance(error, torch._dynamo.exc.TorchRuntimeError) and not isinstance(origin, without_values)
        return origin if origin and is_refusal else Unsupported(str(error).split("\n")[0])

    def signature(tensor):
        return tensor.shape, tensor.dtype, tensor.stride()

    some = torch.zeros(2)
    compile(torch.neg, {})(input=some)  # the first one takes a compiler 20 seconds
    return Form(compile, torch.Tensor, signature, instead, seconds=1.5)


FORMS = {"compile": compiled_form}
