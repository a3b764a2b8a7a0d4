// SPDX-License-Identifier: Apache-2.0
// Generated calls for gradients.
#include <gtest/gtest.h>

#include "scatterproof/runner/fuzz/generator.hpp"
#include "scatterproof/runner/fuzz/statistics.hpp"
#include "scatterproof/runner/trial/gradients.hpp"
#include "scatterproof/spec/solve/variations.hpp"
#include "shipped.hpp"

namespace scatterproof::runner::fuzz {
namespace {

/// Of 2,000 calls for gradients.
Statistics gradient_statistics(const std::string& api) {
  const spec::OpSpec& op = *shipped_specs().find(api);
  Generator generator(op, 1, {.sides = GenerationOptions::Sides::valid, .gradients = true});
  Statistics statistics;
  for (std::uint64_t i = 0; i < 2'000; ++i)
    if (const auto one = generator.make(i)) {
      EXPECT_LE(spec::largest_numel(one->call), 2 * largest_differentiated);
      statistics.see(gradient_traits_of(op, one->call));
    }
  return statistics;
}

/// Forward calls have few of these: a tie of zeros in one call of two hundred.
TEST(GradientCalls, HaveTiesAndZeros) {
  const Statistics extremes = gradient_statistics("jax.numpy.ndarray.at.max");
  EXPECT_GT(extremes.count("a tie of 0.0 and -0.0", "yes"), 20u);
  EXPECT_GT(extremes.count("a tie with the start", "yes"), 100u);
  EXPECT_GT(extremes.count("values that tie", "257-2048"), 2u);
  const Statistics products = gradient_statistics("numpy.multiply.at");
  EXPECT_GT(products.count("a start of 0", "yes"), 60u);
  EXPECT_GT(products.count("factors of 0", "1"), 60u);
  EXPECT_GT(products.count("factors of 0", "2"), 10u);
}

}  // namespace
}  // namespace scatterproof::runner::fuzz
