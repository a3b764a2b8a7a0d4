# SPDX-License-Identifier: Apache-2.0
"""A function of this process as a worker."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scatterproof_worker import Unsupported, Worker, take_list

from ._arrays import DTYPES, Arrays, maker, to_numpy


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
        self.over = True
        return None


class FunctionWorker(Worker):
    """A worker that offers one API by a function of the user's. Memory around the arguments is guarded.

    Args:
        function: called with the API's keywords, or by position.
        api: the API whose document it follows.
        described: what the program says of the API: its `keywords`, that is, what each argument is called in
            Python, in their order; its `indices`; its `lists` of arrays; and the arguments that it
            `overwrites`.
        dtypes: of the data; empty: all. Indices may have any.
        arrays: what the function gets.
    """

    def __init__(self, function: Callable[..., Any], api: str, described: Mapping[str, Any], dtypes: Sequence[str],
                 arrays: Arrays) -> None:
        offered = [one for one in DTYPES if one != "bf16" or arrays != "numpy" or one in dtypes]
        super().__init__(name=name_of(function), version="of this process", dtypes=offered, tensors=maker(arrays), guarded=True)
        self._data_dtypes, self._indices = dtypes or offered, described["indices"]
        keywords, overwrites = described["keywords"], next(iter(described["overwrites"]), None)
        lists = described["lists"]
        self.keywords, optional = _keywords_and_optional(function, list(with_lists(dict.fromkeys(keywords.values()), lists)))

        def called(**values: Any) -> Any:
            given = with_lists({keywords[name]: value for name, value in values.items()}, lists)
            try:
                result = function(**given) if self.keywords else function(*given.values())
            except NotImplementedError as error:
                raise Unsupported(str(error) or "not implemented") from None
            if result is None and overwrites:
                result = values[overwrites]
            return tuple(map(to_numpy, result)) if isinstance(result, tuple) else to_numpy(result)

        # The worker leaves out what the caller has left out, and the function need not be given.
        called.__signature__ = inspect.Signature([  # type: ignore[attr-defined]
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, **({"default": None} if keyword in optional else {}))
            for name, keyword in keywords.items()])
        self.call(api, overwrites=overwrites)(called)

    def execute(self, call: Any, payload: Any) -> Any:
        for name, value in call["arguments"].items():
            dtype = value["tensor"]["dtype"] if value and "tensor" in value else None
            if dtype and dtype not in self._data_dtypes and name not in self._indices:
                return {"unsupported": {"reason": f"not asked for: {name} of {dtype}"}}, b""
        return super().execute(call, payload)

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


def with_lists(arguments: dict[str, Any], lists: Sequence[str]) -> dict[str, Any]:
    """The arguments with a tuple for each list of arrays, whose items came one by one, in the list's place."""
    given: dict[str, Any] = {}
    for name in arguments:
        of = next((one for one in lists if name.startswith(f"{one}_")), None)
        if of is None:
            given[name] = arguments[name]
        elif of not in given:
            given[of] = take_list(dict(arguments), of)
    return given


def name_of(function: Callable[..., Any]) -> str:
    name = getattr(function, "__qualname__", None) or type(function).__qualname__
    return name if all(part.isidentifier() for part in name.split(".")) else name.rpartition(".")[2].strip("<>")


def _keywords_and_optional(function: Callable[..., Any], keywords: Sequence[str]) -> tuple[bool, set[str]]:
    """Whether a function has all these parameters, or takes any; then those that need not be given.

    Raises:
        TypeError: it has not, and takes fewer arguments than these.
    """
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # of a builtin
        return True, set()
    named = {one.name: one for one in parameters if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)}
    kinds = {one.kind for one in parameters}
    if inspect.Parameter.VAR_KEYWORD in kinds or all(one in named for one in keywords):
        return True, {one for one in keywords if one not in named or named[one].default is not inspect.Parameter.empty}
    places = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    if len(places) < len(keywords) and inspect.Parameter.VAR_POSITIONAL not in kinds:
        raise TypeError(f"{name_of(function)} has {len(places)} parameters, and the API {len(keywords)} arguments: {', '.join(keywords)}")
    return False, set()
