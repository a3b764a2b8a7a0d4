# SPDX-License-Identifier: Apache-2.0
"""`compare` finds the known differences in families about which the documents say little, with the frameworks
themselves."""

import json
import unittest

from fixture import Fixture
from in_turn import is_in_turn
from program import run


class Families(Fixture):
    def compared(self, *words):
        """What each API does in each class, and the names of the differences."""
        result = run("compare", *words, "--time", "10m", "--shrink-time", "300ms", "--json", self.path("now.json"))
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.path("now.json"), encoding="utf-8") as source:
            family = json.load(source)["families"][0]
        does = {}
        for cell in family["cells"]:
            api = family["members"][cell["member"]]["api"]
            does.setdefault(cell["class"], {})[api] = [one["name"] for one in cell["does"]]
        return does, family["differences"]

    def test_segment_reductions(self):
        sorted_ids, unsorted, jax = "tensorflow.math.segment_max", "tensorflow.math.unsorted_segment_max", "jax.ops.segment_max"
        does, differences = self.compared(sorted_ids, unsorted, jax, "-e", "tensorflow", "-e", "jax")
        defined, refuses, drops = ["as defined"], ["refuses"], ["drops"]
        for of_class, expected in {
            "segments/empty-extreme": {sorted_ids: ["empty-holds-zero"], unsorted: ["empty-holds-limit"], jax: ["empty-holds-infinity"]},
            "index/below-zero": {sorted_ids: refuses, unsorted: drops, jax: drops},
            "index/beyond": {sorted_ids: [], unsorted: refuses, jax: drops},
            "index/unsorted": {sorted_ids: refuses, unsorted: defined, jax: defined},
            "data/infinite-extreme": {sorted_ids: defined, unsorted: ["starts-at-limit"], jax: defined},
        }.items():
            with self.subTest(of_class):
                self.assertEqual({api: sorted(names) for api, names in does[of_class].items()}, expected)
                shown = [one for one in differences if one["class"] == of_class]
                self.assertTrue(shown)
                self.assertLessEqual({side["does"] for one in shown for side in one["sides"]}, {name for names in expected.values() for name in names})

    def test_scatters_onto_zeros(self):
        tensorflow, paddle, mindspore = "tensorflow.scatter_nd", "paddle.scatter_nd", "mindspore.ops.scatter_nd"
        does, differences = self.compared("scatter_nd_zeros", "-e", "tensorflow", "-e", "paddle", "-e", "mindspore")
        defined, refuses = ["as defined"], ["refuses"]
        for of_class, expected in {
            "index/negative": {tensorflow: refuses, paddle: ["counts-from-end"], mindspore: refuses},
            "index/beyond": {tensorflow: refuses, paddle: refuses, mindspore: refuses},
            "tuple/empty": {tensorflow: refuses, paddle: ["unexplained"], mindspore: defined},
            "tuple/alone": {tensorflow: refuses, paddle: defined, mindspore: refuses},
            "sizes/none": {tensorflow: refuses, paddle: ["unexplained"], mindspore: defined},
            "updates/narrow-integer": {tensorflow: defined, mindspore: defined},
        }.items():
            with self.subTest(of_class):
                found = does[of_class]
                self.assertEqual({api: names for api, names in found.items() if api in expected}, expected)
                parted = len({tuple(names) for names in expected.values()}) > 1
                self.assertEqual(any(one["class"] == of_class for one in differences), parted or of_class.startswith("updates/"))

    def test_writes_to_views_are_lost(self):
        mindspore, numpy = "mindspore.ops.scatter_add", "numpy.add.at"
        does, differences = self.compared(mindspore, numpy, "-e", "mindspore", "-e", "numpy")
        self.assertIn("leaves-data", does["layout/data-view"][mindspore])
        self.assertEqual(does["layout/data-view"][numpy], ["as defined"])
        self.assertTrue(any(one["class"] == "layout/data-view" and one["portable"] for one in differences))

    def assert_members_do(self, does, expected):
        """By class and API. Bytes are a mask to torch, which these families do not know: whether a fitting
        one is drawn is chance, and whether another dtype is drawn too."""
        for of_class, by_api in expected.items():
            with self.subTest(of_class):
                seen = {api: sorted(names) for api, names in does[of_class].items() if api in by_api}
                if of_class == "items/narrow-integer":
                    without = {api: [name for name in names if name != "unexplained"] for api, names in seen.items() if api.startswith("torch.")}
                    seen |= {api: names or by_api[api] for api, names in without.items()}
                self.assertEqual(seen, by_api)

    def test_tuples_of_index_tensors(self):
        numpy, torch, paddle = "numpy.ndarray.__setitem__.tuple", "torch.Tensor.index_put_.tuple", "paddle.index_put"
        does, _ = self.compared("scatter_tuples", "-e", "numpy", "-e", "torch", "-e", "paddle")
        defined, refuses, from_end = ["as defined"], ["refuses"], ["counts-from-end"]
        self.assert_members_do(does, {
            "index/negative": {numpy: from_end, torch: from_end, paddle: from_end},
            "items/several-shapes": {numpy: defined, torch: defined, paddle: defined},
            "items/not-repeatable": {numpy: refuses, torch: refuses, paddle: refuses},
            "items/narrow-integer": {numpy: defined, torch: refuses, paddle: refuses},
            "updates/repeatable": {api: ["repeats-updates"] for api in (numpy, torch, paddle)},
            "updates/other-dtype": {numpy: defined, torch: refuses, paddle: refuses},
            "duplicates/assigned": {api: ["last-wins"] for api in (numpy, torch, paddle)},
        })

    def test_reads_by_tuples(self):
        numpy, torch, jax = "numpy.ndarray.__getitem__.tuple", "torch.Tensor.__getitem__.tuple", "jax.numpy.ndarray.at.get.tuple"
        does, _ = self.compared("gather_tuples", "-e", "numpy", "-e", "torch", "-e", "jax")
        defined, refuses, from_end = ["as defined"], ["refuses"], ["counts-from-end"]
        self.assert_members_do(does, {
            "index/negative": {numpy: from_end, torch: from_end, jax: from_end},
            "index/beyond": {numpy: refuses, torch: refuses, jax: ["clamps"]},
            "items/several-shapes": {numpy: defined, torch: defined, jax: defined},
            "items/not-repeatable": {numpy: refuses, torch: refuses, jax: refuses},
            "items/narrow-integer": {numpy: defined, torch: refuses, jax: defined},
        })

    def test_masks(self):
        numpy, extract, torch, select = "numpy.ndarray.__getitem__.mask", "numpy.extract", "torch.Tensor.__getitem__.mask", "torch.masked_select"
        does, _ = self.compared("masked_gather", "-e", "numpy", "-e", "torch")
        defined, refuses, repeats = ["as defined"], ["refuses"], ["repeats-mask"]
        self.assert_members_do(does, {
            "mask/repeatable": {numpy: refuses, torch: refuses, select: repeats},
            "mask/either": {numpy: defined, torch: defined, select: repeats},
            "mask/leading": {numpy: defined, torch: defined},
            "mask/other-dtype": {extract: ["converts-mask"], select: refuses},
            "mask/all-false": {numpy: defined, extract: defined, torch: defined, select: defined},
        })


if __name__ == "__main__":
    names = unittest.TestLoader().getTestCaseNames(Families)
    today = [f"Families.{name}" for number, name in enumerate(names) if is_in_turn(number, 3)]
    print("a third of the families, another one each time:", *today, flush=True)
    unittest.main(defaultTest=today)
