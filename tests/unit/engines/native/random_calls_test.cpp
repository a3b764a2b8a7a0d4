// SPDX-License-Identifier: Apache-2.0
// The random calls themselves: they are what they claim to be, and on them the plan and a plain loop agree
// with the reference, which shares no code with either.
#include "random_calls.hpp"

#include <gtest/gtest.h>

#include <set>

#include "walk_comparison.hpp"

namespace scatterproof::engines::test {
namespace {

TEST(RandomCalls, APlainLoopOverTheWalkIsTheReference) {
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    Dice dice(seed);
    const CallKind kind{seed % 3 == 2 ? Values::special : Values::lattice, seed % 50 == 0 ? 300 : 6, false};
    const KernelCall call = random_call(dice, kind);
    const spec::Outcome expected = run_reference_kernel(call);
    refused += std::holds_alternative<spec::Refused>(expected.what);
    const bool complex_product = spec::is_complex(call.data.dtype()) && call.combine == spec::Combiner::prod;
    ASSERT_EQ(difference(walked(call, run_plainly, {}), expected, complex_product), "")
        << "seed " << seed << ": " << describe(call);
  }
  EXPECT_LT(refused, 2'000);  // an axis of size 0
}

TEST(RandomCalls, ABadIndexIsRefused) {
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    Dice dice(seed);
    const KernelCall call = random_call(dice, {.bad_index = true});
    const spec::Outcome expected = run_reference_kernel(call);
    refused += std::holds_alternative<spec::Refused>(expected.what);
    ASSERT_EQ(difference(walked(call, run_plainly, {}), expected, true), "")
        << "seed " << seed << ": " << describe(call);
  }
  EXPECT_GT(refused, 1'500);
}

TEST(RandomCalls, EveryKindIsDrawn) {
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    Dice dice(seed);
    const KernelCall call = random_call(dice);
    Walk walk;
    if (make_walk(call, walk) || walk.count == 0) continue;
    seen.insert("op " + std::to_string(static_cast<int>(call.op)));
    seen.insert("rank " + std::to_string(walk.rank));
    seen.insert("depth " + std::to_string(walk.depth));
    seen.insert("index " + std::string(spec::name(walk.index_dtype)));
    if (walk.rank > 0 && walk.index_stride[walk.rank - 1] == 0) seen.insert("row");
    for (int d = 0; walk.scatter && d < walk.rank; ++d)
      if (walk.table_stride[d] == 0 && walk.index_stride[d] == 0) seen.insert("colliding dimension");
    if (walk.scatter)
      seen.insert(std::string(spec::name(walk.dtype)) + " " + std::string(spec::name(walk.combine)) +
                  (walk.include_start ? "" : " without start"));
    if (!walk.start_from_data) seen.insert("filled");
  }
  // 6 ops; ranks 0..6; depths 0..4; 5 index dtypes; bool and complex lack 1 and 2 of 6 combiners.
  const std::size_t scattered = 2 * (9 * 6 + 5 + 2 * 4);
  EXPECT_GE(seen.size(), 6 + 7 + 5 + 5 + scattered + 3);
}

}  // namespace
}  // namespace scatterproof::engines::test
