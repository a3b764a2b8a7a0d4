// SPDX-License-Identifier: Apache-2.0
// Executing meanings: cells, contributions, origins, rows.
#include "execute.hpp"

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>

#include "fixture.hpp"
#include "scatterproof/spec/oracle/fast.hpp"

namespace scatterproof::spec::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Bag bag_of(const OpSpec& spec, const Call& call) {
  auto bag = execute(spec, call);
  if (!bag) throw std::runtime_error(to_string(bag.errors()));
  return std::move(bag).value();
}

std::vector<std::int64_t> written(const Bag& bag, std::size_t cell) {
  std::vector<std::int64_t> values;
  for (auto i = bag.offsets[cell]; i < bag.offsets[cell + 1]; ++i)
    values.push_back(bag.list[static_cast<std::size_t>(i)].value.integer());
  return values;
}

TEST(Execute, PutsContributionsIntoCellsInOrder) {
  const OpSpec spec = load(scatter_text);
  const Bag bag = bag_of(spec, scatter_call(ints({2, 2}, {1, 2, 3, 4}), 0, ints({3, 2}, {0, 1, 0, 1, 1, 1}),
                                            ints({3, 2}, {10, 20, 30, 40, 50, 60}), "add"));
  EXPECT_EQ(bag.combine, Combiner::sum);
  EXPECT_THAT(bag.offsets, ElementsAre(0, 2, 2, 3, 6));
  EXPECT_THAT(written(bag, 0), ElementsAre(10, 30));
  EXPECT_THAT(written(bag, 3), ElementsAre(20, 40, 60));
  EXPECT_EQ(bag.start->at(1).integer(), 2);
  EXPECT_EQ(bag.start_name, "self");
  EXPECT_THAT(bag.may_write, ElementsAre("self"));
  EXPECT_EQ(bag.accumulate, Accumulate::wider);
}

TEST(Execute, KeepsWhereAContributionCameFrom) {
  const OpSpec spec = load(scatter_text);
  // src is larger than index: the origin's place is one of src's own shape, not of the index's.
  const Bag bag = bag_of(
      spec, scatter_call(ints({2, 2}, {0, 0, 0, 0}), 0, ints({2, 1}, {1, 0}), ints({2, 2}, {5, 6, 7, 8})));
  ASSERT_EQ(bag.list.size(), 2u);
  const Contribution& second = bag.list[0];  // cell [0, 0] was written by index[1, 0]
  EXPECT_EQ(bag.origins.at(static_cast<std::size_t>(second.origin.argument)).first, "src");
  EXPECT_EQ(bag.origins.at(static_cast<std::size_t>(second.origin.argument)).second, (Shape{2, 2}));
  EXPECT_EQ(second.origin.coords, 2);
  EXPECT_EQ(second.value.integer(), 7);
}

TEST(Execute, AScalarIsAnOriginWithoutAPlace) {
  const OpSpec spec = load(scatter_text);
  const Bag bag = bag_of(spec, scatter_call(ints({2}, {0, 0}), 0, ints({1}, {1}), Scalar::of_real(2.75)));
  EXPECT_EQ(bag.list.at(0).value.integer(), 2) << "converted as C does";
  EXPECT_EQ(bag.origins.at(static_cast<std::size_t>(bag.list.at(0).origin.argument)).first, "src");
  EXPECT_EQ(bag.list.at(0).origin.coords, -1);
}

TEST(Execute, StartCountsIsPartOfTheCall) {
  const OpSpec spec = load(scatter_text);
  const auto call = [&](bool keep) {
    return scatter_call(ints({1}, {3}), 0, ints({1}, {0}), ints({1}, {4}), "add", keep);
  };
  EXPECT_TRUE(bag_of(spec, call(true)).start_counts);
  EXPECT_FALSE(bag_of(spec, call(false)).start_counts);
}

TEST(Execute, AnEmptyIndexWritesNothing) {
  const OpSpec spec = load(scatter_text);
  const Bag bag =
      bag_of(spec, scatter_call(ints({2, 2}, {1, 2, 3, 4}), 0, ints({0, 2}, {}), ints({0, 2}, {})));
  EXPECT_TRUE(bag.list.empty());
  EXPECT_THAT(bag.offsets, ElementsAre(0, 0, 0, 0, 0));
}

TEST(Execute, RowsShareAGroup) {
  const OpSpec spec = load(rows_text);
  const Bag bag = bag_of(
      spec, rows_call(ints({3, 2}, {0, 0, 0, 0, 0, 0}), ints({2, 1}, {2, -1}), ints({2, 2}, {1, 2, 3, 4})));
  EXPECT_TRUE(bag.rows);
  EXPECT_THAT(written(bag, 4), ElementsAre(1, 3));
  EXPECT_THAT(written(bag, 5), ElementsAre(2, 4));
  EXPECT_EQ(bag.list[0].group, 0);
  EXPECT_EQ(bag.list[1].group, 1);
  EXPECT_EQ(bag.list[2].group, 0);
}

TEST(Execute, FullTuplesAreNoRows) {
  const OpSpec spec = load(rows_text);
  EXPECT_FALSE(
      bag_of(spec, rows_call(ints({2, 2}, {0, 0, 0, 0}), ints({1, 2}, {0, 1}), ints({1}, {9}))).rows);
  EXPECT_FALSE(
      bag_of(load(scatter_text), scatter_call(ints({1}, {0}), 0, ints({1}, {0}), ints({1}, {1}))).rows);
}

TEST(Execute, AnInnerLoopThatIsNoRowIsNotCalledOne) {
  // Columns instead of rows: the inner position stands in front.
  const std::string write = "out[wrap(tuple(indices[a]), shape(data)[0:k]) ++ t]";
  const OpSpec columns = load(with(rows_text, write, "out[t ++ wrap(tuple(indices[a]), shape(data)[0:k])]"));
  EXPECT_FALSE(
      bag_of(columns, rows_call(ints({2, 2}, {0, 0, 0, 0}), ints({1, 1}, {1}), ints({1, 2}, {5, 6}))).rows);
}

/// toy.rows that writes those rows alone whose first coordinate is not negative.
OpSpec dropping() { return load(with(rows_text, "  write:", "  where: indices[a ++ (0,)] >= 0\n  write:")); }

TEST(Execute, WritesNothingWhereItsConditionIsFalse) {
  const OpSpec spec = dropping();
  // What is dropped is not looked at: this position would lie outside.
  const Bag bag = bag_of(spec, rows_call(ints({2, 2}, {0, 0, 0, 0}), ints({3, 1}, {1, -7, 0}),
                                         ints({3, 2}, {1, 2, 3, 4, 5, 6})));
  EXPECT_THAT(bag.offsets, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(written(bag, 0), ElementsAre(5));
  EXPECT_THAT(written(bag, 3), ElementsAre(2));
  EXPECT_TRUE(bag.rows);
  EXPECT_EQ(bag.list[0].group, 2) << "dropped updates are counted";
}

TEST(Execute, WithoutAWriteThatIsKeptThereAreNoRows) {
  const Bag bag =
      bag_of(dropping(), rows_call(ints({1, 2}, {8, 9}), ints({2, 1}, {-1, -1}), ints({2, 2}, {1, 2, 3, 4})));
  EXPECT_TRUE(bag.list.empty());
  EXPECT_FALSE(bag.rows);
}

TEST(Execute, ACellThatIsDroppedNeedsAStart) {
  const auto bag = execute(load(with(with(rows_text, "  start: data\n", ""),
                                     "  write:", "  where: indices[a ++ (0,)] >= 0\n  write:")),
                           rows_call(ints({1}, {8}), ints({1, 1}, {-1}), ints({1}, {5})));
  ASSERT_FALSE(bag);
  EXPECT_THAT(bag.errors().front().what, HasSubstr("cell 0 of the result is never written"));
}

TEST(Execute, AConditionWithoutAValueIsAnError) {
  const OpSpec spec = load(with(rows_text, "  write:", "  where: updates[(9,) ++ t] == 0\n  write:"));
  const auto bag = execute(spec, rows_call(ints({1}, {8}), ints({1, 1}, {0}), ints({1}, {5})));
  ASSERT_FALSE(bag);
  EXPECT_THAT(bag.errors().front().what, HasSubstr("for a = [0], t = []: "));
}

TEST(Execute, PassesOverWhatIsOutsideAndNotWhatIsDropped) {
  const Call call = rows_call(ints({2}, {0, 0}), ints({3, 1}, {1, -7, 5}), ints({3}, {1, 2, 3}));
  const auto passed_over = execute_passing_over(dropping(), call);
  ASSERT_TRUE(passed_over) << to_string(passed_over.errors());
  EXPECT_EQ(passed_over->lost, 1u);
  EXPECT_THAT(passed_over->bag.offsets, ElementsAre(0, 0, 1));
}

TEST(Execute, TheFastEvaluatorDropsTheSameWrites) {
  const OpSpec spec = dropping();
  EXPECT_TRUE(rc::check("dropped rows", [&] {
    const auto n = *rc::gen::inRange<std::int64_t>(1, 4);
    const auto count = *rc::gen::inRange<std::int64_t>(0, 6);
    const auto rows = *rc::gen::container<std::vector<std::int64_t>>(static_cast<std::size_t>(count),
                                                                     rc::gen::inRange<std::int64_t>(-3, n));
    std::vector<std::int64_t> values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), 100);
    const Call call = rows_call(ints({n}, std::vector<std::int64_t>(static_cast<std::size_t>(n), 0)),
                                ints({count, 1}, rows), ints({count}, values));
    language::FastEvaluator frame;
    RC_ASSERT(fill_frame(frame, spec, call));
    const auto fast = execute_fast(spec, call, frame);
    RC_ASSERT(fast.has_value());
    const Bag reference = execute_by_reference(spec, call).value();
    RC_ASSERT(fast->offsets == reference.offsets);
    RC_ASSERT(fast->rows == reference.rows);
    for (std::int64_t cell = 0; cell < n; ++cell) {
      std::vector<std::int64_t> kept;
      for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i] == cell) kept.push_back(values[i]);
      RC_ASSERT(written(*fast, static_cast<std::size_t>(cell)) == kept);
      RC_ASSERT(written(reference, static_cast<std::size_t>(cell)) == kept);
    }
  }));
}

TEST(Execute, SaysWhereAPositionFallsOutside) {
  const auto bag =
      execute(load(scatter_text), scatter_call(ints({2}, {0, 0}), 0, ints({2}, {0, 7}), ints({2}, {1, 2})));
  ASSERT_FALSE(bag);
  EXPECT_THAT(bag.errors().front().what, HasSubstr("for p = [1]: "));
  EXPECT_THAT(bag.errors().front().what, HasSubstr("[7]"));
  const std::string before = scatter_text.substr(0, scatter_text.find("\"out[p with"));
  EXPECT_EQ(bag.errors().front().at.line, 1 + std::ranges::count(before, '\n'));
  EXPECT_EQ(bag.errors().front().at.column, 10) << "where the sentence of `write:` starts";
}

TEST(Execute, EveryCellNeedsAStartOrAWrite) {
  const auto bag = execute(load(with(scatter_text, "  start: self\n", "")),
                           scatter_call(ints({2}, {0, 0}), 0, ints({1}, {1}), ints({1}, {5})));
  ASSERT_FALSE(bag);
  EXPECT_THAT(bag.errors().front().what, HasSubstr("cell 0 of the result is never written"));
}

TEST(Execute, AStartOfAnotherShapeIsRefused) {
  const auto bag = execute(
      load(with(scatter_text, "result: {shape: shape(self)", "result: {shape: \"shape(self) ++ (1,)\"")),
      scatter_call(ints({2}, {0, 0}), 0, ints({1}, {1}), ints({1}, {5})));
  ASSERT_FALSE(bag);
  EXPECT_THAT(bag.errors().front().what, HasSubstr("self has the shape [2]"));
}

TEST(Execute, ANumberIsAStart) {
  const Bag bag =
      bag_of(load(with(scatter_text, "start: self", "start: 1.5")),
             scatter_call(ints({2}, {0, 0}, DType::f32), 0, ints({1}, {1}), ints({1}, {5}, DType::f32)));
  EXPECT_EQ(bag.start->at(0).real(), 1.5);
  EXPECT_EQ(bag.start_name, "1.5");
}

/// The same sentence as a plain loop over a 2-D tensor, written without the language.
TEST(Execute, AgreesWithAPlainLoop) {
  const OpSpec spec = load(scatter_text);
  EXPECT_TRUE(rc::check("scatter", [&] {
    const auto n = *rc::gen::inRange<std::int64_t>(1, 5);
    const auto m = *rc::gen::inRange<std::int64_t>(1, 5);
    const auto rows = *rc::gen::inRange<std::int64_t>(0, 6);
    const auto columns = *rc::gen::inRange<std::int64_t>(0, m + 1);
    const auto count = static_cast<std::size_t>(rows * columns);
    const auto places =
        *rc::gen::container<std::vector<std::int64_t>>(count, rc::gen::inRange<std::int64_t>(0, n));
    std::vector<std::int64_t> values(count);
    std::iota(values.begin(), values.end(), 100);
    const Bag bag =
        bag_of(spec, scatter_call(ints({n, m}, std::vector<std::int64_t>(static_cast<std::size_t>(n * m), 0)),
                                  0, ints({rows, columns}, places), ints({rows, columns}, values)));
    std::vector<std::vector<std::int64_t>> cells(static_cast<std::size_t>(n * m));
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j)
        cells[static_cast<std::size_t>(places[static_cast<std::size_t>(i * columns + j)] * m + j)].push_back(
            100 + i * columns + j);
    for (std::size_t c = 0; c < cells.size(); ++c) RC_ASSERT(written(bag, c) == cells[c]);
  }));
}

}  // namespace
}  // namespace scatterproof::spec::testing
