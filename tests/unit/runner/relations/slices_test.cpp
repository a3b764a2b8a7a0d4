// SPDX-License-Identifier: Apache-2.0
// Tensors made of tensors, and which cells of a bag are settled.
#include "scatterproof/runner/relations/slices.hpp"

#include "scatterproof/spec/judge/bag.hpp"
#include "scatterproof/spec/judge/judge.hpp"
#include "shipped.hpp"

namespace scatterproof::runner::relations {
namespace {

using spec::Settled;
using spec::to_string;

TEST(Slices, AreChosenJoinedAndFilled) {
  const auto table = f32({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(to_string(selected(table, 1, {2, 0})), to_string(f32({2, 2}, {3, 1, 6, 4})));
  EXPECT_EQ(to_string(selected(table, 0, {})), to_string(f32({0, 3}, {})));
  EXPECT_EQ(to_string(joined(table, f32({2, 1}, {7, 8}), 1)),
            to_string(f32({2, 4}, {1, 2, 3, 7, 4, 5, 6, 8})));
  EXPECT_EQ(to_string(filled(spec::DType::i64, {2}, number(3))), to_string(i64({2}, {3, 3})));
  EXPECT_EQ(to_string(*reshaped(table, {3, 2})), to_string(f32({3, 2}, {1, 2, 3, 4, 5, 6})));
  EXPECT_FALSE(reshaped(table, {4}));
}

TEST(Slices, AreFittedByCuttingAndStretching) {
  EXPECT_EQ(to_string(*fitted(f32({2, 3}, {1, 2, 3, 4, 5, 6}), {1, 2})), to_string(f32({1, 2}, {1, 2})));
  EXPECT_EQ(to_string(*fitted(f32({1}, {4}), {2, 2})), to_string(f32({2, 2}, {4, 4, 4, 4})));
  EXPECT_EQ(to_string(*fitted(f32({}, {4}), {2})), to_string(f32({2}, {4, 4})));
  EXPECT_FALSE(fitted(f32({2}, {1, 2}), {3}));
  EXPECT_FALSE(fitted(f32({1, 1}, {1}), {1}));
}

/// A bag of one cell.
spec::Bag one_cell(spec::Combiner combine, double start, const std::vector<double>& landing) {
  spec::Bag bag;
  bag.combine = combine;
  bag.start = {spec::Scalar::of_real(start)};
  for (const double value : landing) bag.list.push_back({spec::Scalar::of_real(value), {}, 0});
  bag.offsets = {0, static_cast<std::int64_t>(landing.size())};
  bag.shape = {1};
  return bag;
}

TEST(Settled, ACellIsThatHasOneValueInAnyOrder) {
  using enum spec::Combiner;
  const auto how = [](spec::Bag bag) { return spec::settled(std::move(bag)).front(); };
  EXPECT_EQ(how(one_cell(sum, 1, {})), Settled::whole);
  EXPECT_EQ(how(one_cell(assign, 1, {2})), Settled::whole);
  EXPECT_EQ(how(one_cell(assign, 1, {2, 3})), Settled::no);
  EXPECT_EQ(how(one_cell(sum, 1, {2, 3})), Settled::but_for_zero_sign);
  EXPECT_EQ(how(one_cell(sum, 0.1, {0.2, 0.3})), Settled::no);
  EXPECT_EQ(how(one_cell(amax, 1, {std::nan("")})), Settled::no);
  auto last = one_cell(assign, 1, {2, 3});
  last.collisions = spec::Collisions::last;
  EXPECT_EQ(how(last), Settled::no);
}

}  // namespace
}  // namespace scatterproof::runner::relations
