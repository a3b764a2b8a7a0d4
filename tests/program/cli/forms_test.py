# SPDX-License-Identifier: Apache-2.0
"""Compiled and exported forms of frameworks as engines. A framework that is not installed fails the test."""

import os
import tempfile
import unittest

import small_data
from program import run, stream, worker_python

small_data.use("torch/torch.gather", "torch/torch.Tensor.scatter*_", "torch/torch.Tensor.index_put_", "tensorflow/*", "mindspore/*", "jax/*",
               "paddle/*", "numpy/numpy.take_along_axis")

COSTLY = """
import sys
import numpy
from scatterproof_worker import Form, Worker

def costly():
    def compile(function, tensors):
        with open(sys.argv[1], "a") as compiled:
            compiled.write("x")
        return function
    return Form(compile, numpy.ndarray, lambda tensor: (tensor.shape, tensor.dtype, tensor.strides), seconds=float(sys.argv[2]))

worker = Worker(name="take", framework="numpy", version="2.4.6", dtypes=["f32", "i32", "i64"], forms={"costly": costly})
take = worker.formed(lambda arr, indices, axis=-1: numpy.take_along_axis(arr, indices, axis))
worker.call("numpy.take_along_axis")(lambda **arguments: take(**arguments))
worker.serve()
"""


class Forms(unittest.TestCase):
    def judge(self, engine, *ids, env=None):
        """How each case ended on an engine, by id."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.jsonl")
            result = run("run", *ids, "--engine", engine, "--report", "jsonl=" + path, env=env)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            records = {line["id"]: line for line in stream(path) if line["type"] == "record"}
        self.assertTrue(records)
        for one in records.values():
            self.assertTrue(one["engine"].startswith(engine + "@"), one)
            self.assertIn(one["disposition"], ("as_expected", "known"), one)
        return records

    def test_jit_of_jax(self):
        records = self.judge("jax:jit", "jax.ops.segment_sum/*", "jax.numpy.ndarray.at.add/*")
        verdicts = [one["verdict"] for one in records.values()]
        self.assertGreater(verdicts.count("pass"), 20)
        # Then the compiler does not know the number of segments.
        unsupported = [one for one in records.values() if one["verdict"] == "unsupported"]
        self.assertTrue(unsupported)
        for one in unsupported:
            self.assertRegex(one["explanation"], "^(Abstract tracer value encountered|Array boolean indices must be concrete)")

    def test_function_of_tensorflow(self):
        records = self.judge("tensorflow:function", "tensorflow.gather/*", "tensorflow.scatter_nd/*")
        self.assertGreater([one["verdict"] for one in records.values()].count("pass"), 40)
        # Refused when the graph is made.
        refused = records["tensorflow.scatter_nd/rule/I/obeys/i16"]
        self.assertIn("must be int32 or int64, but was int16", refused["message"])

    def test_xla_of_tensorflow(self):
        rule, none = "tensorflow.gather_nd/rule/index-in-range", "tensorflow.math.unsorted_segment_sum/rule/number/obeys/none"
        records = self.judge("tensorflow:xla", f"{rule}/*", "tensorflow.scatter_nd/doc/*", "tensorflow.scatter_nd/rule/I/obeys/i16",
                             none, "tensorflow.math.segment_sum/doc/*")
        # Nothing checks an index in compiled code.
        self.assertEqual(records[f"{rule}/breaks/size"]["diagnosis"], "index_repair/clamped/indices[2]")
        self.assertEqual(records[f"{rule}/obeys"]["verdict"], "pass")
        # Refused when the graph is made, which XLA then never sees.
        self.assertIn("must be int32 or int64, but was int16", records["tensorflow.scatter_nd/rule/I/obeys/i16"]["message"])
        # What XLA does not lower is not the call's refusal.
        self.assertEqual(records[none]["explanation"], "Scatter dimension 0 is of size zero in tensor with shape f32[0]")
        sums = [one for one in records.values() if one["api"] == "tensorflow.math.segment_sum"]
        self.assertTrue(sums)
        for one in sums:
            self.assertEqual((one["verdict"], one["explanation"]), ("unsupported", "No registered 'SegmentSum' OpKernel for XLA_CPU_JIT"))

    def test_compile_of_torch(self):
        refused = "torch.Tensor.index_put_/rule/values-broadcast/breaks/longer"
        records = self.judge("torch:compile", "torch.gather/doc/*", "torch.gather/rule/same-rank/*",
                             "torch.Tensor.scatter_/doc/*", refused)
        self.assertGreater([one["verdict"] for one in records.values()].count("pass"), 5)
        # An error of tracing is the call's own refusal, and an error of lowering is the compiler's.
        self.assertEqual(records["torch.gather/rule/same-rank/breaks/index-less"]["outcome"]["classes"], ["RuntimeError"])
        self.assertEqual(records[refused]["verdict"], "unsupported")
        self.assertRegex(records[refused]["explanation"], "^LoweringException: AssertionError: Broadcast failed.*$")

    def test_compile_views_of_torch(self):
        ids = "torch.gather/layout/*", "torch.Tensor.index_fill/expanded/self"
        views, inputs = (self.judge(engine, *ids, env=small_data.EVERYTHING) for engine in ("torch:compile_views", "torch:compile"))
        # A row that is shown several times stays one row where the compiled function makes the view (F295).
        one = ids[1]
        self.assertEqual((views[one]["verdict"], views[one]["diagnosis"]), ("mismatch", "cell/untouched_changed"))
        self.assertEqual(inputs[one]["verdict"], "pass")
        self.assertEqual(views.keys(), inputs.keys())
        for each in views.keys() - {one}:
            self.assertEqual(views[each]["verdict"], inputs[each]["verdict"], views[each])

    def test_views_by_slices(self):
        for engine, ids in (("jax:jit_views", ["jax.numpy.take/layout/*", "jax.numpy.ndarray.at.add/layout/*"]),
                            ("tensorflow:function_views", ["tensorflow.gather/layout/*", "tensorflow.scatter_nd/layout/*"]),
                            ("tensorflow:xla_views", ["tensorflow.gather/layout/*", "tensorflow.scatter_nd/layout/*"]),
                            ("paddle:to_static_views", ["paddle.gather/layout/*"]),
                            ("mindspore:graph_views", ["mindspore.ops.gather/layout/*", "mindspore.Tensor.take/doc/*"])):
            for one in self.judge(engine, *ids).values():
                self.assertEqual(one["verdict"], "pass", one)

    def test_onnx_of_torch(self):
        few, complexes = "torch.gather/rule/same-rank/breaks/index-less", "torch.gather/dtype/c64"
        short = "torch.Tensor.scatter_add_/shape/src-larger-than-index"
        records = self.judge("torch:onnx", "torch.gather/doc/*", few, complexes, short, "torch.Tensor.scatter_/layout/self-transposed",
                             "torch.gather/dtype/bf16", "torch.gather/dtype/bool")
        for one in ("torch.gather/doc/example", "torch.Tensor.scatter_/layout/self-transposed", "torch.gather/dtype/bf16"):
            self.assertEqual(records[one]["verdict"], "pass", records[one])
        # An error of tracing is the call's own refusal, an error of the exporter is the exporter's, and an
        # error of the session is an error.
        self.assertEqual(records[few]["outcome"]["classes"], ["RuntimeError"])
        self.assertEqual(records[complexes]["verdict"], "unsupported")
        self.assertRegex(records[complexes]["explanation"], "^No ONNX function found for <OpOverload\\(op='aten.gather'")
        self.assertEqual(records[short]["outcome"]["classes"], ["InvalidArgument"])

    def test_graph_of_mindspore(self):
        rule, narrowed = "mindspore.ops.tensor_scatter_sub/rule/index-in-range", "mindspore.ops.index_fill/number/i64"
        records = self.judge("mindspore:graph", f"{rule}/*", "mindspore.ops.index_fill/*", "mindspore.mint.index_add/doc/*")
        # A graph that has refused a call answers the next one.
        self.assertEqual(records[f"{rule}/breaks/below"]["outcome"]["kind"], "refused")
        self.assertEqual(records[f"{rule}/obeys"]["verdict"], "pass")
        self.assertEqual(records[narrowed]["diagnosis"], "wrong_meaning/narrowed/i32")  # F125: by the graph
        for one in records.values():
            if one["api"] == "mindspore.mint.index_add":
                self.assertEqual((one["verdict"], one["explanation"]), ("unsupported", "Unsupported op [IndexAddExt] on CPU"))

    def test_gradients(self):
        for engine, ids, passes in [("jax:jit", ["jax.numpy.ndarray.at.max/mode/*", "jax.numpy.take/doc/*"], 3),
                                    ("jax:jit_views", ["jax.numpy.take/doc/*"], 1),
                                    ("tensorflow:function", ["tensorflow.tensor_scatter_nd_update/collide/*", "tensorflow.gather/doc/*"], 3),
                                    ("tensorflow:xla_views", ["tensorflow.gather/doc/*"], 3),
                                    ("paddle:to_static", ["paddle.gather/doc/*", "paddle.index_add/doc/*"], 1),
                                    ("torch:compile", ["torch.gather/doc/*", "torch.scatter_add/doc/*"], 2),
                                    ("mindspore", ["mindspore.ops.gather_nd/doc/*", "mindspore.ops.tensor_scatter_mul/collide/*"], 1)]:
            with self.subTest(engine):
                records = self.judge(engine, *ids, "--gradients")
                verdicts = [one["verdict"] for one in records.values() if one["id"].endswith("/gradient")]
                self.assertGreaterEqual(verdicts.count("pass"), passes, records)
        with self.subTest("paddle:to_static_views"):  # a view made in the graph is not watched
            records = self.judge("paddle:to_static_views", "paddle.index_add/doc/*", "--gradients")
            self.assertFalse([name for name in records if name.endswith("/gradient")])

    def test_what_costs_is_given_few_forms_and_many_values(self):
        def compiled(seconds):
            with tempfile.TemporaryDirectory() as folder:
                script, count = os.path.join(folder, "take.py"), os.path.join(folder, "count")
                with open(script, "w", encoding="utf-8") as file:
                    file.write(COSTLY)
                result = run("fuzz", "--api", "numpy.take_along_axis", "--valid", "--cases", "640", "-j", "1", "--save", folder,
                             "--engine", f"cmd:'{worker_python()}' '{script}' '{count}' {seconds}",
                             env={"SCATTERPROOF_FORM": "costly"})
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                return os.path.getsize(count)

        self.assertLess(compiled(1), 100)
        self.assertGreater(compiled(0), 400)

    def test_mistakes(self):
        for name, what, hint in (("jax:jot", "jax has no form 'jot'", "did you mean 'jax:jit'?"),
                                 ("numpy:jit", "numpy has one form", "write numpy")):
            result = run("run", "--engine", name)
            self.assertEqual(result.returncode, 4)
            self.assertEqual(result.stderr, f"error: unknown engine '{name}': {what}\n  hint: {hint}\n")


unittest.main()
