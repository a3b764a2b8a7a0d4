# SPDX-License-Identifier: Apache-2.0
"""The loop that answers start, run and stop, and the table of calls behind it."""

import sys
import time

import numpy as np

from .protocol import VERSION, Channel
from .tensors import Arguments, encode_tensors


class Unsupported(Exception):
    """Raised by a call that the framework does not offer (or not for these dtypes or layouts); carries the reason."""


class Worker:
    """One framework: what it declares about itself, and the calls it takes."""

    def __init__(self, name, version, dtypes, device="cpu", framework=None):
        self._about = {"name": name, "version": version, "device": device, "dtypes": list(dtypes)}
        if framework is not None:
            self._about["framework"] = framework
        self._calls = {
            "scatterproof.echo": lambda value: np.asarray(value) if not isinstance(value, np.ndarray) else value,
            "scatterproof.refuse": _refuse,
            "scatterproof.print": _print,
        }

    def call(self, api):
        """Registers the decorated function for an API. It gets the call's arguments by name, as numpy arrays (bf16: see
        Tensor16), int, float, complex, bool, str, list of int or None, and returns an array or a tuple of arrays."""

        def register(function):
            self._calls[api] = function
            return function

        return register

    def serve(self):
        """Answers until told to stop or the channel closes."""
        channel = Channel()
        while (received := channel.receive()) is not None:
            message, payload = received
            seq = message["seq"]
            if message["command"] == "start":
                channel.send({"seq": seq, "ok": {"protocol": VERSION, **self._about, "apis": self._declared()}})
            elif message["command"] == "run":
                for call in message["calls"]:
                    self.answer(channel, call, payload)
                channel.send({"seq": seq, "ok": {"answered": len(message["calls"])}})
            elif message["command"] == "stop":
                channel.send({"seq": seq, "ok": {}})
                break
        channel.close()

    def answer(self, channel, call, payload):
        reply, data = self.execute(call, payload)
        channel.send({"seq": call["seq"], **reply}, data)

    def execute(self, call, payload):
        """The reply to one call, without its seq, and the bytes that go with it."""
        function = self._calls.get(call["api"])
        if function is None:
            return {"unsupported": {"reason": f"{self._about['name']} has no {call['api']}"}}, b""
        try:
            arguments = Arguments(call["arguments"], payload)
            for name, dtype in arguments.dtypes.items():
                if dtype not in self._about["dtypes"]:
                    raise Unsupported(f"{self._about['name']} takes no {dtype} tensors ({name})")
            began = time.perf_counter()
            result = function(**arguments.values)
            seconds = time.perf_counter() - began
            tensors, data = encode_tensors(result if isinstance(result, tuple) else (result,))
            return {"ok": {"tensors": tensors, "wrote": arguments.written(), "seconds": seconds}}, data
        except Unsupported as reason:
            return {"unsupported": {"reason": str(reason)}}, b""
        except Exception as error:  # whatever the framework raised is its answer
            return {"error": {"classes": class_names(type(error)), "message": str(error)}}, b""

    def _declared(self):
        return sorted(api for api in self._calls if not api.startswith("scatterproof."))


def class_names(error_class):
    """The most derived name first, then its bases, up to but without Exception."""
    ends = (Exception, BaseException, object)
    return [base.__name__ for base in error_class.__mro__ if base not in ends] or ["Exception"]


def _refuse(message):
    raise ValueError(message)


def _print(text, times):
    for _ in range(times):
        print(text)
    sys.stdout.flush()
    return np.asarray(times, dtype=np.int64)
