# SPDX-License-Identifier: Apache-2.0
"""Forms of the Python package: what is compiled, when, and how errors are reported."""

import importlib.util
import os
import unittest

SOURCE = os.environ["SOURCE"]
PATH = os.path.join(SOURCE, "engines", "workers", "python", "scatterproof_worker", "forms.py")
spec = importlib.util.spec_from_file_location("forms", PATH)
forms = importlib.util.module_from_spec(spec)
spec.loader.exec_module(forms)


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

    def test_the_tool_names_the_form(self):
        made = {"flying": lambda: "a kite"}
        for name, chosen in (("", None), ("flying", "a kite")):
            os.environ["SCATTERPROOF_FORM"] = name
            self.assertEqual(forms.chosen_form(made), chosen)
        os.environ["SCATTERPROOF_FORM"] = "swimming"
        with self.assertRaisesRegex(SystemExit, "no form swimming here, only flying"):
            forms.chosen_form(made)


unittest.main()
