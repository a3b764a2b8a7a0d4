# SPDX-License-Identifier: Apache-2.0
"""Forms of the Python package: what is compiled, when, how errors are reported, and views that are made of
slices."""

import importlib.util
import os
import random
import sys
import types
import unittest

import numpy

SOURCE = os.environ["SOURCE"]
sys.path.insert(0, os.path.join(SOURCE, "engines", "workers", "python"))
import scatterproof_worker


def module(name):
    path = os.path.join(SOURCE, "engines", "workers", "python", "scatterproof_worker", name + ".py")
    spec = importlib.util.spec_from_file_location(name, path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


forms, slices = module("forms"), module("sliced_view")


class Number:
    """A tensor of a toy framework."""

    def __init__(self, value, size=1):
        self.value = value
        self.size = size


class Forms(unittest.TestCase):
    def setUp(self):
        self.compiled = []

    def form(self, **options):
        def compile(function, tensors):
            self.compiled.append(sorted(tensors))
            return function

        return forms.Form(compile, tensor=Number, signature=lambda tensor: tensor.size, **options)

    def test_new_values_of_tensors_need_no_compiling_all_else_does(self):
        add = self.form().of(lambda x, y, by=None: (x.value + y.value, by))
        self.assertEqual(add(x=Number(1), y=Number(2), by=3), (3, 3))
        self.assertEqual(add(x=Number(5), y=Number(2), by=3), (7, 3))
        self.assertEqual(self.compiled, [["x", "y"]])
        for by in (3.0, True, 1, 1.0, None, [3], "3", -0.0, 0.0):
            self.assertEqual(repr(add(x=Number(1), y=Number(2), by=by)), repr((3, by)))
        add(x=Number(1, size=2), y=Number(2), by=3)
        add(x=Number(1), y=Number(2))
        self.assertEqual(len(self.compiled), 12)

    def test_functions_are_kept_apart_and_the_oldest_is_dropped(self):
        form = self.form(most=256)
        one, other = form.of(lambda x: x.value), form.of(lambda x: -x.value)
        self.assertEqual((one(x=Number(1)), other(x=Number(1)), one(x=Number(1))), (1, -1, 1))
        for size in range(2, 257):
            one(x=Number(1, size))
        self.assertEqual(len(self.compiled), 257)
        one(x=Number(1))
        self.assertEqual(len(self.compiled), 257)
        other(x=Number(1))  # used less lately
        self.assertEqual(len(self.compiled), 258)

    def test_an_error_stays_unless_it_has_another_one_to_tell(self):
        def broken(x):
            raise KeyError("inner") if x.value else IndexError("kept")

        form = self.form(instead=lambda error: ValueError("told") if isinstance(error, KeyError) else error)
        with self.assertRaisesRegex(ValueError, "told"):
            form.of(broken)(x=Number(1))
        with self.assertRaisesRegex(IndexError, "kept"):
            form.of(broken)(x=Number(0))

    def test_what_the_compiler_does_not_take_is_asked_once(self):
        asked = []

        def broken(x):
            asked.append(x.value)
            raise KeyError("no kernel")

        form = self.form(instead=lambda error: forms.Unsupported("told") if isinstance(error, KeyError) else error)
        call = form.of(broken)
        for value in (1, 2, 3):
            with self.assertRaisesRegex(forms.Unsupported, "^told$"):
                call(x=Number(value))
        self.assertEqual((asked, len(self.compiled)), ([1], 1))
        with self.assertRaises(forms.Unsupported):
            call(x=Number(1, size=2))
        self.assertEqual((asked, len(self.compiled)), ([1, 1], 2))

    def test_a_compiled_function_makes_its_tensors_of_their_bases(self):
        def view(shape, strides, offset):
            if strides[0] < 0:
                raise forms.Unsupported("backwards")
            return lambda base: Number(base.value[offset :: strides[0]][: shape[0]])

        def reverse(x, by):
            return x.value[::-1] * by

        call = self.form(view=view).of(reverse)
        made = lambda stride, text="abcdefg": forms.View(Number(text), ((3,), (stride,), 1))
        self.assertEqual(call(x=made(2), by=1), "fdb")
        self.assertEqual(call(x=made(2, "tuvwxyz"), by=1), "ywu")
        self.assertEqual(self.compiled, [["x"]])
        self.assertEqual(call(x=made(1), by=2), "dcbdcb")
        self.assertEqual(len(self.compiled), 2)  # the place is part of the signature
        for _ in range(2):
            with self.assertRaisesRegex(forms.Unsupported, "^backwards$"):
                call(x=made(-1), by=2)
        self.assertEqual(len(self.compiled), 2)

    def test_the_tool_names_the_form(self):
        made = {"flying": lambda: "a kite"}
        for name, chosen in (("", None), ("flying", "a kite")):
            os.environ["SCATTERPROOF_FORM"] = name
            self.assertEqual(forms.chosen_form(made), chosen)
        os.environ["SCATTERPROOF_FORM"] = "swimming"
        with self.assertRaisesRegex(SystemExit, "no form swimming here, only flying"):
            forms.chosen_form(made)

    def test_the_user_names_a_device(self):
        made = {"device=NAME": lambda name: f"on {name}"}
        os.environ["SCATTERPROOF_FORM"] = "device=cuda:1"
        self.assertEqual(forms.chosen_form(made), "on cuda:1")
        for name in ("device=", "device", "devices=cuda"):
            os.environ["SCATTERPROOF_FORM"] = name
            with self.assertRaisesRegex(SystemExit, "only device=NAME"):
                forms.chosen_form(made)


class Gradients(unittest.TestCase):
    def worker(self, **options):
        os.environ["SCATTERPROOF_FORM"] = "flying"
        form = lambda: scatterproof_worker.Form(None, tensor=Number, signature=None, **options)
        return scatterproof_worker.Worker(name="mine", version="1", dtypes=["f32"], forms={"flying": form})

    def test_a_form_has_them_if_it_says_so(self):
        for options, has in (({}, False), ({"gradients": True}, True)):
            worker = self.worker(**options)
            worker.call("torch.gather")(lambda input: input)
            worker.gradient("torch.gather")(lambda input, of, cotangent: (input, [cotangent]))
            self.assertEqual("torch.gather" in worker._gradients, has)

    def test_one_that_is_refused_hides_no_other(self):
        asked = []

        def gradients(of, x):
            asked.append(of)
            if "broken" in of:
                raise KeyError(of[0])
            return x, [f"of {name}" for name in of]

        apart = scatterproof_worker.apart_if_refused(gradients)
        self.assertEqual(apart(of=["one", "other"], x=3), (3, ["of one", "of other"]))
        self.assertEqual(asked, [["one", "other"]])
        result, (of_broken, of_one) = apart(of=["broken", "one"], x=3)
        self.assertEqual((result, repr(of_broken), of_one), (3, "KeyError('broken')", "of one"))
        for of in ["broken"], ["broken", "broken"]:
            with self.assertRaises(KeyError):
                apart(of=of, x=3)

    def test_what_is_not_offered_is_asked_once(self):
        asked = []

        def gradients(of):
            asked.append(of)
            raise scatterproof_worker.Unsupported("no kernel")

        with self.assertRaisesRegex(scatterproof_worker.Unsupported, "^no kernel$"):
            scatterproof_worker.apart_if_refused(gradients)(of=["one", "other"])
        self.assertEqual(len(asked), 1)


FRAMEWORK = types.SimpleNamespace(concat=numpy.concatenate, reshape=numpy.reshape, transpose=numpy.transpose,
                                  broadcast_to=numpy.broadcast_to)


def made(base, *place):
    return slices.sliced_view(FRAMEWORK, base, *slices.slices_of(*place))


class SlicedViews(unittest.TestCase):
    def test_they_are_what_strides_say(self):
        dice = random.Random(1)
        for _ in range(2000):
            shape = [dice.choice([0, 1, 1, 2, 2, 3, 3, 4]) for _ in range(dice.randint(0, 4))]
            strides, taken = [0] * len(shape), 1
            for axis in dice.sample(range(len(shape)), len(shape)):  # the innermost first
                step = taken + dice.choice([0, 0, 1, 3])
                strides[axis] = dice.choice([1, 1, 1, -1, 0]) * step
                taken += abs(strides[axis]) * max(shape[axis] - 1, 0)
            offset = dice.randint(0, 5) - sum(min(stride, 0) * max(size - 1, 0) for stride, size in zip(strides, shape))
            base = numpy.arange(offset + taken + dice.randint(0, 5), dtype=numpy.float32)
            view = numpy.lib.stride_tricks.as_strided(base[offset:], shape, [4 * stride for stride in strides])
            self.assertEqual(made(base, shape, strides, offset).tolist(), view.tolist(), (shape, strides, offset))

    def test_others_are_refused(self):
        for shape, strides in (((2, 3), (1, 1)), ((3, 2), (2, 3)), ((2, 2), (1, -1))):
            with self.assertRaisesRegex(ValueError, "no slices have the strides"):
                made(numpy.arange(9), shape, strides, 2)


unittest.main()
