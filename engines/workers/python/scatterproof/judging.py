# SPDX-License-Identifier: Apache-2.0
"""What `import scatterproof` offers."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scatterproof_worker import Unsupported, is_bfloat16
from scatterproof_worker.tensors import Arguments
from scatterproof_worker.worker import class_names

from ._arrays import Arrays, dtype_name, is_array, kind_of, maker
from ._child import Encoder, ask, ask_with, decode
from ._function import OwnWorker, import_of, name_of, place_of, with_lists

_ALLOWED = ("pass", "weak")
_NOT_JUDGED = ("open", "unsupported")
_LINES = 25  # of a message, at most
_COLUMNS = 160
_BATCH = 64  # calls


@dataclass(frozen=True)
class Allowed:
    """What the document of an API allows for one call.

    Attributes:
        lower: the least number that each cell of the result may hold, an array of the result's shape and
            dtype. Both bounds are NaN where a cell must be NaN. Of complex numbers they bound the real and
            the imaginary parts, each alone. bfloat16 bounds are float32. None if no result is described.
        upper: the greatest, likewise. Between the two there may be numbers that are not allowed, such as
            where one of two values must win: `assert_allowed` knows.
        nan: bools of the same shape: the cell may be NaN.
        open: bools of the same shape: the document says nothing about the cell. True alone if it describes
            no result and requires no error.
        refuses: whether the document requires an error.
        may_refuse: whether an error is allowed as well as the result.
        errors: the acceptable exceptions, if one is required; empty: any.
        because: the document's sentence or formula.
    """

    lower: np.ndarray | None
    upper: np.ndarray | None
    nan: np.ndarray | None
    open: np.ndarray | bool
    refuses: bool
    may_refuse: bool
    errors: tuple[str, ...]
    because: str


@dataclass(frozen=True)
class Call:
    """A generated call.

    Attributes:
        api: its API.
        arguments: by name, as the document calls them.
        number: the seed and this number determine it.
        breaks: the rule of the spec that it breaks; None: it obeys all.
    """

    api: str
    arguments: dict[str, Any]
    number: int
    breaks: str | None


@dataclass(frozen=True)
class Checked:
    """How many generated calls of a check were right; open and unsupported ones were not judged.

    Attributes:
        gradients: how many calls also have right gradients.
    """

    judged: int
    open: int
    unsupported: int
    gradients: int = 0


def assert_allowed(actual: Any, api: str, /, **arguments: Any) -> str:
    """Asserts that a result is one that the document of an API allows.

    numpy.testing.assert_allclose compares with one expected result within a tolerance that you choose. This
    compares with all results that the document allows: of sums in any order within a bound that is proven for
    the dtype, one of the values where several are assigned to one cell, exactly where there is one.

        >>> import numpy as np
        >>> x, i, s = np.zeros(2, "f4"), np.array([1, 1]), np.array([3, 5], "f4")
        >>> assert_allowed(np.array([0, 8], "f4"), "torch.scatter_add", input=x, dim=0, index=i, src=s)
        'pass'
        >>> assert_allowed(np.array([0, 5], "f4"), "torch.scatter_add", input=x, dim=0, index=i, src=s)
        Traceback (most recent call last):
            ...
        AssertionError: torch.scatter_add does not allow this result (mismatch):
          out[1] is 5.0, expected 8.0
          ...

    Args:
        actual: the result, an array of any shape and dtype (wrong ones are failures too); or the exception
            that the call raised.
        api: the API, such as "torch.scatter_add" or "numpy.put".
        arguments: what the call was given, under the names of the document, as it was before the call.
            Those with a default may be left out. Several arrays may be a list.

    Returns:
        "pass"; "weak" if the call could hardly have shown a fault, such as one without elements; "open" if
        the document does not say what happens.

    Raises:
        AssertionError: the document does not allow it. At most 25 lines, with the first wrong cell.
        ValueError: there is no such API or argument.
        TypeError: an argument is of a kind that no API takes.
    """
    __tracebackhide__ = True  # of pytest
    encoder = Encoder()
    request: dict[str, Any] = {"command": "judge", "api": api, "arguments": encoder.arguments(arguments)}
    if isinstance(actual, BaseException):
        request["result"] = {"classes": class_names(type(actual)), "message": str(actual)}
    else:
        results = actual if isinstance(actual, tuple) else (actual,)
        request["result"] = {"tensors": [encoder.tensor(one) for one in results]}
    data = encoder.data()
    answer, _ = ask(request, data)
    verdict: str = answer["verdict"]
    if verdict not in _ALLOWED + _NOT_JUDGED:
        what = "this error" if isinstance(actual, BaseException) else "this result"
        raise AssertionError(_message(f"{api} does not allow {what} ({verdict}):", answer["explanation"]))
    return verdict


def assert_gradients_allowed(fn: Callable[..., Any], api: str, /, **arguments: Any) -> str:
    """Asserts that a function has the result and the gradients that follow from the document of an API.

    The function is called with torch's or jax's arrays, and differentiated as its framework does it: through
    torch.autograd.Function, torch.library.register_autograd or jax.custom_vjp too. The cotangent has a number
    of its own for each cell. docs/use/python.md has examples.

    Args:
        fn: the function, called as by `check`.
        api, arguments: as of `assert_allowed`.

    Returns:
        "pass"; "open" if mathematics and the document leave the gradients free, or the function refuses them.

    Raises:
        AssertionError: the result or a gradient is wrong. At most 25 lines.
        ValueError: there is no such API or argument, or no array of torch or jax among the arguments.
    """
    __tracebackhide__ = True  # of pytest
    kinds = {kind_of(value) for value in arguments.values() if is_array(value)} - {"numpy"}
    if len(kinds) != 1:
        raise ValueError("gradients are those of torch or jax: give arrays of one of them")
    encoder = Encoder()
    request = {"command": "differentiate", "api": api, "arguments": encoder.arguments(arguments)}
    data = encoder.data()
    described, _ = ask({"command": "describe", "api": api})
    answer = ask_with(request, OwnWorker(fn, api, described, [], kinds.pop()), data)
    verdict: str = answer["verdict"]
    if verdict not in _ALLOWED + _NOT_JUDGED:
        raise AssertionError(_message(f"{name_of(fn)} is not {api} ({verdict}):", answer["explanation"]))
    return verdict


def allowed(api: str, /, **arguments: Any) -> Allowed:
    """What the document of an API allows for a call.

        >>> import numpy as np
        >>> x, i, s = np.zeros(2, "f4"), np.array([1, 1]), np.array([3, 5], "f4")
        >>> allowed("torch.scatter", input=x, dim=0, index=i, src=s).lower
        array([0., 3.], dtype=float32)
        >>> allowed("torch.scatter", input=x, dim=0, index=i, src=s).upper
        array([0., 5.], dtype=float32)

    Args:
        api, arguments: as of `assert_allowed`.

    Raises:
        ValueError: there is no such API or argument.
        TypeError: an argument is of a kind that no API takes.
    """
    encoder = Encoder()
    request = {"command": "allowed", "api": api, "arguments": encoder.arguments(arguments)}
    data = encoder.data()
    answer, payload = ask(request, data)
    lower = upper = nan = None
    is_open: np.ndarray | bool = "open" in answer
    if "result" in answer:
        lower, upper, nan, is_open = (decode(one, payload) for one in answer["result"])
        lower, upper = _as_numbers(lower), _as_numbers(upper)
    return Allowed(lower=lower, upper=upper, nan=nan, open=is_open, refuses="classes" in answer, may_refuse=answer["may_refuse"],
                   errors=tuple(answer.get("classes", ())), because=answer["because"])


def _as_numbers(array: np.ndarray) -> np.ndarray:
    if not is_bfloat16(array):
        return array
    return (array.view(np.ndarray).astype(np.uint32) << 16).view(np.float32)


def calls(api: str, n: int = 100, seed: int = 0, *, dtypes: Any = None, errors: bool = False,
          arrays: Arrays = "numpy") -> Iterator[Call]:
    """Generates calls of an API from its document, for a loop of your own.

        >>> import numpy as np
        >>> for call in calls("numpy.take_along_axis", 50, dtypes=["f32"]):
        ...     result = np.take_along_axis(**call.arguments)
        ...     verdict = assert_allowed(result, call.api, **call.arguments)

    Args:
        api: the API.
        n: numbers of calls; a few have none, and some frameworks have no arrays for some.
        seed: the same seed gives the same calls.
        dtypes: of the data, as names or dtypes, or one of them; None: all. Indices may have any.
        errors: also calls that break a rule of the document.
        arrays: "numpy", "torch", "jax", or a function that makes an array of a numpy array.

    Raises:
        ValueError: there is no such API or dtype.
    """
    make, _ = maker(arrays)
    lists = ask({"command": "describe", "api": api})[0]["lists"]
    for first in range(0, n, _BATCH):
        answer, payload = ask({"command": "calls", "api": api, "seed": seed, "dtypes": _names(dtypes), "broken": errors,
                               "first": first, "count": min(_BATCH, n - first)})
        for one in answer["calls"]:
            try:
                arguments = with_lists(Arguments(one["arguments"], payload, make).values, lists)
            except Unsupported:
                continue
            yield Call(api, arguments, one["number"], one["breaks"])


def check(fn: Callable[..., Any], like: str, *, dtypes: Any = None, cases: int = 1000,
          time: str | float = 0, seed: int = 0, errors: bool = True, arrays: Arrays = "numpy", gradients: bool = False,
          isolated: bool = False) -> Checked:
    """Checks a function against the document of an API with generated calls.

        >>> import numpy as np
        >>> def take(arr, indices, axis=-1):
        ...     return np.take_along_axis(arr, indices, axis)
        >>> check(take, like="numpy.take_along_axis", dtypes=["f32"], cases=200).judged > 100
        True

    Args:
        fn: the function. It is called in this process, with the API's arguments: under their names if it has
            these parameters, else in their order. Where the API overwrites an argument, it may do that and
            return None. It raises NotImplementedError for calls that it does not support.
        like: the API.
        dtypes: of the data, as names or dtypes, or one of them; None: all. Indices may have any.
        cases: how many calls; 0: as many as `time` allows.
        time: how long calls are generated: seconds, or a text such as "5s"; 0: as long as it takes. To
            shrink a failure may take as long again.
        seed: the same seed gives the same calls.
        errors: also calls that break a rule, where the document may require an error.
        arrays: what the function gets: "numpy", "torch", "jax", or a function that makes an array of a numpy
            array.
        gradients: also check the gradients that torch or jax computes through the function, on as many calls
            and in as much time again.
        isolated: call it in a process of its own, which imports it: a crash or a call that hangs is then a
            failure like any other, and not the end of this process. A call hangs after 20 seconds, or after
            `time`, from 1 to 5 seconds, if that is given; it is then tried once more, alone.

    Raises:
        AssertionError: a call went wrong: what is wrong and the smallest call that shows it, as Python; or no
            call was judged, or no gradient that was asked for. At most 25 lines.
        ValueError: there is no such API or dtype; or neither `cases` nor `time` ends the check.
        TypeError: it is not a function, or does not take the API's arguments; or it is to be isolated and
            cannot be imported.
    """
    __tracebackhide__ = True  # of pytest
    if not callable(fn) or isinstance(fn, type):
        raise TypeError(f"fn={fn!r}: it is not a function")
    seconds = _seconds(time)
    if min(cases, seconds) < 0 or not (cases or seconds):
        raise ValueError(f"cases={cases} with time={time!r}: one of them must end the check")
    if gradients and arrays not in ("torch", "jax"):
        raise ValueError(f"gradients=True with arrays={arrays!r}: only torch and jax have gradients")
    names = _names(dtypes)
    like, described, worker = _own_worker(fn, like, names, arrays)
    request = {"command": "check", "api": like, "seed": seed, "dtypes": names, "broken": errors, "cases": cases,
               "seconds": seconds, "gradients": gradients, "arrays": arrays if isinstance(arrays, str) else "numpy", "function": name_of(fn),
               "by_keyword": worker.by_keyword, "takes": worker.places}
    if isolated:
        if not isinstance(arrays, str):
            raise TypeError("isolated=True needs arrays by name")
        answer, _ = ask({**request, "module": place_of(fn)})
    else:
        answer = ask_with(request, worker)
    checked = Checked(answer["judged"], answer["open"], answer["unsupported"], answer["gradients"])
    if failure := answer.get("failure"):
        if failure["made_again"]:
            overwritten = [described["keywords"][name] for name in described["overwrites"]]
            failure["code"] = _made_again(name_of(fn), request, failure, next(iter(overwritten), None))
        failure["code"] = failure["code"] and import_of(fn) + failure["code"]
        raise AssertionError(_failure(name_of(fn), like, seed, failure))
    if not checked.judged:
        raise AssertionError(f"no call of {name_of(fn)} was judged: {checked.unsupported} unsupported, {checked.open} open"
                             + (f"; {time} may be too short" if time else ""))
    if gradients and not checked.gradients:
        raise AssertionError(f"no gradient of {name_of(fn)} was judged: {answer['without_gradients']}")
    return checked


def _own_worker(fn: Callable[..., Any], like: str, names: list[str], arrays: Arrays) -> tuple[str, dict[str, Any], OwnWorker]:
    """A function without a parameter for an axis is like the API's form without one: numpy.take.flat."""
    described, _ = ask({"command": "describe", "api": like})
    try:
        return like, described, OwnWorker(fn, like, described, names, arrays)
    except TypeError as mistake:
        try:
            described, _ = ask({"command": "describe", "api": like + ".flat"})
            return like + ".flat", described, OwnWorker(fn, like + ".flat", described, names, arrays)
        except (TypeError, ValueError):
            raise mistake from None


def _failure(name: str, like: str, seed: int, failure: dict[str, Any]) -> str:
    head = f"{name} is not {like} ({failure['verdict']}), seed {seed}, call {failure['number']}:"
    if not failure["code"]:
        return _message(head, failure["explanation"])
    code = failure["code"].rstrip().splitlines()
    told = _message(head, failure["explanation"], _LINES - len(code) - 1)
    if failure["made_again"]:
        return "\n".join([told, "the call is too large to be printed; its number makes it again:", *code])
    return "\n".join([told, f"the {'smallest' if failure['minimal'] else 'smallest found'} call that shows it:", *code])


def _made_again(name: str, request: dict[str, Any], failure: dict[str, Any], overwrites: str | None) -> str:
    """Code that makes the call by its number."""
    number, options = failure["number"], f"seed={request['seed']}"
    for option, value, default in (("dtypes", request["dtypes"], []), ("errors", request["broken"], False), ("arrays", request["arrays"], "numpy")):
        options += "" if value == default else f", {option}={value!r}"
    given = ("**" if request["by_keyword"] else "*") + ("own" if overwrites else "call") + ("" if request["by_keyword"] else ".values()")
    own = [f"own = deepcopy(call)\n{name}({given})"] if overwrites else []
    result = f"own[{overwrites!r}]" if overwrites else f"{name}({given})"
    judged = "\n".join([*own, f"scatterproof.assert_allowed({result}, one.api, **call)"])
    if failure["by_chance"]:
        judged = "for _ in range(1000):  # it fails now and then\n" + textwrap.indent(judged, "    ")
    return (("from copy import deepcopy\n" if overwrites else "") + "import scatterproof\n\n"
            f"one = next(one for one in scatterproof.calls({request['api']!r}, {number + 1}, {options}) if one.number == {number})\n"
            f"call = {{name: one.arguments[name] for name in {request['takes']!r}}}\n{judged}\n")


def _message(head: str, explanation: str, lines: int = _LINES) -> str:
    """Not longer than a person reads."""
    told = [textwrap.shorten(line, _COLUMNS, placeholder=" ...") if len(line) > _COLUMNS else line for line in explanation.splitlines()]
    most = max(lines - 1, 4)
    if len(told) > most:
        told = [*told[: most - 1], f"... {len(told) - most + 1} more lines"]
    return "\n".join([head, *(f"  {line}" for line in told)])


def _names(dtypes: Any) -> list[str]:
    if dtypes is None:
        return []
    several = isinstance(dtypes, Iterable) and not isinstance(dtypes, str)
    return [dtype_name(one) for one in (dtypes if several else [dtypes])]


def _seconds(time: str | float) -> float:
    if not isinstance(time, str):
        return float(time)
    match = re.fullmatch(r"(\d+(?:\.\d+)?) *(ms|s|m|h)", time.strip())
    if not match:
        raise ValueError(f"time={time!r}: use seconds, or a text such as '500ms', '5s' or '2m'")
    return float(match[1]) * {"ms": 0.001, "s": 1, "m": 60, "h": 3600}[match[2]]
