// SPDX-License-Identifier: Apache-2.0
// The order in which calls are simpler, and that numbers can be followed down it to zero.
#include "measure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "plainer.hpp"
#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::runner::shrink {
namespace {

using spec::DType;
using spec::Scalar;

TEST(Measure, OrdersNumbersAsAReaderWould) {
  const double from_plain_to_odd[] = {0, 1, -1, 2, -2, 3, 1000, -1000, 0.5, 0.75, 0.1, -0.1};
  for (std::size_t i = 1; i < std::size(from_plain_to_odd); ++i)
    EXPECT_LT(cost(Scalar::of_real(from_plain_to_odd[i - 1])), cost(Scalar::of_real(from_plain_to_odd[i])))
        << from_plain_to_odd[i];
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double odd : {-0.0, infinity, -infinity, std::nan("")})
    EXPECT_GT(cost(Scalar::of_real(odd)), cost(Scalar::of_real(0.1)));
  EXPECT_LT(cost(DType::i64), cost(DType::f32));
  EXPECT_LT(cost(DType::f32), cost(DType::f16));
}

std::vector<Scalar> extremes(DType dtype) {
  std::vector<Scalar> values;
  for (const double v : {3.0, -7.0, 0.1, -1.5, 1e30, -1e-30, 65504.0, 5e-324, 1.7e308})
    values.push_back(convert(Scalar::of_real(v), dtype));
  for (const std::int64_t v :
       {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(),
        std::int64_t{1} << 53, std::int64_t{255}})
    values.push_back(convert(Scalar::of_int(v), dtype));
  if (spec::is_complex(dtype)) {
    values.push_back(Scalar::of_complex(-0.0, std::nan("")));
    values.push_back(convert(Scalar::of_complex(0.3, -std::numeric_limits<double>::infinity()), dtype));
  }
  return values;
}

TEST(Measure, EveryNumberCanBeMadePlainerUntilItIsZero) {
  constexpr std::size_t most = 2000;  // numbers that are looked at, of a dtype
  for (const DType dtype : spec::all_dtypes) {
    std::vector<Scalar> reached = extremes(dtype);
    for (std::size_t i = 0; i < reached.size() && i < most; ++i) {
      const Scalar value = reached[i];
      bool moved = false;
      for (const Plainer plainer : ways_to_plainer()) {
        const Scalar next = plainer(value, dtype);
        if (identical(next, value)) continue;
        moved = true;
        EXPECT_LT(cost(next), cost(value)) << to_string(value) << " -> " << to_string(next);
        EXPECT_TRUE(fits(next, dtype)) << to_string(next) << " of " << name(dtype);
        reached.push_back(next);
      }
      EXPECT_EQ(moved, cost(value) != 0) << to_string(value) << " of " << name(dtype);
    }
  }
}

}  // namespace
}  // namespace scatterproof::runner::shrink
