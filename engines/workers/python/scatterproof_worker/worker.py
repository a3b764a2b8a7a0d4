# SPDX-License-Identifier: Apache-2.0
"""The loop that answers start, run and stop."""

from __future__ import annotations

import gc
import inspect
import itertools
import json
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, NoReturn

import numpy as np

from .devices import Device
from .forms import Form, Unsupported, chosen_form
from .held import HeldResult
from .protocol import VERSION, Channel, json_of, tools_socket
from .registered import Registered
from .reused import ReusedTensors
from .tensors import Arguments, encode_tensors


Call = Mapping[str, Any]  # of a message
Reply = dict[str, Any] | str  # JSON as text where writing it takes most of the time


class Worker(Registered):
    """One framework: what it declares about itself, and the calls it takes. `tensors` makes the framework's
    own tensor over the memory of a numpy array; calls then get such tensors. It raises Unsupported if that is
    impossible. `forms`: by name, functions that each make a Form, in which `formed` functions can be
    executed. A function that returns None has changed a setting of the framework, and calls are executed as
    usual; one of SETTING=NAME gets the name, and may return a Device. With `guarded`, a call that
    writes around the memory of an argument has misbehaved. `gradient_signature_seconds` is the cost of a new
    signature in a call with gradients, if it is high."""

    def __init__(self, name: str, version: str, dtypes: Iterable[str], device: str = "cpu", framework: str | None = None,
                 varies: Any = None, kernels: Any = None, tensors: Callable[[np.ndarray], Any] = lambda array: array,
                 forms: Mapping[str, Callable[..., Form | Device | None]] = {}, guarded: bool = False,
                 gradient_signature_seconds: float | None = None) -> None:
        self._about: dict[str, Any] = {"name": name, "version": version, "device": device, "dtypes": list(dtypes)}
        self._dtypes = frozenset(dtypes)
        if framework is not None:
            self._about["framework"] = framework
        if varies is not None:
            self._about["varies"] = varies
        if kernels is not None:
            self._about["kernels"] = kernels
        if gradient_signature_seconds is not None:
            self._about["gradient_signature_seconds"] = gradient_signature_seconds
        super().__init__()
        self._repeatable: Callable[[], Any] | None = None  # the prepared call
        self._held = HeldResult()
        self._tensors = tensors
        self._guarded = guarded
        self._device: Device | None = None
        try:
            chosen = chosen_form(forms)
            self._form, self._device = (None, chosen) if isinstance(chosen, Device) else (chosen, None)
        except Exception as error:  # the framework has no such device
            _decline(error)
        if self._device:
            self._about["device"] = self._device.kind
        if self._form and self._form.seconds:
            self._about["signature_seconds"] = self._form.seconds
        self._reused = ReusedTensors()

    def serve(self) -> None:
        """Answers until told to stop or the channel closes."""
        channel = Channel(tools_socket())
        gc.freeze()  # the garbage collector then skips what the framework's import created
        self.answer_all(channel)
        channel.close()

    def answer_all(self, channel: Any) -> None:
        while (received := channel.receive()) is not None:
            message, payload = received
            seq = message["seq"]
            if message["command"] == "start":
                about = {**self._about, "apis": self._declared(), "times": True, "omits": True, "shares": True,
                         "loops": True}
                if self._document:
                    about["documents"] = True
                if self._gradients:
                    about["gradients"] = True
                if self._tangents:
                    about["tangents"] = True
                if self._second_order:
                    about["second_order"] = True
                channel.send({"seq": seq, "ok": {"protocol": VERSION, **about}})
            elif message["command"] == "run":
                for call in message["calls"]:
                    self.answer(channel, call, payload)
                channel.send({"seq": seq, "ok": {"answered": len(message["calls"])}})
            elif message["command"] == "prepare":
                self.answer_prepare(channel, message, payload)
            elif message["command"] == "repeat":
                self.answer_repeat(channel, message)
            elif message["command"] == "forget":
                self._repeatable = None
                channel.send({"seq": seq, "ok": {}})
            elif message["command"] == "loop":
                channel.send({"seq": seq, **self.loop(message["calls"], payload, message["rounds"])})
            elif message["command"] == "document":
                channel.send({"seq": seq, **self.find_document(message["name"])})
            elif message["command"] == "stop":
                channel.send({"seq": seq, "ok": {}})
                break

    def answer(self, channel: Any, call: Call, payload: Any) -> None:
        reply, data = self.execute(call, payload)
        channel.send(_with_seq(call["seq"], reply), data)
        if isinstance(reply, dict) and "misbehaved" in reply:
            self.end(reply["misbehaved"]["what"])
        if isinstance(reply, dict) and reply.get("error", {}).get("ends"):
            self.end("the device is lost")

    def end(self, why: str) -> None:
        """After a call that misbehaved."""
        sys.exit(f"ended: {why}")

    def answer_prepare(self, channel: Any, message: Call, payload: Any) -> None:
        self._repeatable = None
        (call,) = message["calls"]
        reply, data = self.prepare(call, payload, message["threads"], message["in_place"])
        channel.send(_with_seq(call["seq"], reply), data)
        channel.send({"seq": message["seq"], "ok": {"answered": 1}})

    def answer_repeat(self, channel: Any, message: Call) -> None:
        channel.send({"seq": message["seq"], **self.repeat(message["times"])})

    def execute(self, call: Call, payload: Any) -> tuple[Reply, bytes]:
        """The reply to one call, without its seq, and the bytes that go with it. Only a result comes as JSON
        text: most replies are results, and writing the JSON takes most of their time."""
        api = call["api"]
        function = self._calls.get(api)
        if function is None:
            return self._unheard_of(api)
        if "gradient" in call:
            return self.differentiate(call, payload)
        self._reused.next_call()
        return self._attempt(function, call, payload, held=self._held, overwritten=self._overwritten.get(api),
                             reused=self._reused, guarded=self._guarded)

    def differentiate(self, call: Call, payload: Any) -> tuple[Reply, bytes]:
        """As execute, for a call that asks for gradients, a tangent, or derivatives of second order."""
        return self._derived(call, payload, self._derivative(call["api"], call["gradient"]))

    def _derivative(self, api: str, question: dict[str, Any]) -> Callable[..., Any] | None:
        if "cotangent" not in question:
            return self._tangents.get(api)
        return (self._second_order if "tangents" in question else self._gradients).get(api)

    def _derived(self, call: Call, payload: Any, function: Callable[..., Any] | None) -> tuple[Reply, bytes]:
        question = call["gradient"]
        if function is None:
            return {"unsupported": {"reason": f"{self._about['name']} has no gradients of {call['api']}"}}, b""
        asked = {f"tangents_{number}": tensor for number, tensor in enumerate(question.get("tangents", ()))}
        if "cotangent" in question:
            asked["cotangent"] = question["cotangent"]
        try:
            arguments = self._arguments({**call, "arguments": {
                **call["arguments"], **{name: {"tensor": tensor} for name, tensor in asked.items()}}}, payload)
            _leave_out(call, self._calls[call["api"]], arguments.values)
            began = time.perf_counter()
            result, gradients = function(of=question["of"], **arguments.values)
            seconds = time.perf_counter() - began
            arguments.bring_back()
            wrote = arguments.written()
            for name in sorted(asked.keys() & set(wrote)):  # no argument of the call, which `wrote` names
                return {"misbehaved": {"what": f"the gradient wrote to its {name.partition('_')[0]}"}}, b""
            text, data = encode_tensors([result, *(one for one in gradients if _is_array(one))])
            tensor, *tensors = json.loads(text)
            answers = [{"tensor": tensors.pop(0)} if _is_array(one) else one and _refusal(one) for one in gradients]
            return {"ok": {"tensors": [tensor], "wrote": wrote, "seconds": seconds,
                           "gradients": answers}}, data
        except Exception as error:
            return self._ending_if_lost(_refusal(error)), b""

    def prepare(self, call: Call, payload: Any, threads: int, in_place: bool) -> tuple[Reply, bytes]:
        """As execute; a call that succeeds is ready to be repeated."""
        api = call["api"]
        if "gradient" in call:
            return self._derived(call, payload, self._prepared_gradient(call, threads))
        timed, plain = self._timed.get(api), self._calls.get(api)

        def function(**values: Any) -> Any:
            if timed is not None:
                result, self._repeatable = timed(**values, threads=threads, in_place=in_place)
            elif plain is None or self._overwritten.get(api):
                raise Unsupported(f"{self._about['name']} has no timed form of {api}")
            else:
                result, self._repeatable = plain(**values), lambda: plain(**values)
            return result

        if timed is None and plain is None:
            return self._unheard_of(api)
        return self._attempt(function, call, payload, private=timed is None)

    def _prepared_gradient(self, call: Call, threads: int) -> Callable[..., Any] | None:
        """The function of the call's gradients, after which these can be repeated."""
        timed, plain = self._timed_gradients.get(call["api"]), self._derivative(call["api"], call["gradient"])
        if plain is None:
            return None

        def function(**values: Any) -> Any:
            if timed is None:
                result, gradients = plain(**values)
                self._repeatable = lambda: plain(**values)
            else:
                result, gradients, self._repeatable = timed(**values, threads=threads)
            return result, gradients

        return function

    def repeat(self, times: int) -> dict[str, Any]:
        """The reply to repeat: the time that `times` executions of the prepared call take."""
        execute = self._repeatable
        assert execute, "no call is prepared"
        collecting = gc.isenabled()
        gc.disable()
        try:
            self._wait()
            began = time.perf_counter()
            for _ in itertools.repeat(None, times):
                execute()
            self._wait()
            return {"ok": {"seconds": time.perf_counter() - began}}
        except Exception as error:
            return _refusal(error)
        finally:
            if collecting:
                gc.enable()

    def loop(self, calls: Sequence[Call], payload: Any, rounds: int) -> dict[str, Any]:
        """The reply to loop: the time that the functions of these calls take, executed in turn `rounds`
        times. Their arguments are ready, and each was executed once, so that compiling and caching are
        done."""
        try:
            bound = [self._bound(call, payload) for call in calls]
            for execute in bound:
                execute()
            self._wait()
            began = time.perf_counter()
            for _ in itertools.repeat(None, rounds):
                for execute in bound:
                    execute()
            self._wait()
            return {"ok": {"seconds": time.perf_counter() - began}}
        except Exception as error:
            return _refusal(error)

    def _wait(self) -> None:
        if self._device:
            self._device.wait()

    def _bound(self, call: Call, payload: Any) -> Callable[[], Any]:
        """A function without arguments that executes a call."""
        function = self._calls[call["api"]]
        values = self._arguments(call, payload).values
        _leave_out(call, function, values)
        return partial(function, **values)

    def find_document(self, name: str) -> dict[str, Any]:
        """The reply to document."""
        text = self._document(name) if self._document else None
        if text is None:
            return {"unsupported": {"reason": f"{self._about['name']} has no document {name}"}}
        return {"ok": {"text": text}}

    def _attempt(self, function: Callable[..., Any], call: Call, payload: Any, held: HeldResult | None = None,
                 reused: ReusedTensors | None = None, **options: Any) -> tuple[Reply, bytes]:
        """Executes a call, its arguments decoded as `options` say; returns the reply to it and its bytes."""
        arguments = None
        try:
            arguments = self._arguments(call, payload, reused=reused, **options)
            if not self._dtypes.issuperset(arguments.dtypes.values()):
                name, dtype = next(one for one in arguments.dtypes.items() if one[1] not in self._dtypes)
                raise Unsupported(f"{self._about['name']} takes no {dtype} tensors ({name})")
            _leave_out(call, function, arguments.values)
            began = time.perf_counter()
            result = function(**arguments.values)
            seconds = time.perf_counter() - began
            arguments.bring_back()
            arrays = result if isinstance(result, tuple) else (result,)
            tensors, data = encode_tensors(arrays)
            if held and (words := held.change(call["api"], arrays, data)):
                return {"misbehaved": {"what": words}}, b""
            if words := arguments.stray_write():
                return {"misbehaved": {"what": words}}, b""
            if reused:
                reused.keep(arguments.reusable, arrays)
            written = arguments.written()
            wrote = json_of(written) if written else "[]"
            return f'{{"ok":{{"tensors":{tensors},"wrote":{wrote},"seconds":{seconds}}}}}', data
        except Exception as error:  # any exception of the framework is its answer
            reply = self._ending_if_lost(self.refusal(error))
            if arguments and "error" in reply and "ends" not in reply["error"]:
                arguments.bring_back()
                reply["error"]["wrote"] = arguments.changed()
            return reply, b""

    def _ending_if_lost(self, reply: dict[str, Any]) -> dict[str, Any]:
        """The reply to a call that failed, which says so if the device was lost."""
        if self._device and "error" in reply and self._device.is_lost():
            reply["error"]["ends"] = True
        return reply

    def _arguments(self, call: Call, payload: Any, **options: Any) -> Arguments:
        """Only compiled functions make their tensors themselves, and the worker's own calls are not
        compiled."""
        views = bool(self._form and self._form.view) and not call["api"].startswith("scatterproof.")
        moved = self._device.storages() if self._device else None
        if moved:
            options.pop("reused", None)
        return Arguments(call["arguments"], payload, self._tensors, views=views, moved=moved, **options)

    def refusal(self, error: Exception) -> dict[str, Any]:
        """The reply to a call whose function raised an exception."""
        return _refusal(error)

    def _unheard_of(self, api: str) -> tuple[Reply, bytes]:
        return {"unsupported": {"reason": f"{self._about['name']} has no {api}"}}, b""

    def _declared(self) -> list[str]:
        return sorted(api for api in self._calls if not api.startswith("scatterproof."))


def _decline(error: Exception) -> NoReturn:
    """Answers start, for a worker that cannot be used."""
    channel = Channel(tools_socket())
    if received := channel.receive():
        channel.send({"seq": received[0]["seq"], **_refusal(error if str(error) else RuntimeError(repr(error)))})
    sys.exit()


def _is_array(gradient: Any) -> bool:
    return not (gradient is None or isinstance(gradient, Exception))


def _with_seq(seq: int, reply: Reply) -> Reply:
    return f'{{"seq":{seq},{reply[1:]}' if isinstance(reply, str) else {"seq": seq, **reply}


def _refusal(error: Exception) -> dict[str, Any]:
    if isinstance(error, Unsupported):
        return {"unsupported": {"reason": str(error)}}
    return {"error": {"classes": class_names(type(error)), "message": str(error)}}


def class_names(error_class: type[BaseException]) -> list[str]:
    """The most derived name first, then its bases, without Exception."""
    ends = (Exception, BaseException, object)
    return [base.__name__ for base in error_class.__mro__ if base not in ends] or ["Exception"]


@lru_cache(maxsize=None)
def _needed(function: Callable[..., Any]) -> set[str]:
    """The arguments that a function has no default for."""
    parameters = inspect.signature(function).parameters.values()
    return {one.name for one in parameters if one.default is one.empty and one.kind is not one.VAR_KEYWORD}


def _leave_out(call: Call, function: Callable[..., Any], values: dict[str, Any]) -> None:
    """Removes the arguments that a call omits, where the function can be called without them."""
    for name in call.get("omitted", ()):
        if name not in _needed(function):
            del values[name]
