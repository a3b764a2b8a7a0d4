// SPDX-License-Identifier: Apache-2.0
// A correct result is never rejected, in whatever order, tree and accumulator it was computed.
#include <gtest/gtest.h>

#include <algorithm>

#include "trials.hpp"

namespace scatterproof::spec::testing {
namespace {

class AnyOrder : public ::testing::TestWithParam<DType> {};
INSTANTIATE_TEST_SUITE_P(DTypes, AnyOrder,
                         ::testing::Values(DType::f16, DType::bf16, DType::f32, DType::f64, DType::c64,
                                           DType::c128),
                         dtype_name);

Bag draw_bag(Random& random, DType dtype, std::size_t size) {
  constexpr Combiner combiners[] = {Combiner::sum,           Combiner::prod, Combiner::mean,
                                    Combiner::sum_over_root, Combiner::amax, Combiner::amin,
                                    Combiner::quotient};
  constexpr NanPolicy policies[] = {NanPolicy::propagate, NanPolicy::ignore, NanPolicy::open};
  const Combiner combine = combiners[integer(random, 0, is_complex(dtype) ? 3 : 6)];
  const std::size_t count = integer(random, 0, 20) == 0 ? size * 40 : size;
  Values values = draw_values(random, dtype, count + 1);
  std::optional<Scalar> start;
  if (integer(random, 0, 3) != 0) start = coin(random) ? values.back() : num(dtype, 0);
  values.pop_back();
  Bag bag = one_cell(dtype, combine, start, values);
  bag.start_counts = coin(random);
  bag.nan = policies[integer(random, 0, 2)];
  bag.accumulate = coin(random) ? Accumulate::any : Accumulate::wider;
  return bag;
}

std::string text_of(const Bag& bag) {
  std::string text(name(bag.combine));
  if (bag.start)
    text += (bag.start_counts ? " start " : " ignored start ") + to_string(bag.start->front(), bag.dtype);
  for (const Contribution& one : bag.list) text += " " + to_string(one.value, bag.dtype);
  return text;
}

TEST_P(AnyOrder, ACorrectResultIsNeverRejected) {
  check_trials(dtype_name({GetParam(), 0}), [&](Random& random, std::size_t size) {
    const DType dtype = GetParam();
    const Bag bag = draw_bag(random, dtype, size);
    Values operands;
    if (bag.start && bag.start_counts)
      operands.push_back(bag.start->front());
    else if (bag.combine == Combiner::quotient)
      operands.push_back(num(dtype, 1));
    for (const Contribution& one : bag.list) operands.push_back(one.value);
    const bool wide_only =
        bag.accumulate == Accumulate::wider && (dtype == DType::f16 || dtype == DType::bf16);
    const Scalar result = combine_somehow(random, dtype, bag.combine, bag.nan, wide_only, operands);
    const Judgement judgement = judged(bag, result);
    if (!accepted(judgement)) RC_FAIL(text_of(bag) + "\n" + judgement.explanation);
  });
}

// The same for whole tensors of integers: any order of wrapping arithmetic is the exact result.

class AnyOrderOfIntegers : public ::testing::TestWithParam<DType> {};
INSTANTIATE_TEST_SUITE_P(DTypes, AnyOrderOfIntegers,
                         ::testing::Values(DType::u8, DType::i8, DType::i16, DType::i32, DType::i64),
                         dtype_name);

TEST_P(AnyOrderOfIntegers, ACorrectResultIsNeverRejected) {
  check_trials(dtype_name({GetParam(), 0}), [&](Random& random, std::size_t size) {
    const DType dtype = GetParam();
    const IntegerRange range = integer_range(dtype);
    Values values;
    for (std::size_t i = 0; i <= size; ++i)
      values.push_back(Scalar::of_int(coin(random) ? integer(random, range.lowest, range.highest)
                                                   : integer(random, dtype == DType::u8 ? 0 : -4, 4)));
    const Combiner combine = coin(random) ? Combiner::sum : Combiner::prod;
    const Bag bag = one_cell(dtype, combine, values.front(), {values.begin() + 1, values.end()});
    std::shuffle(values.begin(), values.end(), random);
    Scalar result = values.front();
    for (std::size_t i = 1; i < values.size(); ++i) {  // wraps after every step
      const auto a = static_cast<std::uint64_t>(result.integer()),
                 b = static_cast<std::uint64_t>(values[i].integer());
      result =
          convert(Scalar::of_int(static_cast<std::int64_t>(combine == Combiner::sum ? a + b : a * b)), dtype);
    }
    RC_ASSERT(accepted(judged(bag, result)));
  });
}

}  // namespace
}  // namespace scatterproof::spec::testing
