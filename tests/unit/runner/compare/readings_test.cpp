// SPDX-License-Identifier: Apache-2.0
// Each reading gives the result that is worked out here by hand, and no other that is near.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "scatterproof/spec/judge/judge.hpp"
#include "shared.hpp"

namespace scatterproof::runner::compare {
namespace {

using Roles = std::vector<std::pair<std::string, spec::Argument>>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Example {
  std::string reading;
  std::string family;
  Roles roles;
  spec::Tensor result;   ///< by this reading
  spec::Tensor another;  ///< not by it
};

Roles gather(const spec::Tensor& index) {
  return {{"data", i64({3}, {10, 20, 30})}, {"axis", number(0)}, {"index", index}};
}
Roles scatter(const spec::Tensor& index, const spec::Tensor& updates, const std::string& combine = "assign") {
  return {{"data", i64({3}, {10, 20, 30})},
          {"axis", number(0)},
          {"index", index},
          {"updates", updates},
          {"combine", combine}};
}
Roles extreme(const std::vector<double>& data, const std::vector<double>& updates) {
  return {{"data", f32({1}, data)},
          {"axis", number(0)},
          {"index", i64({static_cast<std::int64_t>(updates.size())}, std::vector<double>(updates.size(), 0))},
          {"updates", f32({static_cast<std::int64_t>(updates.size())}, updates)},
          {"combine", std::string("amax")}};
}
Roles mean(const std::vector<double>& updates) {
  Roles roles = scatter(i64({2}, {0, 0}), i64({2}, updates), "mean");
  roles.emplace_back("include_start", spec::Scalar::of_bool(false));
  return roles;
}

Roles segments(const spec::Tensor& data, const std::string& combine, const std::vector<double>& index = {1},
               std::int64_t count = 2) {
  return {{"data", data},
          {"index", i64({static_cast<std::int64_t>(index.size())}, index)},
          {"segments", number(count)},
          {"combine", combine}};
}

/// Two rows of three, assigned to by pairs of a row and a column.
Roles tuples(const spec::Tensor& rows, const spec::Tensor& columns, const spec::Tensor& updates) {
  return {{"data", i64({2, 3}, {1, 2, 3, 4, 5, 6})},
          {"index_0", rows},
          {"index_1", columns},
          {"updates", updates}};
}

std::vector<Example> examples() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double greatest = std::numeric_limits<float>::max();
  const auto elements = "gather_elements", scatters = "scatter_elements";
  return {
      {"counts-from-end", elements, gather(i64({2}, {-1, 0})), i64({2}, {30, 10}), i64({2}, {10, 10})},
      {"counts-from-end", "scatter_tuples", tuples(i64({2}, {-1, 0}), i64({2}, {0, -1}), i64({2}, {7, 8})),
       i64({2, 3}, {1, 2, 8, 7, 5, 6}), i64({2, 3}, {1, 8, 3, 7, 5, 6})},
      {"takes-numbers-first",
       "gather_selections",
       {{"data", i64({1, 2, 2}, {1, 2, 3, 4})},
        {"key", std::string("0, :, $")},
        {"index_0", i64({2}, {1, 0})}},
       i64({2, 2}, {2, 1, 4, 3}),
       i64({2, 2}, {2, 4, 1, 3})},
      {"drops", "scatter_tuples", tuples(i64({2}, {0, 1}), i64({2}, {3, 2}), i64({2}, {7, 8})),
       i64({2, 3}, {1, 2, 3, 4, 5, 8}), i64({2, 3}, {1, 2, 3, 7, 5, 8})},
      {"repeats-updates", "scatter_tuples", tuples(i64({2}, {0, 1}), i64({1}, {2}), i64({1}, {7})),
       i64({2, 3}, {1, 2, 7, 4, 5, 7}), i64({2, 3}, {1, 2, 7, 4, 5, 6})},
      {"takes-modulo", elements, gather(i64({2}, {-4, 4})), i64({2}, {30, 20}), i64({2}, {30, 30})},
      {"clamps", elements, gather(i64({2}, {-2, 7})), i64({2}, {10, 30}), i64({2}, {20, 30})},
      {"wraps-then-clamps", elements, gather(i64({2}, {-2, -7})), i64({2}, {20, 10}), i64({2}, {10, 10})},
      {"reads-zero", elements, gather(i64({2}, {1, 3})), i64({2}, {20, 0}), i64({2}, {20, 30})},
      {"wraps-then-fills", elements, gather(i64({2}, {-1, 3})),
       spec::Tensor(spec::DType::i64, {2},
                    std::vector{number(30), number(std::numeric_limits<std::int64_t>::min())}),
       i64({2}, {30, 0})},
      {"drops", scatters, scatter(i64({2}, {1, 3}), i64({2}, {7, 8})), i64({3}, {10, 7, 30}),
       i64({3}, {10, 7, 8})},
      {"wraps-then-drops", scatters, scatter(i64({3}, {-1, 3, -4}), i64({3}, {7, 8, 9})),
       i64({3}, {10, 20, 7}), i64({3}, {10, 20, 30})},
      {"last-wins", scatters, scatter(i64({2}, {1, 1}), i64({2}, {7, 8})), i64({3}, {10, 8, 30}),
       i64({3}, {10, 7, 30})},
      {"first-wins", scatters, scatter(i64({2}, {1, 1}), i64({2}, {7, 8})), i64({3}, {10, 7, 30}),
       i64({3}, {10, 8, 30})},
      {"adds-up", scatters, scatter(i64({2}, {1, 1}), i64({2}, {7, 8})), i64({3}, {10, 15, 30}),
       i64({3}, {10, 35, 30})},
      {"keeps-nan", scatters, extreme({1}, {nan, 2}), f32({1}, {nan}), f32({1}, {2})},
      {"ignores-nan", scatters, extreme({nan}, {1, 2}), f32({1}, {2}), f32({1}, {nan})},
      {"ignores-nan-in-updates", scatters, extreme({nan}, {1, 2}), f32({1}, {nan}), f32({1}, {2})},
      {"ignores-nan-in-updates", scatters, extreme({1}, {nan, 2}), f32({1}, {2}), f32({1}, {nan})},
      {"nan-replaced", scatters, extreme({5}, {nan, 2}), f32({1}, {2}), f32({1}, {5})},
      {"nan-counts-at-end", "segments", segments(f32({2}, {5, nan}), "amax", {0, 0}, 1), f32({1}, {nan}),
       f32({1}, {5})},
      {"nan-counts-at-end", "segments", segments(f32({3}, {5, nan, 2}), "amax", {0, 0, 0}, 1), f32({1}, {2}),
       f32({1}, {5})},
      {"floors", scatters, mean({-1, -2}), i64({3}, {-2, 20, 30}), i64({3}, {-1, 20, 30})},
      {"truncates", scatters, mean({-1, -2}), i64({3}, {-1, 20, 30}), i64({3}, {-2, 20, 30})},
      {"leaves-data", scatters, scatter(i64({1}, {1}), i64({1}, {7})), i64({3}, {10, 20, 30}),
       i64({3}, {10, 7, 30})},
      {"repeats-index",
       elements,
       {{"data", i64({2, 2}, {1, 2, 3, 4})}, {"axis", number(0)}, {"index", i64({1, 1}, {1})}},
       i64({1, 2}, {3, 4}),
       i64({1, 1}, {3})},
      {"repeats-data",
       elements,
       {{"data", i64({2, 1}, {1, 2})}, {"axis", number(0)}, {"index", i64({1, 2}, {1, 0})}},
       i64({1, 2}, {2, 1}),
       i64({1, 1}, {2})},
      {"cuts-data",
       elements,
       {{"data", i64({2, 1}, {1, 2})}, {"axis", number(1)}, {"index", i64({1, 2}, {0, 0})}},
       i64({1, 2}, {1, 1}),
       i64({2, 2}, {1, 1, 2, 2})},
      {"repeats-index-and-updates",
       scatters,
       {{"data", i64({2, 2}, {1, 2, 3, 4})},
        {"axis", number(0)},
        {"index", i64({1, 1}, {1})},
        {"updates", i64({1, 1}, {9})}},
       i64({2, 2}, {1, 2, 9, 9}),
       i64({2, 2}, {1, 2, 9, 4})},
      {"repeats-updates", scatters, scatter(i64({2}, {0, 2}), i64({1}, {9})), i64({3}, {9, 20, 9}),
       i64({3}, {9, 20, 30})},
      {"cuts-updates",
       "scatter_rows",
       {{"data", i64({2}, {1, 2})},
        {"axis", number(0)},
        {"index", i64({1}, {1})},
        {"updates", i64({2}, {8, 9})}},
       i64({2}, {1, 8}),
       i64({2}, {1, 9})},
      {"converts-updates", scatters, scatter(i64({1}, {0}), f32({1}, {1.5})), i64({3}, {1, 20, 30}),
       i64({3}, {2, 20, 30})},
      {"fills-with-number",
       "scatter_rows",
       {{"data", f32({3}, {10, 20, 30})},
        {"axis", number(0)},
        {"index", i64({2}, {1, 2})},
        {"updates", number(7)},
        {"combine", std::string("sum")}},
       f32({3}, {10, 27, 37}),
       f32({3}, {10, 27, 30})},
      {"converts-index", elements, gather(f32({2}, {2, 0})), i64({2}, {30, 10}), i64({2}, {10, 30})},
      {"reads-32-bits", elements, gather(i64({2}, {4294967297.0, -1})), i64({2}, {20, 30}),
       i64({2}, {20, 20})},
      {"flattens-index",
       "flat_gather",
       {{"data", i64({3}, {10, 20, 30})}, {"index", i64({1, 2}, {2, 0})}},
       i64({2}, {30, 10}),
       i64({1, 2}, {30, 10})},
      {"starts-over",
       "flat_scatter",
       {{"data", i64({3}, {10, 20, 30})}, {"index", i64({3}, {0, 1, 2})}, {"updates", i64({2}, {7, 8})}},
       i64({3}, {7, 8, 7}),
       i64({3}, {7, 8, 30})},
      {"converts-mask",
       "masked_scatter",
       {{"data", i64({3}, {1, 2, 3})}, {"index", i64({3}, {0, 2, 1})}, {"updates", i64({2}, {8, 9})}},
       i64({3}, {1, 8, 9}),
       i64({3}, {1, 9, 8})},
      {"repeats-mask",
       "masked_scatter",
       {{"data", i64({2, 2}, {1, 2, 3, 4})},
        {"index", relations::tensor(spec::DType::boolean, {2}, {1, 0})},
        {"updates", i64({2}, {8, 9})}},
       i64({2, 2}, {8, 2, 9, 4}),
       i64({2, 2}, {8, 2, 3, 4})},
      {"leads",
       "masked_scatter",
       {{"data", i64({2, 2}, {1, 2, 3, 4})},
        {"index", relations::tensor(spec::DType::boolean, {2}, {1, 0})},
        {"updates", i64({2}, {8, 9})}},
       i64({2, 2}, {8, 9, 3, 4}),
       i64({2, 2}, {8, 2, 9, 4})},
      {"axis-from-end",
       elements,
       {{"data", i64({3}, {10, 20, 30})}, {"axis", number(3)}, {"index", i64({1}, {2})}},
       i64({1}, {30}),
       i64({1}, {10})},
      {"keeps-one",
       "gather_rows",
       {{"data", i64({3}, {10, 20, 30})}, {"axis", number(0)}, {"index", i64({}, {2})}},
       i64({1}, {30}),
       i64({}, {30})},
      {"repeats-rows",
       "segments",
       {{"data", i64({2, 1}, {10, 20})}, {"index", i64({1, 2}, {0, 1})}, {"combine", std::string("sum")}},
       i64({2, 1}, {10, 20}),
       i64({2}, {10, 20})},
      {"batch-from-end",
       "gather_rows",
       {{"data", i64({2, 2}, {1, 2, 3, 4})},
        {"axis", number(1)},
        {"index", i64({2, 1}, {1, 0})},
        {"batch_dims", number(-1)}},
       i64({2, 1}, {2, 3}),
       i64({2, 2, 1}, {2, 1, 4, 3})},
      {"empty-holds-zero", "segments", segments(f32({1}, {5}), "prod"), f32({2}, {0, 5}), f32({2}, {1, 5})},
      {"empty-holds-limit", "segments", segments(f32({1}, {5}), "amax"), f32({2}, {-greatest, 5}),
       f32({2}, {-infinity, 5})},
      {"empty-holds-infinity", "segments", segments(f32({1}, {5}), "amin"), f32({2}, {infinity, 5}),
       f32({2}, {greatest, 5})},
      {"starts-at-limit", "segments", segments(f32({1}, {-infinity}), "amax"),
       f32({2}, {-greatest, -greatest}), f32({2}, {-greatest, -infinity})},
      {"copies-data", scatters, scatter(i64({1}, {1}), i64({1}, {7})), i64({3}, {10, 7, 30}),
       i64({3}, {10, 20, 30})},
      {"flushes-denormals", "segments", segments(f32({1}, {1e-45}), "amax"), f32({2}, {0, 0}),
       f32({2}, {0, 1e-45})},
  };
}

bool explains(const spec::FamilyComparison& comparison, const spec::FamilyCall& what,
              const spec::CallReading& reading, const spec::Tensor& result) {
  const spec::CallReading* only = &reading;
  const auto bag = read(comparison, what, {&only, 1});
  if (!bag) return false;
  const spec::Expectation expectation{.what = *bag, .broken = {}, .because = {}};
  const auto verdict =
      spec::judge(expectation, {.what = spec::Produced{.tensors = {result}, .inputs_written = {}}}).verdict;
  return verdict == spec::Verdict::pass || verdict == spec::Verdict::weak;
}

TEST(Readings, EachGivesItsResultAndNoOther) {
  for (const Example& one : examples()) {
    SCOPED_TRACE(one.reading);
    const spec::FamilyComparison comparison = comparison_of(one.family);
    const auto reading = std::ranges::find(comparison.readings, one.reading, &spec::CallReading::id);
    ASSERT_NE(reading, comparison.readings.end());
    const spec::FamilyCall what = said(comparison, one.roles);
    EXPECT_TRUE(explains(comparison, what, *reading, one.result));
    EXPECT_FALSE(explains(comparison, what, *reading, one.another));
  }
}

TEST(Readings, EveryShippedOneHasAnExample) {
  std::set<std::string> shown;
  for (const Example& one : examples()) shown.insert(one.reading);
  for (const spec::Family& family : shipped().families.all())
    for (const spec::CallReading& reading : comparison_of(family.name).readings)
      EXPECT_TRUE(shown.contains(reading.id)) << reading.id;
}

TEST(Readings, TheCommonMeaningIsThatOfTheDocuments) {
  // data[[1, 2], [3, 4]] gathered along axis 1 by [[1], [0]] is [[2], [3]].
  const spec::FamilyComparison elements = comparison_of("gather_elements");
  const auto bag =
      read(elements,
           said(elements,
                {{"data", i64({2, 2}, {1, 2, 3, 4})}, {"axis", number(1)}, {"index", i64({2, 1}, {1, 0})}}),
           {});
  ASSERT_TRUE(bag);
  EXPECT_EQ(bag->shape, (spec::Shape{2, 1}));
  EXPECT_EQ(bag->list[0].value.integer(), 2);
  EXPECT_EQ(bag->list[1].value.integer(), 3);
  // An index out of range has no common meaning.
  EXPECT_FALSE(read(elements, said(elements, gather(i64({1}, {3}))), {}));
}

TEST(Readings, ValuesCollideWhereTheirRemaindersDo) {
  const spec::FamilyComparison scatters = comparison_of("scatter_elements");
  EXPECT_TRUE(collides(scatters, said(scatters, scatter(i64({2}, {2, -1}), i64({2}, {7, 8})))));
  EXPECT_FALSE(collides(scatters, said(scatters, scatter(i64({2}, {2, -2}), i64({2}, {7, 8})))));
  const spec::FamilyComparison pairs = comparison_of("scatter_tuples");
  const auto collide = [&](const std::vector<double>& rows, const std::vector<double>& columns) {
    return collides(pairs, said(pairs, tuples(i64({2}, rows), i64({2}, columns), i64({2}, {7, 8}))));
  };
  EXPECT_TRUE(collide({0, 0}, {2, -1}));
  EXPECT_FALSE(collide({0, 0}, {2, 1}));
  EXPECT_FALSE(collide({0, 1}, {2, -1}));
}

}  // namespace
}  // namespace scatterproof::runner::compare
