# SPDX-License-Identifier: Apache-2.0
"""What `import scatterproof` offers: assertions, bounds, generated calls and checks of functions."""

import concurrent.futures
import doctest
import importlib
import itertools
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

import with_numpy

with_numpy.run_again()

import numpy as np
import scatterproof
from scatterproof import _child, judging, program

X, I, S = np.zeros(3, "f4"), np.array([2, 0, 2]), np.array([1, 2, 4], "f4")
CALL = {"input": X, "dim": 0, "index": I, "src": S}
API = "torch.scatter_add"


def added(input, dim, index, src):
    """Right, as far as one dimension goes."""
    if not input.ndim == index.ndim == src.ndim == 1:
        raise NotImplementedError("vectors only")
    result = input.copy()
    np.add.at(result, index, src[: len(index)])
    return result


def wrong(x, dim, index, src):
    """The index's strides for data: wrong where the index is smaller than src."""
    result = x.copy()
    for place in np.ndindex(*index.shape):
        target = list(place)
        if place:
            target[dim] = index[place]
        with np.errstate(all="ignore"):
            result[tuple(target)] += src.reshape(-1)[np.ravel_multi_index(place, index.shape)] if place else src[()]
    return result


def backwards(x, places):
    return np.take(x, places)[::-1] if places.ndim else np.take(x, places)


class Assertions(unittest.TestCase):
    def failure(self, actual, api=API, **arguments):
        with self.assertRaises(AssertionError) as raised:
            scatterproof.assert_allowed(actual, api, **arguments or CALL)
        message = str(raised.exception)
        self.assertLessEqual(len(message.splitlines()), 25)
        return message

    def test_a_result(self):
        self.assertEqual(scatterproof.assert_allowed(np.array([2, 0, 5], "f4"), API, **CALL), "pass")
        self.assertIn("out[2] is 4.0, expected 5.0", self.failure(np.array([2, 0, 4], "f4")))
        self.assertIn("dtype is f64, the document says f32", self.failure(np.array([2.0, 0, 5])))
        self.assertIn("shape is [1, 3], the document says [3]", self.failure(np.array([[2, 0, 5]], "f4")))

    def test_arrays_that_only_numpy_can_read(self):
        class Variable:  # as tensorflow's
            def __init__(self, values):
                self.values = values

            def __array__(self, dtype=None, copy=None):
                return self.values

        call = {**CALL, "src": Variable(CALL["src"])}
        self.assertEqual(scatterproof.assert_allowed(Variable(np.array([2, 0, 5], "f4")), API, **call), "pass")

    def test_any_order_of_a_sum_and_nothing_else(self):
        source = np.array([0.1, 0.7, 0.3], "f4")
        call = {"input": np.zeros(1, "f4"), "dim": 0, "index": np.zeros(3, int), "src": source}
        bounds = scatterproof.allowed(API, **call)
        for order in ([0, 1, 2], [1, 2, 0], [2, 0, 1]):
            total = np.float32(0)
            for one in source[order]:
                total += one
            self.assertEqual(scatterproof.assert_allowed(np.array([total]), API, **call), "pass")
            self.assertTrue(bounds.lower[0] <= total <= bounds.upper[0])
        self.assertGreater(bounds.upper[0], bounds.lower[0])
        for edge, outwards in ((bounds.lower, -np.inf), (bounds.upper, np.inf)):
            self.assertEqual(scatterproof.assert_allowed(edge, API, **call), "pass")
            self.failure(np.nextafter(edge, np.float32(outwards)), **call)

    def test_bounds_are_the_outermost_numbers_that_are_allowed(self):
        seen = set()
        for dtype in (np.float16, np.float32, np.float64):
            for one in scatterproof.calls(API, 150, dtypes=dtype):
                bounds = scatterproof.allowed(API, **one.arguments)
                if bounds.lower is None or bounds.open.any() or bounds.lower.size > 30:
                    continue
                for edge, outwards in ((bounds.lower, -np.inf), (bounds.upper, np.inf)):
                    scatterproof.assert_allowed(edge, API, **one.arguments)
                    for cell in np.argwhere(np.isfinite(edge)):
                        beyond = edge.copy()
                        beyond[tuple(cell)] = np.nextafter(edge[tuple(cell)], dtype(outwards))
                        if np.isfinite(beyond[tuple(cell)]):
                            self.failure(beyond, **one.arguments)
                            seen.add((dtype, bool(edge[tuple(cell)] < bounds.upper[tuple(cell)])))
        self.assertEqual(len(seen), 6)  # of each dtype, cells with one value and with several

    def test_a_long_explanation_is_cut(self):
        failure = {"verdict": "mismatch", "number": 7, "minimal": True, "made_again": False, "explanation": "x" * 999 + "\ny" * 99, "code": "z\n" * 9}
        for message in (judging._message("head", failure["explanation"]), judging._failure("f", API, 0, failure)):
            self.assertEqual(len(message.splitlines()), 25)
            self.assertLess(max(map(len, message.splitlines())), 200)

    def test_one_of_several_values(self):
        call = {"input": X, "dim": 0, "index": I, "src": S}
        bounds = scatterproof.allowed("torch.scatter", **call)
        self.assertEqual((bounds.lower.tolist(), bounds.upper.tolist()), ([2, 0, 1], [2, 0, 4]))
        for value, is_right in ((1, True), (4, True), (3, False)):
            result = np.array([2, 0, value], "f4")
            if is_right:
                scatterproof.assert_allowed(result, "torch.scatter", **call)
            else:
                self.assertIn("expected 1.0 or 4.0", self.failure(result, "torch.scatter", **call))

    def test_errors_and_calls_that_are_open(self):
        outside = {"a": np.zeros(3), "ind": np.array([7]), "v": np.array([1.0])}
        bounds = scatterproof.allowed("numpy.put", **outside)
        self.assertTrue(bounds.refuses and bounds.lower is None and not bounds.open)
        self.assertIn("must be refused", self.failure(np.zeros(3), "numpy.put", **outside))
        self.assertEqual(scatterproof.assert_allowed(IndexError("no"), "numpy.put", **outside), "pass")
        self.assertIn("raised ValueError: no", self.failure(ValueError("no")))
        far = {"input": X, "dim": 0, "index": np.array([7])}
        self.assertIs(scatterproof.allowed("torch.gather", **far).open, True)
        self.assertEqual(scatterproof.assert_allowed(np.zeros(1, "f4"), "torch.gather", **far), "open")

    def test_cells_that_must_be_nan_or_may_be_anything(self):
        call = {**CALL, "src": np.array([np.nan, 1, 2], "f4")}
        bounds = scatterproof.allowed(API, **call)
        self.assertEqual(bounds.nan.tolist(), [False, False, True])
        self.assertTrue(np.isnan(bounds.lower[2]) and np.isnan(bounds.upper[2]))
        integers = scatterproof.allowed("torch.scatter", input=np.zeros(1, int), dim=0, index=np.zeros(2, int), src=np.array([3, 9]))
        self.assertEqual((integers.lower.dtype, integers.lower.tolist(), integers.upper.tolist()), (np.dtype(int), [3], [9]))

    def test_mistakes(self):
        for arguments, words in (({**CALL, "indx": I}, "has no argument 'indx'; did you mean 'index'"), ({"input": X}, "argument 'dim' of torch.scatter_add is missing"),
                                 ({**CALL, "dim": "x"}, "argument 'dim' of torch.scatter_add must be an integer"), ({**CALL, "src": None}, "'src' of torch.scatter_add is None")):
            with self.assertRaisesRegex(ValueError, words):
                scatterproof.assert_allowed(X, API, **arguments)
        with self.assertRaisesRegex(ValueError, "no spec of 'torch.scater_add'; did you mean 'torch.scatter_add'"):
            scatterproof.allowed("torch.scater_add", **CALL)
        for gradients in (lambda: scatterproof.check(added, API, gradients=True), lambda: scatterproof.assert_gradients_allowed(added, API, **CALL)):
            with self.assertRaisesRegex(ValueError, "torch (and|or) jax"):
                gradients()
        with self.assertRaisesRegex(TypeError, "argument 'src': a object is neither"):
            scatterproof.allowed(API, **{**CALL, "src": object()})
        with self.assertRaisesRegex(TypeError, "a object is not an array"):
            scatterproof.assert_allowed(object(), API, **CALL)
        self.assertEqual(asserted(0), "pass")  # the child lives

    def test_an_argument_may_have_its_name_in_printed_calls(self):
        self.assertEqual(scatterproof.assert_allowed(np.array([2, 0, 5], "f4"), API, self=X, dim=0, index=I, src=S), "pass")

    def test_without_an_axis_the_form_without_one(self):
        for axis in ({}, {"axis": None}):
            scatterproof.assert_allowed(np.array([2.0]), "numpy.take", a=np.array([[1.0, 2.0]]), indices=np.array([1]), **axis)
            self.failure(np.array([1.0]), "numpy.take", a=np.array([[1.0, 2.0]]), indices=np.array([1]), **axis)

    def test_lists_of_arrays(self):
        api = "numpy.ndarray.__getitem__.tuple"
        call = {"a": np.arange(4).reshape(2, 2), "indices": [np.array([0, 1]), np.array([1, 0])]}
        self.assertEqual(scatterproof.assert_allowed(np.array([1, 2]), api, **call), "pass")
        self.assertGreater(scatterproof.check(lambda a, indices: a[indices], api, cases=200).judged, 100)
        for one in scatterproof.calls(api, 50):
            scatterproof.assert_allowed(one.arguments["a"][one.arguments["indices"]], api, **one.arguments)

    def test_the_spec_that_takes_a_tuple_is_found_by_the_tuple(self):
        api, x, v = "torch.Tensor.index_put_", np.zeros((2, 3), "f4"), np.array([5, 6], "f4")
        indices = np.array([0, 1]), np.array([[2], [0]])
        right = np.array([[5, 0, 5], [6, 0, 6]], "f4")
        self.assertEqual(scatterproof.assert_allowed(right, api, self=x, indices=indices, values=v), "pass")
        self.assertEqual(scatterproof.allowed(api, self=x, indices=indices, values=v).lower.tolist(), right.tolist())
        with self.assertRaisesRegex(AssertionError, "index_put_ does not allow this result"):
            scatterproof.assert_allowed(right + 1, api, self=x, indices=indices, values=v)
        with self.assertRaisesRegex(ValueError, "no spec of 'torch.index_put'; did you mean 'torch.Tensor.index_put'"):
            scatterproof.allowed("torch.index_put", self=x, indices=indices, values=v)


class Functions(unittest.TestCase):
    def failure(self, function, **options):
        with self.assertRaises(AssertionError) as raised:
            scatterproof.check(function, API, **options)
        message = str(raised.exception)
        self.assertLessEqual(len(message.splitlines()), 25)
        return message

    def test_a_right_one_and_what_it_does_not_support(self):
        checked = scatterproof.check(added, API, cases=300, errors=False)
        self.assertGreater(checked.judged, 30)
        self.assertGreater(checked.unsupported, 100)

    def test_the_smallest_call_as_python_that_fails(self):
        message = self.failure(wrong, dtypes="f32")
        self.assertRegex(message, r"^wrong is not torch.scatter_add \(mismatch\), seed 0, call \d+:\n  out\[")
        code = message.partition("call that shows it:\n")[2]
        self.assertIn("dtype=numpy.float32", code)
        with self.assertRaisesRegex(AssertionError, "does not allow this result"):
            exec(code, {"wrong": wrong})

    def test_the_printed_call_imports_the_function_of_a_module(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "my_kernels.py"), "w", encoding="utf-8") as file:
                file.write("def put(input, dim, index, src):\n    return input\n")
            with unittest.mock.patch("sys.path", [folder, *sys.path]):
                put = importlib.import_module("my_kernels").put
                code = self.failure(put, dtypes="f32").partition("call that shows it:\n")[2]
                self.assertTrue(code.startswith("from my_kernels import put\n"), code)
                with self.assertRaisesRegex(AssertionError, "does not allow this result"):
                    exec(code, {})

    def test_a_large_call_is_made_again_by_its_number(self):
        def large(input, dim, index, src):
            result = added(input, dim, index, src)
            result[:1] += index.size > 1000
            return result
        with self.assertRaises(AssertionError) as raised:
            scatterproof.check(large, like=API, dtypes=["f32"], cases=3000, errors=False)
        code = str(raised.exception).partition("its number makes it again:\n")[2]
        self.assertIn("scatterproof.calls('torch.scatter_add', ", code, raised.exception)
        with self.assertRaises(AssertionError):
            exec(code, {"large": large})

    def test_the_call_of_a_failure_that_comes_and_goes_is_repeated(self):
        many = itertools.count(1)
        def wavering(input, dim, index, src):
            result = added(input, dim, index, src)
            result[:1] += index.size >= 64 and next(many) % 20 == 0
            return result
        with self.assertRaises(AssertionError) as raised:
            scatterproof.check(wavering, like=API, dtypes=["f32"], cases=3000, errors=False)
        code = re.split("makes it again:\n|that shows it:\n", str(raised.exception))[1]
        self.assertIn("for _ in range(1000):", code)
        with self.assertRaises(AssertionError):
            exec(code, {"wavering": wavering})

    def test_the_same_seed_gives_the_same_failure(self):
        self.assertEqual(self.failure(wrong, dtypes=["f32"]), self.failure(wrong, dtypes=["f32"]))
        self.assertNotEqual(self.failure(wrong, dtypes=["f32"]), self.failure(wrong, dtypes=["f32"], seed=1))

    def test_an_argument_that_is_overwritten(self):
        def put(a, ind, v, mode="raise"):
            np.put(a, ind, v, mode)

        self.assertGreater(scatterproof.check(put, "numpy.put", cases=300).judged, 100)

        def forgetful(a, ind, v, mode="raise"):
            np.put(a.copy(), ind, v, mode)

        with self.assertRaises(AssertionError) as raised:
            scatterproof.check(forgetful, "numpy.put", cases=300)
        with self.assertRaisesRegex(AssertionError, "numpy.put does not allow"):
            exec(str(raised.exception).partition("call that shows it:\n")[2], {"forgetful": forgetful})

    def test_writes_where_nothing_may_be_written(self):
        def outside(arr, indices, axis=-1):
            if indices.base is not None and indices.size:
                memory = np.lib.stride_tricks.as_strided(np.frombuffer(indices.base, np.uint8) if indices.base.dtype != np.uint8 else indices.base, (8192,), (1,))
                memory[-1] = 1
            return np.take_along_axis(arr, indices, axis)

        with self.assertRaises(AssertionError) as raised:
            scatterproof.check(outside, "numpy.take_along_axis", cases=200)
        self.assertIn("wrote outside the memory of its argument indices", str(raised.exception))

        def its_input(arr, indices, axis=-1):
            arr[...] = 0
            return np.take_along_axis(arr, indices, axis)

        with self.assertRaises(AssertionError) as raised:
            scatterproof.check(its_input, "numpy.take_along_axis", cases=200)
        self.assertIn("wrote its input arr", str(raised.exception))
        self.assertGreater(scatterproof.check(np.take_along_axis, "numpy.take_along_axis", cases=100).judged, 50)

    def test_arguments_that_the_function_has_no_place_for(self):
        checked = scatterproof.check(lambda a, indices: np.take(a, indices), "numpy.take", cases=300)
        self.assertGreater(checked.judged, 10)
        self.assertGreater(checked.unsupported, 10)
        with self.assertRaises(AssertionError) as raised:
            scatterproof.check(backwards, "numpy.take", cases=300)
        with self.assertRaisesRegex(AssertionError, "numpy.take.flat does not allow this"):
            exec(str(raised.exception).partition("call that shows it:\n")[2], {"backwards": backwards})

    def test_nothing_judged_is_no_success(self):
        def absent(**arguments):
            raise NotImplementedError

        self.assertRegex(self.failure(absent, cases=100), r"no call of .*absent was judged: \d+ unsupported, \d+ open")

    def test_mistakes(self):
        for no_function in (3, "wrong", int):
            with self.assertRaisesRegex(TypeError, "it is not a function"):
                scatterproof.check(no_function, API)
        with self.assertRaisesRegex(TypeError, "has 1 parameters, and the API 4 arguments: input, dim, index, src"):
            scatterproof.check(lambda x: x, API)
        with self.assertRaisesRegex(ValueError, "unknown dtype 'f31'"):
            scatterproof.check(added, API, dtypes=["f31"])
        with self.assertRaisesRegex(ValueError, "time='soon'"):
            scatterproof.check(added, API, time="soon")
        for endless in ({"cases": 0}, {"cases": -1}, {"cases": 0, "time": "0s"}):
            with self.assertRaisesRegex(ValueError, "one of them must end the check"):
                scatterproof.check(added, API, **endless)
        with self.assertRaisesRegex(ValueError, "arrays='cupy': use"):
            scatterproof.check(added, API, arrays="cupy")

    def test_an_interruption_ends_the_check(self):
        def interrupted(input, dim, index, src):
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            scatterproof.check(interrupted, API)
        self.assertGreater(scatterproof.check(added, API, cases=300, errors=False).judged, 30)

    def test_a_limit_in_time(self):
        self.assertGreater(scatterproof.check(added, API, cases=0, time="2s", errors=False).judged, 30)


class Calls(unittest.TestCase):
    def test_they_are_those_of_the_seed(self):
        def drawn(**options):
            return [(one.number, {name: str(value) for name, value in one.arguments.items()}) for one in scatterproof.calls(API, 100, **options)]

        self.assertEqual(drawn(), drawn())
        self.assertNotEqual(drawn(), drawn(seed=1))
        for one in scatterproof.calls(API, 100, dtypes=[np.float32]):
            self.assertEqual((one.arguments["src"].dtype, one.breaks, one.api), (np.float32, None, API))
        self.assertTrue(any(one.breaks for one in scatterproof.calls(API, 100, errors=True)))

    def test_they_are_ready_to_be_called(self):
        for one in scatterproof.calls("numpy.take_along_axis", 100):
            verdict = scatterproof.assert_allowed(np.take_along_axis(**one.arguments), one.api, **one.arguments)
            self.assertIn(verdict, ("pass", "weak", "open"))


class TheChild(unittest.TestCase):
    def test_a_fork_has_its_own(self):
        self.assertEqual(scatterproof.assert_allowed(np.array([2, 0, 5], "f4"), API, **CALL), "pass")
        with multiprocessing.get_context("fork").Pool(2) as pool:
            self.assertEqual(pool.map(asserted, range(4)), ["pass"] * 4)
            self.assertEqual(pool.map(owns_its_child, range(4)), [True] * 4)
        self.assertEqual(asserted(0), "pass")

    def test_one_that_ended_is_replaced(self):
        with _child.conversation() as one:
            one._process.kill()
        with self.assertRaisesRegex(RuntimeError, "scatterproof ended with exit status -9"):
            scatterproof.allowed(API, **CALL)
        self.assertEqual(asserted(0), "pass")

    def test_an_answer_that_was_not_waited_for_is_nobody_elses(self):
        """The program is stopped, so that Ctrl-C comes while its answer is waited for."""
        asserted(0)
        with _child.conversation() as one:
            child = one._process.pid
        os.kill(child, signal.SIGSTOP)
        timer = threading.Timer(0.3, lambda: (os.kill(os.getpid(), signal.SIGINT), os.kill(child, signal.SIGCONT)))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            asserted(0)
            timer.join()
        timer.join()
        self.assertEqual(scatterproof.allowed(API, **CALL).lower.tolist(), [2, 0, 5])

    def test_a_function_under_check_may_ask_too(self):
        def asking(input, dim, index, src):
            result = added(input, dim, index, src)
            scatterproof.assert_allowed(result, API, input=input, dim=dim, index=index, src=src)
            return result

        self.assertGreater(scatterproof.check(asking, API, cases=100, errors=False).judged, 10)

    def test_several_threads(self):
        with concurrent.futures.ThreadPoolExecutor(4) as threads:
            self.assertEqual(set(threads.map(asserted, range(40))), {"pass"})

    def test_it_ends_with_its_caller(self):
        """Also while it checks a function that hangs in a process of its own."""
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "hanging.py"), "w", encoding="utf-8") as file:
                file.write("import sys, time, scatterproof\n\ndef hang(arr, indices, axis=-1):\n    time.sleep(99)\n\n"
                           "if __name__ == '__main__':\n"
                           "    import hanging\n    scatterproof.check(hanging.hang, 'numpy.take_along_axis', isolated=True)\n")
            caller = subprocess.Popen([sys.executable, file.name], env={**os.environ, "PYTHONPATH": os.pathsep.join([folder, *sys.path])})
            try:
                child = self.waited_for(lambda: children_of(caller.pid))
                self.waited_for(lambda: children_of(child[0]))  # the function's process: the check has begun
            finally:
                caller.kill()
                caller.wait()
            self.assertTrue(self.waited_for(lambda: not alive(child[0])))

    def waited_for(self, what):
        for _ in range(300):
            if found := what():
                return found
            time.sleep(0.1)
        return self.fail("it did not come")

    def test_the_program_may_be_chosen(self):
        with unittest.mock.patch.dict(os.environ, SCATTERPROOF_PROGRAM=__file__):
            with self.assertRaisesRegex(FileNotFoundError, "is not a program"):
                program.find_program()
        with unittest.mock.patch.dict(os.environ, SCATTERPROOF_PROGRAM="/bin/true"):
            self.assertEqual(program.find_program(), "/bin/true")

    def test_examples_of_the_docstrings(self):
        for module in (scatterproof, judging):
            failed, tried = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
            self.assertEqual((failed, tried > 3), (0, True), module)


def children_of(process):
    with open(f"/proc/{process}/task/{process}/children", encoding="utf-8") as file:
        return [int(one) for one in file.read().split()]


def alive(process):
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def owns_its_child(_):
    with _child.conversation() as one:
        return one.owner == os.getpid()


def asserted(_):
    return scatterproof.assert_allowed(np.array([2, 0, 5], "f4"), API, **CALL)


if __name__ == "__main__":
    unittest.main()
