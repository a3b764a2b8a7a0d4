// SPDX-License-Identifier: Apache-2.0
// Correct engines that combine in any order, tree and accumulator are never rejected, on valid generated
// calls of every API: ten for each of SCATTERPROOF_TRIALS.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "judge/trials.hpp"
#include "scatterproof/runner/fuzz/generator.hpp"
#include "scatterproof/spec/judge/bag.hpp"
#include "scatterproof/spec/judge/judge.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"
#include "shipped.hpp"

namespace scatterproof::runner::fuzz {
namespace {

namespace oracle = spec::testing;
using spec::Bag;
using spec::Combiner;
using spec::Scalar;

Scalar wrapped(Combiner combine, const std::vector<Scalar>& values, spec::DType dtype, bool truncate) {
  std::uint64_t sum = 0, product = 1;
  __extension__ __int128 exact = 0;
  std::int64_t most = values.front().integer(), least = most;
  for (const Scalar& one : values) {
    sum += static_cast<std::uint64_t>(one.integer());
    product *= static_cast<std::uint64_t>(one.integer());
    exact += one.integer();
    most = std::max(most, one.integer());
    least = std::min(least, one.integer());
  }
  const auto as = [&](std::uint64_t bits) {
    return spec::convert(Scalar::of_int(static_cast<std::int64_t>(bits)), dtype);
  };
  if (combine == Combiner::sum) return as(sum);
  if (combine == Combiner::prod) return as(product);
  if (combine == Combiner::amax) return as(static_cast<std::uint64_t>(most));
  if (combine == Combiner::amin) return as(static_cast<std::uint64_t>(least));
  // A mean of the sum as the dtype holds it.
  const std::int64_t total = as(static_cast<std::uint64_t>(static_cast<std::int64_t>(exact))).integer();
  const auto count = static_cast<std::int64_t>(values.size());
  const std::int64_t quotient = total / count;
  return as(static_cast<std::uint64_t>(quotient - (!truncate && total % count != 0 && total < 0 ? 1 : 0)));
}

/// The start divided by each other value in turn. A division by zero gives anything.
Scalar divided(const std::vector<Scalar>& values, spec::DType dtype, bool truncate) {
  std::int64_t result = values.front().integer();
  for (std::size_t i = 1; i < values.size(); ++i) {
    const std::int64_t by = values[i].integer();
    if (by == 0) return Scalar::of_int(0);
    if (by == -1) {  // the least integer is its own opposite
      result = static_cast<std::int64_t>(-static_cast<std::uint64_t>(result));
    } else {
      const bool negative = (result < 0) != (by < 0), rest = result % by != 0;
      result = result / by - (!truncate && negative && rest ? 1 : 0);
    }
    result = spec::convert(Scalar::of_int(result), dtype).integer();
  }
  return Scalar::of_int(result);
}

Scalar of_bits(Combiner combine, const std::vector<Scalar>& values) {
  std::int64_t result = values.front().integer();
  for (const Scalar& one : values) {  // the first one twice, which only an exclusive or would notice
    if (combine == Combiner::bit_and) result &= one.integer();
    if (combine == Combiner::bit_or) result |= one.integer();
    if (combine == Combiner::bit_xor) result ^= one.integer();
  }
  return Scalar::of_int(combine == Combiner::bit_xor ? result ^ values.front().integer() : result);
}

Scalar correct(oracle::Random& random, const Bag& bag, const std::vector<Scalar>& operands) {
  if (bag.dtype == spec::DType::boolean) {
    const bool any =
        bag.combine == Combiner::sum || bag.combine == Combiner::amax || bag.combine == Combiner::bit_or;
    const auto is_true = [](const Scalar& one) { return one.integer() != 0; };
    if (bag.combine == Combiner::bit_xor)
      return Scalar::of_bool(std::ranges::count_if(operands, is_true) % 2 == 1);
    return Scalar::of_bool(any ? std::ranges::any_of(operands, is_true)
                               : std::ranges::all_of(operands, is_true));
  }
  if (spec::is_integer(bag.dtype)) {
    const bool truncate = bag.integer_mean == spec::IntegerMean::truncate ||
                          (bag.integer_mean == spec::IntegerMean::open && oracle::coin(random));
    if (spec::is_bitwise(bag.combine)) return of_bits(bag.combine, operands);
    if (bag.integer_quotient == spec::IntegerQuotient::floor) return divided(operands, bag.dtype, false);
    return bag.combine == Combiner::quotient ? divided(operands, bag.dtype, truncate)
                                             : wrapped(bag.combine, operands, bag.dtype, truncate);
  }
  const bool wide = bag.accumulate == spec::Accumulate::wider &&
                    (bag.dtype == spec::DType::f16 || bag.dtype == spec::DType::bf16);
  return oracle::combine_somehow(random, bag.dtype, bag.combine, bag.nan, wide, operands);
}

/// What a correct engine gives; one of those that collide where any may win.
spec::Tensor result_of(oracle::Random& random, const Bag& bag) {
  std::vector<Scalar> cells;
  for (std::size_t c = 0; c + 1 < bag.offsets.size(); ++c) {
    const auto first = bag.list.begin() + bag.offsets[c], last = bag.list.begin() + bag.offsets[c + 1];
    if (first == last) {
      cells.push_back((*bag.start)[c]);
    } else if (bag.combine == Combiner::assign) {
      const auto winner = bag.collisions == spec::Collisions::last
                              ? last - 1
                              : first + oracle::integer(random, 0, last - first - 1);
      cells.push_back(winner->value);
    } else {
      std::vector<Scalar> operands;
      if (bag.start && bag.start_counts) operands.push_back((*bag.start)[c]);
      std::transform(first, last, std::back_inserter(operands), [](const auto& one) { return one.value; });
      cells.push_back(correct(random, bag, operands));
    }
  }
  return {bag.dtype, bag.shape, cells};
}

TEST(FalseAlarms, ThereAreNone) {
  const auto& specs = shipped_specs().all();
  const std::uint64_t calls = 10 * static_cast<std::uint64_t>(oracle::trials()) / specs.size() + 1;
  std::map<spec::ComparisonMode, std::uint64_t> modes;
  std::map<spec::DType, std::uint64_t> dtypes;
  for (const spec::OpSpec& op : specs) {
    Generator generator(op, 21, {GenerationOptions::Sides::valid, ""});
    oracle::Random random(21);
    for (std::uint64_t number = 0; number < calls; ++number) {
      const auto made = generator.make(number);
      if (!made) continue;
      const auto expectation = spec::expect(op, made->call);
      ASSERT_TRUE(expectation) << spec::to_string(expectation.errors());
      const Bag* bag = std::get_if<Bag>(&expectation->what);
      ASSERT_NE(bag, nullptr) << "not a valid call: " << spec::to_string(made->call);
      const spec::Tensor result = result_of(random, *bag);
      const spec::Judgement judgement = spec::judge(*expectation, {spec::Produced{{result}, {}}, 0});
      ++modes[judgement.mode];
      ++dtypes[bag->dtype];
      ASSERT_TRUE(judgement.verdict == spec::Verdict::pass || judgement.verdict == spec::Verdict::weak)
          << judgement.explanation << "\n"
          << spec::to_string(made->call) << "\ngave " << spec::to_string(result);
    }
  }
  EXPECT_EQ(dtypes.size(), spec::all_dtypes.size());
  for (const spec::ComparisonMode mode : {spec::ComparisonMode::exact, spec::ComparisonMode::member,
                                          spec::ComparisonMode::lattice, spec::ComparisonMode::bound})
    EXPECT_GT(modes[mode], 0u) << spec::name(mode);
}

}  // namespace
}  // namespace scatterproof::runner::fuzz
