// SPDX-License-Identifier: Apache-2.0
// Property tests with many trials: RapidCheck with SCATTERPROOF_TRIALS successes a property (10^4 unless
// set).
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <sstream>

#include "bags.hpp"

namespace scatterproof::spec::testing {

using Random = std::mt19937_64;

inline int trials() {
  const char* text = std::getenv("SCATTERPROOF_TRIALS");
  return text ? std::max(1, std::atoi(text)) : 10'000;
}

/// Checks `property(random, size)`: RapidCheck draws and shrinks the size, and draws the seed of the
/// generator.
template <class Property>
void check_trials(const std::string& what, const Property& property) {
  rc::detail::TestMetadata metadata;
  metadata.id = metadata.description = what;
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = trials();
  const auto result = rc::detail::checkTestable(
      [&] {
        const auto seed = *rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>());
        const auto size = *rc::gen::inRange<std::size_t>(1, 13);
        Random random(seed);
        property(random, size);
      },
      metadata, params);
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  EXPECT_TRUE(result.template is<rc::detail::SuccessResult>()) << what << ": " << message.str();
}

inline double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}
inline std::int64_t integer(Random& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}
inline bool coin(Random& random) { return (random() & 1) != 0; }

/// `count` values of a float dtype from one of many kinds of data: lattice, plain, wide, cancelling, huge,
/// subnormal, special.
Values draw_values(Random& random, DType dtype, std::size_t count);

/// A correct engine: combines the values in a random order and tree, with a random accumulator, and rounds.
/// `wide_only`: it accumulates wider than a 16-bit dtype. Complex dtypes: sum, prod and mean only.
Scalar combine_somehow(Random& random, DType dtype, Combiner combine, NanPolicy nan, bool wide_only,
                       const Values& values);

}  // namespace scatterproof::spec::testing
