# SPDX-License-Identifier: Apache-2.0
"""Engine forms: ways to execute calls other than one by one, such as compiled or exported. The environment
variable SCATTERPROOF_FORM names the form that the tool wants."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Hashable, Mapping
from functools import partial
from typing import Any, NoReturn

Place = tuple[tuple[int, ...], tuple[int, ...], int]  # shape, strides and offset, in elements


class Unsupported(Exception):
    """Raised by a call that the framework does not offer (or not for these dtypes or layouts); carries the
    reason."""


class View:
    """A tensor that is not there yet: it will be a view of `base`, a tensor of one dimension. `place` is its
    shape, strides and offset, in elements."""

    __slots__ = ("base", "place")

    def __init__(self, base: Any, place: Place) -> None:
        self.base = base
        self.place = place


def base_of(tensor: Any) -> Any:
    """What a function in an engine form gets for a tensor."""
    return tensor.base if isinstance(tensor, View) else tensor


class Form:
    """One form. `compile` gets a function of tensors alone, as a functools.partial in which the rest is
    fixed, and the tensors by name. It returns the function that is then called with tensors of that
    signature. `signature` returns, as a hashable value, what a compiled function depends on in a tensor: its
    shape and dtype; its strides, if compiled code depends on them. `instead` gets an error that compiling or
    executing raised, and returns the error to raise: the same one, the one that it wraps, or Unsupported with
    its message if the compiler does not support the function. `seconds` is the cost of a new signature, if it
    is high: then generated calls get new values rather than new signatures. The `most` compiled functions
    used last are kept. `gradients`: functions in this form have gradients, or give them.

    With `view`, the compiled function makes each tensor itself, and gets its base instead: a tensor of one
    dimension. `view` gets the shape, strides and offset, in elements, and returns the function that makes the
    tensor of the base: it computes an equal base, and returns a view of that. It raises Unsupported if there
    is no such view."""

    def __init__(self, compile: Callable[..., Any], tensor: Any, signature: Callable[[Any], Hashable],
                 instead: Callable[[Exception], Exception] = lambda error: error, seconds: float = 0, most: int = 256,
                 view: Callable[..., Any] | None = None, gradients: bool = False) -> None:
        self._compile = compile
        self._tensor = tensor
        self._signature = signature
        self._instead = instead
        self.seconds = seconds
        self._most = most
        self.view = view
        self.gradients = gradients
        self._compiled: dict[Hashable, Callable[..., Any]] = {}

    def of(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """`function`, which takes its arguments by name, in this form. Other arguments than tensors are fixed
        when it is compiled."""

        def call(**arguments: Any) -> Any:
            tensors = {name: base_of(value) for name, value in arguments.items() if isinstance(value, (self._tensor, View))}
            places = {name: value.place for name, value in arguments.items() if isinstance(value, View)}
            fixed = {name: value for name, value in arguments.items() if name not in tensors}
            # 1, 1.0 and True are equal, their texts are not
            key = function, repr(fixed), *((name, self._signature(tensor), places.get(name)) for name, tensor in tensors.items())
            try:
                compiled = self._compiled.pop(key, None) or self._compile(
                    partial(self._on_bases(function, places), **fixed), tensors)
                self._keep(key, compiled)
                return compiled(**tensors)
            except Exception as error:
                instead = self._instead(error)
                if isinstance(instead, Unsupported):  # a refusal takes as long as compiling, and stays
                    self._keep(key, partial(_raise, instead))
                if instead is error:
                    raise
                raise instead from None

        return call

    def _on_bases(self, function: Callable[..., Any], places: Mapping[str, Place]) -> Callable[..., Any]:
        """`function`, which makes its tensors itself at these places."""
        if not places or not self.view:
            return function
        views = {name: self.view(*place) for name, place in places.items()}

        def on_bases(**arguments):  # type: ignore[no-untyped-def]  # mindspore reads its source
            return function(**{name: views[name](value) if name in views else value for name, value in arguments.items()})

        return on_bases

    def _keep(self, key: Hashable, compiled: Callable[..., Any]) -> None:
        self._compiled[key] = compiled
        if len(self._compiled) > self._most:
            del self._compiled[next(iter(self._compiled))]


def _raise(error: Exception, **tensors: Any) -> NoReturn:
    raise error.with_traceback(None)


def chosen_form(forms: Mapping[str, Callable[..., Any]]) -> Any:
    """The form that the tool asks for, made by the function of that name in `forms`; None: the usual one.
    That of SETTING=NAME gets what the user wrote for NAME."""
    name = os.environ.get("SCATTERPROOF_FORM")
    if not name:
        return None
    if name in forms:
        return forms[name]()
    setting, _, value = name.partition("=")
    if value and f"{setting}=NAME" in forms:
        return forms[f"{setting}=NAME"](value)
    sys.exit(f"there is no form {name} here, only {', '.join(forms) or 'the usual one'}")
