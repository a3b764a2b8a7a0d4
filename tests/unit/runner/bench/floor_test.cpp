// SPDX-License-Identifier: Apache-2.0
// Floors worked out by hand, and the closed forms that counting on an index must come near to.
#include "floor.hpp"

#include <cmath>
#include <numeric>

#include "distributions.hpp"
#include "support.hpp"

namespace scatterproof::runner::bench {
namespace {

using Numbers = std::vector<std::int64_t>;

spec::Tensor index_of(const Numbers& values, spec::Shape shape = {}) {
  if (shape.empty()) shape = {static_cast<std::int64_t>(values.size())};
  spec::Tensor index(spec::DType::i64, shape);
  std::memcpy(index.storage().data(), values.data(), values.size() * sizeof(std::int64_t));
  return index;
}

engines::KernelCall gather(std::int64_t table, spec::Tensor index) {
  engines::KernelCall call;
  call.op = engines::KernelOp::gather_elements;
  call.data = spec::Tensor(spec::DType::f32, {table});
  call.index = std::move(index);
  return call;
}

engines::KernelCall scatter_add(std::int64_t table, spec::Tensor index) {
  engines::KernelCall call = gather(table, std::move(index));
  call.op = engines::KernelOp::scatter_elements;
  call.updates = spec::Tensor(spec::DType::f32, call.index.shape());
  call.combine = spec::Combiner::sum;
  return call;
}

Traffic traffic_of(const engines::KernelCall& call, std::int64_t cache) {
  engines::Walk walk;
  if (const auto refused = engines::make_walk(call, walk)) throw std::logic_error(spec::to_string(*refused));
  return count_traffic(walk, cache);
}

/// One number of each line: 0, 16, 32 ...
Numbers one_a_line(std::int64_t lines) {
  Numbers all;
  for (std::int64_t line = 0; line < lines; ++line) all.push_back(16 * line);
  return all;
}

// 128 lines of f32 (8 KiB, 2 pages), each touched once, a cache of one line: every line is fetched.
TEST(Floor, OfAGatherByHand) {
  const Traffic traffic = traffic_of(gather(2048, index_of(one_a_line(128))), 64);
  EXPECT_EQ(traffic.lookups, 128);
  EXPECT_EQ(traffic.table_bytes, 8192);
  EXPECT_EQ(traffic.run_bytes, 4);
  EXPECT_EQ(traffic.missed_lines, 128);
  EXPECT_EQ(traffic.missed_at_random, 2);  // the first line of each page
  const Floor floor = floor_of(traffic, true, 64, 1e9, 1e6);
  EXPECT_EQ(floor.bytes, 128 * 8 + 128 * 4 + 128 * 64);
  EXPECT_EQ(floor.bytes_algorithmic, 128 * (8 + 4 + 4));
  EXPECT_DOUBLE_EQ(floor.seconds, floor.bytes / 1e9);
  EXPECT_DOUBLE_EQ(floor_of(traffic, true, 64, 1e9, 1e4).seconds,
                   2 / 1e4);  // two jumps are slower than the bytes
}

// The same lines written to: each comes and goes. Out of place the table is copied first, read and written.
TEST(Floor, OfAScatterByHand) {
  Traffic traffic = traffic_of(scatter_add(2048, index_of(one_a_line(128))), 64);
  EXPECT_EQ(floor_of(traffic, true, 64, 1e9, 0).bytes, 128 * (8 + 4) + 128 * 2 * 64);
  EXPECT_EQ(floor_of(traffic, false, 64, 1e9, 0).bytes, 128 * (8 + 4) + 128 * 2 * 64 + 2 * 8192);
  EXPECT_EQ(floor_of(traffic, true, 64, 1e9, 0).bytes_algorithmic, 128 * (8 + 3 * 4));
  traffic.from_zeros = true;
  EXPECT_EQ(floor_of(traffic, false, 64, 1e9, 0).bytes, 128 * (8 + 4) + 128 * 2 * 64 + 8192);
}

// Rows of 20 floats are 80 bytes: row 0 lies on lines 0 and 1, row 1 on 1 and 2, row 4 on 5 and 6.
TEST(Floor, OfRowsCountsTheLinesTheyLieOn) {
  engines::KernelCall call;
  call.op = engines::KernelOp::gather_rows;
  call.data = spec::Tensor(spec::DType::f32, {100, 20});
  call.index = index_of({0, 4});
  const Traffic traffic = traffic_of(call, 64);
  EXPECT_EQ(traffic.lookups, 2);
  EXPECT_EQ(traffic.run_bytes, 80);
  EXPECT_EQ(traffic.touched_bytes, 4 * 64);
  EXPECT_EQ(traffic.missed_lines, 4);
  EXPECT_EQ(traffic.missed_at_random, 1);
  EXPECT_EQ(floor_of(traffic, true, 64, 1e9, 0).bytes, 2 * 8 + 160 + 4 * 64);
}

// An index that is the same along a dimension is read once; the cells are touched all the same.
TEST(Floor, AnExpandedIndexCountsOnce) {
  engines::KernelCall call = gather(1, index_of({0, 5, 9}));
  call.data = spec::Tensor(spec::DType::f32, {10, 32});
  call.index = spec::Tensor::view(spec::DType::i64, {3, 32}, {1, 0}, 0, call.index.shared_storage()).value();
  const Traffic traffic = traffic_of(call, 64);
  EXPECT_EQ(traffic.lookups, 3);
  EXPECT_EQ(traffic.index_bytes, 24);
  EXPECT_EQ(traffic.run_bytes, 128);
  EXPECT_EQ(traffic.value_bytes, 3 * 128);
  EXPECT_EQ(traffic.touched_bytes, 6 * 64);
}

TEST(Floor, IsZeroWhereEverythingFitsIntoTheCache) {
  const Floor floor =
      floor_of(traffic_of(gather(2048, index_of(one_a_line(128))), 1 << 20), true, 1 << 20, 1e9, 1e6);
  EXPECT_EQ(floor.bytes, 0);
  EXPECT_EQ(floor.seconds, 0);
  EXPECT_GT(floor.bytes_algorithmic, 0);
}

// The index and the result pass through, the table stays.
TEST(Floor, ATableInCacheIsNotFetched) {
  const Traffic traffic = traffic_of(gather(64, index_of(Numbers(10'000, 3))), 1024);
  EXPECT_EQ(traffic.missed_lines, 0);
  EXPECT_EQ(floor_of(traffic, true, 1024, 1e9, 1e6).bytes, 10'000 * 12);
}

TEST(Floor, OfNothingIsNothing) {
  const Traffic traffic = traffic_of(gather(64, spec::Tensor(spec::DType::i64, {0})), 64);
  EXPECT_EQ(floor_of(traffic, true, 64, 1e9, 1e6).bytes, 0);
}

// ---- closed forms of docs/use/bench.md, "The floor"

constexpr std::int64_t table = 1 << 20, lookups = 1 << 18,
                       cache = 1 << 20;  // 4 MiB of f32 and a cache of a quarter

Traffic filled(Fill fill, std::int64_t count = lookups) {
  spec::Tensor index(spec::DType::i64, {count});
  fill_index(index, fill, std::vector{table}, 5);
  return traffic_of(gather(table, index), cache);
}

TEST(Floor, UniformMissesAsOftenAsTheCacheIsTooSmall) {
  const double expected = lookups * (1 - 0.25);
  EXPECT_NEAR(filled({Fill::Kind::uniform, "", 0, {}}).missed_lines, expected, 0.01 * expected);
}

TEST(Floor, SortedTouchesEachLineOnce) {
  const double lines = table * 4.0 / 64, share = 64.0 / (table * 4.0);
  const double expected = lines * (1 - std::pow(1 - share, lookups));
  const Traffic traffic = filled({Fill::Kind::sorted, "", 0, {}});
  EXPECT_NEAR(traffic.missed_lines, expected, 0.01 * expected);
  EXPECT_LE(traffic.missed_at_random, 1024);  // its pages
}

TEST(Floor, ZipfMissesWhatIsNotAmongTheCommonest) {
  for (const double exponent : {0.99, 1.2}) {
    const auto harmonic = [exponent](std::int64_t n) {
      double sum = 0;
      for (std::int64_t rank = 1; rank <= n; ++rank) sum += std::pow(static_cast<double>(rank), -exponent);
      return sum;
    };
    const double expected = lookups * (1 - harmonic(cache / 64) / harmonic(table));
    const double missed = filled({Fill::Kind::zipf, "", exponent, {}}).missed_lines;
    // Fewer: a line in demand brings fifteen other numbers along. More: demand is estimated from a sample.
    EXPECT_GT(missed, 0.6 * expected) << exponent;
    EXPECT_LT(missed, 1.2 * expected) << exponent;
  }
}

TEST(Floor, AllDuplicatesMissNothing) {
  EXPECT_EQ(filled({Fill::Kind::all_duplicate, "", 0, {}}).missed_lines, 0);
  EXPECT_EQ(filled({Fill::Kind::hot, "", 0, {}}).missed_lines, 0);
}

TEST(Floor, TakesTheRatesOfItsNumberOfThreads) {
  const Traffic traffic = traffic_of(scatter_add(2048, index_of(one_a_line(128))), 64);
  spec::MachineRecord machine;
  machine.cache_bytes = 64;
  machine.copy_bytes_per_second = {{1, 1e9}, {2, 2e9}};
  machine.random_lines_per_second = {{1, 1}, {2, 1}};
  machine.random_updates_per_second = {{1, 1e9}, {2, 1e9}};
  const double one = floor_of(traffic, true, machine, 1).seconds;
  EXPECT_DOUBLE_EQ(one, floor_of(traffic, true, machine, 1).bytes / 1e9);
  EXPECT_DOUBLE_EQ(floor_of(traffic, true, machine, 2).seconds, one / 2);
  EXPECT_EQ(floor_of(traffic, true, machine, 3).seconds, 0);
}

}  // namespace
}  // namespace scatterproof::runner::bench
