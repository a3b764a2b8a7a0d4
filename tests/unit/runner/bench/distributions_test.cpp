// SPDX-License-Identifier: Apache-2.0
// Every distribution is what its name says, the same on every machine.
#include "distributions.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "support.hpp"

namespace scatterproof::runner::bench {
namespace {

using Kind = Fill::Kind;
using Numbers = std::vector<std::int64_t>;

Numbers filled(Fill fill, std::int64_t count, std::int64_t bound, std::uint64_t seed = 7,
               spec::DType dtype = spec::DType::i64) {
  spec::Tensor index(dtype, {count});
  fill_index(index, fill, std::vector{bound}, seed);
  return numbers(index);
}

Numbers filled(Kind kind, std::int64_t count, std::int64_t bound, std::uint64_t seed = 7) {
  return filled(Fill{kind, "", 0, {}}, count, bound, seed);
}

std::map<std::int64_t, int> counts(const Numbers& all) {
  std::map<std::int64_t, int> count;
  for (const std::int64_t one : all) ++count[one];
  return count;
}

int most(const Numbers& all) {
  int largest = 0;
  for (const auto& [value, count] : counts(all)) largest = std::max(largest, count);
  return largest;
}

TEST(Distributions, StayWithinTheirBound) {
  for (const Kind kind : {Kind::uniform, Kind::sorted, Kind::block, Kind::runs, Kind::all_duplicate,
                          Kind::hot, Kind::kronecker, Kind::repeated_rows})
    for (const std::int64_t bound : {1, 2, 63, 1000}) {
      const Numbers all = filled(kind, 500, bound);
      EXPECT_GE(*std::ranges::min_element(all), 0) << static_cast<int>(kind) << " below " << bound;
      EXPECT_LT(*std::ranges::max_element(all), bound) << static_cast<int>(kind) << " below " << bound;
    }
}

TEST(Distributions, DependOnNothingButSeedAndPosition) {
  const Numbers all = filled(Kind::uniform, 100'000, 1 << 20);  // made in parts, by several threads
  EXPECT_EQ(all, filled(Kind::uniform, 100'000, 1 << 20));
  EXPECT_NE(all, filled(Kind::uniform, 100'000, 1 << 20, 8));
  const Numbers few = filled(Kind::uniform, 100, 1 << 20);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), all.begin()));
  EXPECT_EQ(filled(Fill{Kind::uniform, "", 0, {}}, 100, 1 << 20, 7, spec::DType::i32), few);
  // Written down once: on another machine they must be these.
  EXPECT_EQ(filled(Kind::uniform, 4, 1000, 0), (Numbers{883, 431, 26, 970}));
}

TEST(Distributions, UniformIsEven) {
  for (const auto& [value, count] : counts(filled(Kind::uniform, 80'000, 8)))
    EXPECT_NEAR(count, 10'000, 400) << value;
}

TEST(Distributions, SortedIsUniformSorted) {
  Numbers uniform = filled(Kind::uniform, 1000, 300);
  std::ranges::sort(uniform);
  EXPECT_EQ(filled(Kind::sorted, 1000, 300), uniform);
}

TEST(Distributions, BlocksCountUpAndRunsStay) {
  const Numbers block = filled(Kind::block, 640, 100'000), runs = filled(Kind::runs, 640, 100'000);
  for (std::size_t i = 1; i < 640; ++i) {
    if (i % 64 == 0) continue;
    EXPECT_EQ(block[i], block[i - 1] + 1);
    EXPECT_EQ(runs[i], runs[i - 1]);
  }
  EXPECT_NE(block[64], block[63] + 1);
  EXPECT_NE(runs[64], runs[63]);
}

TEST(Distributions, PermutationRepeatsNothing) {
  for (const std::int64_t bound : {1, 2, 3, 100, 4096, 5000}) {
    Numbers all = filled(Kind::permutation, bound, bound);
    EXPECT_TRUE(bound < 100 || !std::ranges::is_sorted(all));
    std::ranges::sort(all);
    for (std::int64_t i = 0; i < bound; ++i) ASSERT_EQ(all[static_cast<std::size_t>(i)], i) << "of " << bound;
  }
}

TEST(Distributions, HotRowsAreSixteenAndAllDuplicateIsOne) {
  const auto hot = counts(filled(Kind::hot, 16'000, 1 << 20));
  EXPECT_EQ(hot.size(), 16u);
  EXPECT_GT(hot.rbegin()->first - hot.begin()->first, 1000) << "they lie side by side";
  EXPECT_EQ(counts(filled(Kind::all_duplicate, 100, 50)).size(), 1u);
}

/// With exponent a the commonest of n numbers has the share 1 / (1 + 2^-a + ... + n^-a).
TEST(Distributions, ZipfHasTheSharesItsExponentSays) {
  for (const double exponent : {0.5, 0.99, 1.0, 1.2, 2.0}) {
    constexpr std::int64_t bound = 1000, count = 200'000;
    double weights = 0;
    for (std::int64_t rank = 1; rank <= bound; ++rank) weights += std::pow(rank, -exponent);
    std::vector<int> sorted;
    for (const auto& [value, often] : counts(filled(Fill{Kind::zipf, "", exponent, {}}, count, bound)))
      sorted.push_back(often);
    std::ranges::sort(sorted, std::greater<>());
    for (const int rank : {1, 2, 10}) {
      const double share = std::pow(rank, -exponent) / weights * count;
      EXPECT_NEAR(sorted[static_cast<std::size_t>(rank - 1)], share, 5 * std::sqrt(share))
          << exponent << " " << rank;
    }
  }
}

/// Vertex 0 has every bit 0: 0.76 each.
TEST(Distributions, KroneckerHasTheDegreesOfItsMatrix) {
  constexpr std::int64_t vertices = 1 << 10, edges = 16 << 10;
  const double first = std::pow(0.76, 10) * edges;
  EXPECT_NEAR(most(filled(Kind::kronecker, edges, vertices)), first, 5 * std::sqrt(first));
  EXPECT_LT(counts(filled(Kind::kronecker, edges, vertices)).size(), 1000u)
      << "no vertex is left without an edge";
}

TEST(Distributions, RepeatedRowsAreTheSameAcross) {
  spec::Tensor index(spec::DType::i64, {50, 8});
  fill_index(index, Fill{Kind::repeated_rows, "", 0, {}}, std::vector<std::int64_t>{1000}, 3);
  const Numbers all = numbers(index);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], all[i / 8 * 8]);
  EXPECT_GT(std::set(all.begin(), all.end()).size(), 40u);
}

TEST(Distributions, TuplesHaveABoundEach) {
  spec::Tensor index(spec::DType::i64, {500, 2});
  fill_index(index, Fill{Kind::uniform, "", 0, {}}, std::vector<std::int64_t>{3, 1000}, 3);
  const Numbers all = numbers(index);
  std::int64_t first = 0, second = 0;
  for (std::size_t i = 0; i < all.size(); i += 2)
    first = std::max(first, all[i]), second = std::max(second, all[i + 1]);
  EXPECT_EQ(first, 2);
  EXPECT_GT(second, 900);
}

TEST(Distributions, APatternMovesOnByItsDelta) {
  const Fill fill{Kind::pattern, "", 0, {{0, 4, 9}, 20}};
  spec::Tensor index(spec::DType::i64, {8});
  fill_index(index, fill, {}, 0);
  EXPECT_EQ(numbers(index), (Numbers{0, 4, 9, 20, 24, 29, 40, 44}));
}

}  // namespace
}  // namespace scatterproof::runner::bench
