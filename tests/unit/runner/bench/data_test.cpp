// SPDX-License-Identifier: Apache-2.0
// Data are such that one result is right, whatever the order; calls are what the row says.
#include "scatterproof/runner/bench/data.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "scatterproof/engines/reference/reference.hpp"
#include "scatterproof/runner/bench/expected.hpp"
#include "support.hpp"

namespace scatterproof::runner::bench {
namespace {

RowData data_of(const BenchmarkRow& row, std::int64_t largest = whole) {
  auto data = make_data(row, specs(), 1, largest);
  if (!data) throw std::logic_error(spec::to_string(data.errors()));
  return std::move(data).value();
}

/// Start and contributions of each cell, in magnitude, added up; the largest.
std::int64_t largest_sum(const RowData& data) {
  std::vector<std::int64_t> sums;
  for (const std::int64_t start : numbers(data.call, "self")) sums.push_back(std::abs(start));
  const auto index = numbers(data.call, "index"), updates = numbers(data.call, "src");
  for (std::size_t i = 0; i < index.size(); ++i)
    sums[static_cast<std::size_t>(index[i])] += std::abs(updates[i]);
  return *std::ranges::max_element(sums);
}

TEST(Data, SumsAreExactInEveryOrder) {
  const std::map<std::string, std::int64_t> exact = {{"f32", 1 << 24}, {"f16", 2048}, {"bf16", 256}};
  for (const auto& [dtype, range] : exact)
    for (const char* fill : {"uniform", "all_duplicate", "hot", "zipf-1.2"}) {
      const RowData data = data_of(add_row(dtype, 1000, 20'000, fill));
      EXPECT_LE(largest_sum(data), range) << dtype << " " << fill;
      const auto updates = numbers(data.call, "src");
      EXPECT_GT(std::ranges::count_if(updates, [](auto value) { return value != 0; }), 10)
          << dtype << " " << fill;
    }
}

/// Of the row's call, by the reference's loops over what each cell receives.
spec::Tensor gradient_by_loops(const RowData& data) {
  const spec::GradientQuestion question = data.question(data.call);
  EXPECT_EQ(question.of.size(), 1u);
  const auto reference = engines::make_reference(specs());
  const auto outcome = gradient_of(reference->run_one({.call = &data.call, .gradient = &question}));
  return std::get<spec::Produced>(outcome.what).tensors.at(0);
}

TEST(Data, TheGradientOfASumIsAGatherAndOfAGatherASum) {
  const BenchmarkRow gather =
      rows_of(file_of("gather",
                      "    tensors:\n"
                      "      data: {dtype: bf16, shape: [50, 3], fill: lattice}\n"
                      "      index: {dtype: i64, shape: [700], fill: hot, into: data}\n"
                      "    api: torch.index_select\n"
                      "    call: {input: $data, dim: 0, index: $index}\n"))
          .front();
  const std::vector<BenchmarkRow> rows = gradient_rows(
      {gather, add_row("f32", 100, 3000, "uniform"), add_row("i32", 100, 3000, "uniform")}, specs());
  ASSERT_EQ(rows.size(), 2u);  // integers have no gradients
  EXPECT_EQ(rows[0].id, "T/one/gradient");
  for (const BenchmarkRow& row : rows) {
    const RowData data = data_of(row);
    spec::Produced by_kernel;
    by_kernel.tensors = {reference_result(data)};
    EXPECT_EQ(difference(gradient_by_loops(data), {std::move(by_kernel), 0}, spec::Combiner::sum), "")
        << row.operation;
    EXPECT_GT(std::ranges::count_if(data.cotangent.values(), [](auto value) { return value.real() != 0; }),
              90);
  }
}

TEST(Data, NoContributionIsZeroWhereThereIsRoom) {
  for (const char* dtype : {"f32", "f64", "i64", "i32"})
    EXPECT_EQ(std::ranges::count(numbers(data_of(add_row(dtype, 1000, 20'000, "hot")).call, "src"), 0), 0)
        << dtype;
}

TEST(Data, AnAssignmentWritesWhatTheCellSays) {
  BenchmarkRow row = scatter_row("torch.Tensor.scatter_", "", "f32", 100, 2000, "uniform");
  const RowData data = data_of(row);
  const auto index = numbers(data.call, "index"), updates = numbers(data.call, "src");
  std::map<std::int64_t, std::int64_t> written;
  for (std::size_t i = 0; i < index.size(); ++i)
    EXPECT_EQ(written.emplace(index[i], updates[i]).first->second, updates[i]);
  std::set<std::int64_t> different;
  for (const auto& [cell, value] : written) different.insert(value);
  EXPECT_GT(different.size(), 50u);
}

const char* const expanded_row =
    "    tensors:\n"
    "      data: {dtype: f32, shape: [40, 6], fill: lattice}\n"
    "      rows: {dtype: i64, shape: [90], fill: uniform, into: data}\n"
    "      index: {expand: rows, along: 0, shape: [90, 6]}\n"
    "      updates: {dtype: f32, shape: [90, 6], fill: lattice, layout: transposed}\n"
    "    api: torch.Tensor.scatter_add_\n"
    "    call: {self: $data, dim: 0, index: $index, src: $updates}\n"
    "    peers:\n"
    "      - {api: torch.Tensor.index_add_, call: {self: $data, dim: 0, index: $rows, "
    "source: $updates}}\n";

TEST(Data, ViewsShareTheTensorTheyAreOf) {
  const RowData data = data_of(rows_of(file_of("scatter_add", expanded_row)).front());
  const auto& index = std::get<spec::Tensor>(*data.call.find("index"));
  EXPECT_EQ(index.strides(), (spec::Shape{1, 0}));
  const auto& rows = std::get<spec::Tensor>(*data.peers.front().find("index"));
  EXPECT_EQ(index.shared_storage(), rows.shared_storage());
  EXPECT_EQ(std::get<spec::Tensor>(*data.call.find("src")).strides(), (spec::Shape{1, 90}));
  EXPECT_EQ(std::get<spec::Tensor>(*data.call.find("src")).shared_storage(),
            std::get<spec::Tensor>(*data.peers.front().find("source")).shared_storage());
}

TEST(Data, AnIndexThatPointsOutOfTheTableIsAnError) {
  const BenchmarkRow row =
      rows_of(file_of("gather",
                      "    tensors:\n"
                      "      data: {dtype: f32, shape: [4], fill: lattice}\n"
                      "      other: {dtype: f32, shape: [9000], fill: lattice}\n"
                      "      index: {dtype: i64, shape: [100], fill: uniform, into: other}\n"
                      "    api: torch.gather\n    call: {input: $data, dim: 0, index: $index}\n"))
          .front();
  const auto data = make_data(row, specs(), 1);
  ASSERT_FALSE(data);
  EXPECT_NE(spec::to_string(data.errors()).find("row 'T/one' is refused: index"), std::string::npos)
      << spec::to_string(data.errors());
}

TEST(Expected, TheReferenceAgreesWithItselfAndWithNothingElse) {
  const RowData data = data_of(add_row("f32", 50, 400, "uniform"));
  const spec::Tensor expected = reference_result(data);
  EXPECT_EQ(difference(expected, {spec::Produced{{expected.clone()}, {}}, 0}, spec::Combiner::sum), "");
  spec::Tensor other = expected.clone();
  other.set(spec::Coords{17}, spec::Scalar::of_real(0.25));
  EXPECT_NE(
      difference(expected, {spec::Produced{{other}, {}}, 0}, spec::Combiner::sum).find("out[17] is 0.25"),
      std::string::npos);
  EXPECT_NE(difference(expected, {spec::Produced{{spec::Tensor(spec::DType::f32, {49})}, {}}, 0},
                       spec::Combiner::sum),
            "");
  EXPECT_EQ(difference(expected, {spec::Unsupported{"no"}, 0}, spec::Combiner::sum), "unsupported: no");
}

TEST(Expected, OnlyAMeanMayBeOffByOneUnitInTheLastPlace) {
  spec::Tensor one(spec::DType::f32, {2}), other(spec::DType::f32, {2});
  one.set(spec::Coords{0}, spec::Scalar::of_real(1));
  other.set(spec::Coords{0}, spec::Scalar::of_real(1 + 0x1p-23));
  const spec::Outcome outcome{spec::Produced{{other}, {}}, 0};
  EXPECT_EQ(difference(one, outcome, spec::Combiner::mean), "");
  EXPECT_NE(difference(one, outcome, spec::Combiner::sum), "");
  other.set(spec::Coords{0}, spec::Scalar::of_real(1 + 0x1p-22));
  EXPECT_NE(difference(one, {spec::Produced{{other}, {}}, 0}, spec::Combiner::mean), "");
}

}  // namespace
}  // namespace scatterproof::runner::bench
