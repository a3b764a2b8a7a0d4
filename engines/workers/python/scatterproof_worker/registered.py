# SPDX-License-Identifier: Apache-2.0
"""The functions that a worker has registered, by API, and how they are registered."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import numpy as np

from .forms import Form

Function = TypeVar("Function", bound=Callable[..., Any])


class Registered:
    """The tables. The worker's own calls are in them beforehand."""

    def __init__(self) -> None:
        self._calls: dict[str, Callable[..., Any]] = {
            "scatterproof.echo": lambda value: np.asarray(value) if not isinstance(value, np.ndarray) else value,
            "scatterproof.refuse": _refuse,
            "scatterproof.print": _print,
        }
        self._overwritten: dict[str, str | None] = {}
        self._timed: dict[str, Callable[..., Any]] = {}
        self._gradients: dict[str, Callable[..., Any]] = {}
        self._timed_gradients: dict[str, Callable[..., Any]] = {}
        self._tangents: dict[str, Callable[..., Any]] = {}
        self._second_order: dict[str, Callable[..., Any]] = {}
        self._document: Callable[[str], str | None] | None = None
        self._form: Form | None = None  # that the worker is asked for

    def call(self, api: str, overwrites: str | None = None) -> Callable[[Function], Function]:
        """Registers the decorated function for an API. It gets the call's arguments by name, as `tensors`
        makes them or numpy arrays (bf16: see Tensor16), int, float, complex, bool, str, list of int or None,
        and returns an array or a tuple of arrays. An argument that a call leaves out is left out here too, if
        the function can be called without it. An API that overwrites a tensor by contract names it in
        `overwrites` and returns it; a write into any other argument is reported. Such an API can be timed
        only by a timed form."""

        def register(function: Function) -> Function:
            self._calls[api] = function
            self._overwritten[api] = overwrites
            return function

        return register

    def formed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function of the framework's own tensors and other arguments, by name, in the form that the tool
        asks for."""
        return self._form.of(function) if self._form else function

    def timed(self, api: str) -> Callable[[Function], Function]:
        """Registers the decorated function as the timed form of an API. It gets the call's arguments by name
        as a function of `call` does, each tensor in memory that it may overwrite, and two more: `threads`,
        the number that it may use, and `in_place`: scatters write to the same array again and again;
        otherwise the start values are copied into the result first, each time. It executes the call. It
        returns the result and a function without arguments that only executes the call again: everything is
        allocated, converted or bound beforehand. An API without a timed form is timed unchanged, and so is
        every API in an engine form."""

        def register(function: Function) -> Function:
            if not self._form:
                self._timed[api] = function
            return function

        return register

    def gradient(self, api: str) -> Callable[[Function], Function]:
        """Registers the decorated function for the gradients of an API. It gets the call's arguments by name
        as a function of `call` does, and two more: `of`, the names of the arguments whose gradients are
        wanted, and `cotangent`. It returns the result and a list with one item for each of these names: a
        gradient as an array; None, if the framework says that the result does not depend on the argument; or
        the exception with which the framework refuses the gradient. It writes into no argument. It is not
        asked in a form that has no gradients. That of `scatterproof.echo` is the cotangent, unless it is
        registered too."""
        return self._derivative_by(self._gradients, api, lambda value, of, cotangent: (value, [cotangent]))

    def timed_gradient(self, api: str) -> Callable[[Function], Function]:
        """Registers the decorated function as the timed form of an API's gradients. It gets what a function
        of `gradient` gets, and `threads`, the number that it may use. It returns the result, the list of
        gradients, and a function without arguments that only computes the gradients again, from what the
        forward call left. Without it, the function of `gradient` is timed unchanged."""

        def register(function: Function) -> Function:
            self._timed_gradients[api] = function
            return function

        return register

    def tangent(self, api: str) -> Callable[[Function], Function]:
        """Registers the decorated function for the tangents of an API, its derivative in forward mode. It
        gets the call's arguments by name as a function of `call` does, and more: `of`, the names of the
        arguments that move, and the list `tangents`, how each of them does, as a list of tensors comes. It
        returns the result and a list with one item, the result's tangent, or what stands for it as in
        `gradient`. It is not asked in a form that has no gradients. That of `scatterproof.echo` is what its
        value has, unless it is registered too."""
        return self._derivative_by(self._tangents, api, lambda value, of, tangents_0: (value, [tangents_0]))

    def second_order(self, api: str) -> Callable[[Function], Function]:
        """Registers the decorated function for the derivatives of second order of an API, reverse mode over
        reverse mode: those of the sum of tangents times gradients. It gets what functions of `gradient` and
        of `tangent` get, and returns the result and a list with the derivative by the cotangent and one item
        for each name in `of`, as in `gradient`. It is not asked in a form that has no gradients."""
        return self._derivative_by(self._second_order, api, lambda value, of, cotangent, tangents_0: (value, [tangents_0, None]))

    def document(self, function: Function) -> Function:
        """Registers the decorated function as the source of documents: it gets a name and returns a text, or
        None."""
        self._document = function
        return function

    def _derivative_by(self, table: dict[str, Callable[..., Any]], api: str, of_echo: Callable[..., Any]) -> Callable[[Function], Function]:
        """Registers in `table`, but not in a form that has no gradients. There `scatterproof.echo` has
        `of_echo`, unless it is registered too."""
        has_gradients = not self._form or self._form.gradients
        if has_gradients:
            table.setdefault("scatterproof.echo", of_echo)

        def register(function: Function) -> Function:
            if has_gradients:
                table[api] = function
            return function

        return register


def _refuse(message: str) -> NoReturn:
    raise ValueError(message)


def _print(text: str, times: int) -> np.ndarray:
    for _ in range(times):
        print(text)
    sys.stdout.flush()
    return np.asarray(times, dtype=np.int64)
