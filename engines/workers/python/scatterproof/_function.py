# SPDX-License-Identifier: Apache-2.0
"""A function of this process as a worker."""

from __future__ import annotations

import contextlib
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from keyword import iskeyword
from typing import Any

import numpy as np
from scatterproof_worker import Unsupported, Worker, take_list
from scatterproof_worker.copies import on_copies
from scatterproof_worker.tensors import Arguments

from ._arrays import DTYPES, Arrays, derivatives_by, is_array, maker, to_numpy


class _Ended(Exception):
    """A call misbehaved: the conversation is over, and the tool begins another."""


class _Conversations:
    """A channel on which one conversation follows another, up to a message that is not for a worker."""

    def __init__(self, channel: Any) -> None:
        self._channel = channel
        self.send = channel.send
        self.skipping = False  # until the tool starts again
        self.over = False
        self.last: dict[str, Any] | None = None

    def receive(self) -> Any:
        while (received := self._channel.receive()) is not None:
            message, _ = received
            if "command" not in message:
                self.last = message
                break
            self.skipping = self.skipping and message["command"] != "start"
            if not self.skipping:
                return received
            if message["command"] == "stop":
                self.send({"seq": message["seq"], "ok": {}})
        self.over = True
        return None


class FunctionWorker(Worker):
    """A worker that offers one API by a function of the user's. Memory around the arguments is guarded.

    Args:
        function: called with the API's keywords, or by position.
        api: the API whose document it follows.
        described: what the program says of the API: its `keywords`, that is, what each argument is called in
            Python, in their order; its `indices`; its `lists` of arrays; its `defaults`; and the arguments
            that it `overwrites`.
        dtypes: of the data; empty: all. Indices may have any.
        arrays: what the function gets.
    """

    def __init__(self, function: Callable[..., Any], api: str, described: Mapping[str, Any], dtypes: Sequence[str],
                 arrays: Arrays) -> None:
        offered = [one for one in DTYPES if one != "bf16" or arrays != "numpy" or one in dtypes]
        make, copies = maker(arrays)
        super().__init__(name=name_of(function), version="of its file", dtypes=offered, guarded=True,
                         tensors=(lambda array: array) if copies else make)
        self._file = getattr(getattr(inspect.unwrap(function), "__code__", None), "co_filename", None)
        self._data_dtypes, self._indices = dtypes or offered, described["indices"]
        keywords, lists = described["keywords"], described["lists"]
        overwrites = next(iter(described["overwrites"]), None)
        defaults = {keywords[name]: Arguments({"it": value}, b"", lambda array: array).values["it"]
                    for name, value in described["defaults"].items()}
        signature = _Signature(function, list(with_lists(dict.fromkeys(keywords.values()), lists)), defaults)
        self.by_keyword, self.places = signature.by_keyword, signature.places

        def in_framework(**values: Any) -> Any:
            given = signature.taken(with_lists({keywords[name]: value for name, value in values.items()}, lists))
            try:
                result = function(**given) if self.by_keyword else function(*given.values())
            except NotImplementedError as error:
                raise Unsupported(str(error) or "not implemented") from None
            return values[overwrites] if result is None and overwrites else result

        def back(result: Any) -> Any:
            return tuple(map(to_numpy, result)) if isinstance(result, tuple) else to_numpy(result)

        def called(**values: Any) -> Any:
            return back(in_framework(**values))

        executed = on_copies(in_framework, make, back) if copies else called

        # The worker leaves out what the caller has left out, and the function need not be given.
        executed.__signature__ = inspect.Signature([  # type: ignore[attr-defined]
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, **({"default": None} if keyword in signature.optional else {}))
            for name, keyword in keywords.items()])
        self.call(api, overwrites=overwrites)(executed)
        self.call("scatterproof.echo")(lambda value: to_numpy(value) if is_array(value) else np.asarray(value))
        gradients, tangents = derivatives_by(arrays, in_framework, overwrites)
        if gradients:
            self.gradient(api)(gradients)
            self.gradient("scatterproof.echo")(lambda value, of, cotangent: (to_numpy(value), [to_numpy(cotangent)]))
        if tangents:
            self.tangent(api)(tangents)

    def refusal(self, error: Exception) -> Any:
        """With the place in the user's code: the exception may be a mistake there."""
        reply: dict[str, Any] = super().refusal(error)
        if "error" in reply and (place := _place_in(self._file, error)):
            reply["error"]["message"] += f" ({place})"
        return reply

    def execute(self, call: Any, payload: Any) -> Any:
        for name, value in call["arguments"].items():
            dtype = value["tensor"]["dtype"] if value and "tensor" in value else None
            if dtype and dtype not in self._data_dtypes and name not in self._indices:
                return {"unsupported": {"reason": f"not asked for: {name} of {dtype}"}}, b""
        return super().execute(call, payload)


class OwnWorker(FunctionWorker):
    """The same, on a channel of this process that has other uses."""

    def end(self, why: str) -> None:
        raise _Ended

    def answer_until_told(self, channel: Any) -> dict[str, Any] | None:
        """Answers the tool's messages up to the first that is not for a worker, and returns it; None: the
        channel was closed."""
        heard = _Conversations(channel)
        while not heard.over:
            with contextlib.suppress(_Ended):
                self.answer_all(heard)
            heard.skipping = True
        return heard.last


def _place_in(file: str | None, error: BaseException) -> str:
    """The innermost line of this file that the exception went through; empty: of none."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if file and frame.filename == file:
            return f"{os.path.basename(file)}:{frame.lineno}: {frame.line}"
    return ""


def with_lists(arguments: dict[str, Any], lists: Sequence[str]) -> dict[str, Any]:
    """The arguments with a tuple for each list of arrays, whose items came one by one."""
    given: dict[str, Any] = {}
    for name in arguments:
        of = next((one for one in lists if name.startswith(f"{one}_")), None)
        if of is None:
            given[name] = arguments[name]
        elif of not in given:
            given[of] = take_list(dict(arguments), of)
    return given


def name_of(function: Callable[..., Any]) -> str:
    name: str = getattr(function, "__qualname__", None) or type(function).__qualname__
    if all(part.isidentifier() for part in name.split(".")):
        return name
    last = name.rpartition(".")[2].strip("<>")
    return "function" if iskeyword(last) else last  # a lambda's, in Python that can be pasted


def import_of(function: Callable[..., Any]) -> str:
    """The line by which a program gets the function; empty: none does, or the program itself has it."""
    name, module = getattr(function, "__qualname__", ""), getattr(function, "__module__", None)
    found = module != "__main__" and getattr(sys.modules.get(module or ""), name, None)
    return f"from {module} import {name}\n" if found is function else ""


def place_of(function: Callable[..., Any]) -> str:
    """The module, or the file of the script, from which another process imports a function.

    Raises:
        TypeError: no other process can.
    """
    name, module = getattr(function, "__qualname__", ""), getattr(function, "__module__", None)
    if not module or not name or "<" in name:
        raise TypeError(f"isolated=True needs a function that can be imported, and {name or function!r} is defined inside another")
    place: str | None = module if module != "__main__" else getattr(sys.modules[module], "__file__", None)
    if not place:
        raise TypeError(f"isolated=True needs a function that can be imported, and {name} has no file")
    return os.path.abspath(place) if module == "__main__" else place


class _Signature:
    """How a function takes the arguments of an API.

    Attributes:
        by_keyword: under their names, because all its parameters without a default are called so; else in
            their order.
        places: those that it takes.
        optional: those that need not be given.

    Raises:
        TypeError: the function needs more arguments than there are, or has no place for one that has no
            default.
    """

    def __init__(self, function: Callable[..., Any], keywords: Sequence[str], defaults: Mapping[str, Any]) -> None:
        self._name, self._defaults = name_of(function), defaults
        try:
            parameters = inspect.signature(function).parameters.values()
        except (TypeError, ValueError):  # of a builtin
            parameters = [inspect.Parameter("any", inspect.Parameter.VAR_KEYWORD)]  # type: ignore[assignment]
        named = {one.name: one for one in parameters if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)}
        needed = {one.name for one in parameters if one.default is one.empty and one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)}
        any_name = any(one.kind is one.VAR_KEYWORD for one in parameters)
        self.by_keyword = needed <= set(keywords) and needed <= set(named) and (bool(set(named) & set(keywords)) or any_name)
        if self.by_keyword:
            places = [one for one in keywords if any_name or one in named]
            self.optional = {one for one in keywords if one not in needed and one in places}
        else:
            rest = any(one.kind is one.VAR_POSITIONAL for one in parameters)
            positional = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
            places, self.optional = list(keywords if rest else keywords[: len(positional)]), set()
        self.places = places
        self._left_out = [one for one in keywords if one not in places]
        if any(one not in defaults for one in self._left_out) or (not self.by_keyword and len(needed) > len(keywords)):
            raise TypeError(f"{self._name} has {len(named)} parameters, and the API {len(keywords)} arguments: {', '.join(keywords)}")

    def taken(self, given: dict[str, Any]) -> dict[str, Any]:
        """The arguments that the function has a place for.

        Raises:
            Unsupported: another one has not its default value.
        """
        for name in self._left_out:
            value, default = given.pop(name, self._defaults[name]), self._defaults[name]
            if value is not default and (is_array(value) or value != default):
                raise Unsupported(f"{self._name} has no argument {name}")
        return given
