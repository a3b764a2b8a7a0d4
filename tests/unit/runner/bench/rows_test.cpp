// SPDX-License-Identifier: Apache-2.0
// Row files: parameters, sizes, calls, and an error at its place for everything that can be written wrong.
#include "scatterproof/runner/bench/rows.hpp"

#include <algorithm>
#include <set>

#include "scatterproof/runner/bench/expected.hpp"
#include "scatterproof/spec/judge/judge.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"
#include "support.hpp"

namespace scatterproof::runner::bench {
namespace {

const std::string gather_rest =
    "    for: {dtype: [f32, f64], table: [16KiB, 1Mi]}\n"
    "    quick: {table: [4KiB]}\n"
    "    tensors:\n"
    "      data: {dtype: $dtype, shape: [$table], fill: lattice}\n"
    "      index: {dtype: i64, shape: [100], fill: uniform, into: data}\n"
    "    api: torch.gather\n"
    "    call: {input: $data, dim: 0, index: $index}\n"
    "    peers:\n"
    "      - {api: numpy.slow, call: {a: $data, indices: $index, axis: 0, mode: clip}}\n";

std::string gather_file(const std::string& rest = gather_rest) {
  std::string text = file_of("gather", rest);
  return text.replace(text.find("row: one"), 8, "row: $dtype/$table");
}

TEST(Rows, AreMadeForEveryCombination) {
  const auto rows = rows_of(gather_file());
  std::vector<std::string> ids;
  for (const BenchmarkRow& row : rows) ids.push_back(row.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"T/f32/16KiB", "T/f32/1Mi", "T/f64/16KiB", "T/f64/1Mi"}));
  EXPECT_EQ(shapes(rows[0])[0], spec::Shape{4096});  // bytes: as many elements as fill them
  EXPECT_EQ(shapes(rows[2])[0], spec::Shape{2048});
  EXPECT_EQ(shapes(rows[3])[0], spec::Shape{1 << 20});  // a count
  EXPECT_EQ(rows[0].distribution, "uniform");
}

TEST(Rows, OfQuickTakeItsLists) {
  const auto rows = rows_of(gather_file(), true);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].id, "T/f64/4KiB");
  std::string text = gather_file();
  const std::string line = "    quick: {table: [4KiB]}\n";
  EXPECT_TRUE(rows_of(text.erase(text.find(line), line.size()), true).empty());
}

TEST(Rows, HoldCallsInTheSpecsOrderWithDefaults) {
  const BenchmarkRow row = rows_of(gather_file()).front();
  ASSERT_EQ(row.call.arguments.size(), 3u);
  EXPECT_EQ(row.call.arguments[0].tensor, "data");
  EXPECT_EQ(std::get<spec::Scalar>(row.call.arguments[1].value).integer(), 0);
  ASSERT_EQ(row.peers.size(), 1u);
  EXPECT_EQ(row.peers[0].arguments[3].name, "mode");
  EXPECT_EQ(std::get<std::string>(row.peers[0].arguments[3].value), "clip");
}

TEST(Rows, ParametersMayBeMaps) {
  std::string text = file_of("gather",
                             "    for: {shape: [{name: wide, data: [3, 5], index: [2, 5]}]}\n"
                             "    tensors:\n"
                             "      data: {dtype: f32, shape: $shape.data, fill: lattice}\n"
                             "      index: {dtype: i64, shape: $shape.index, fill: uniform, into: data}\n"
                             "    api: torch.gather\n    call: {input: $data, dim: 0, index: $index}\n");
  const auto rows = rows_of(text.replace(text.find("row: one"), 8, "row: a/$shape"));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].id, "T/a/wide");
  EXPECT_EQ(shapes(rows[0])[1], (spec::Shape{2, 5}));
}

TEST(Rows, ShrinkTogether) {
  const BenchmarkRow row = rows_of(gather_file()).at(1);
  EXPECT_EQ(shapes(row, 50)[0], spec::Shape{50});
  EXPECT_EQ(shapes(row, 50)[1], spec::Shape{50});
  EXPECT_EQ(small_size(row), 4096);
}

TEST(Rows, APatternHasAReach) {
  const BenchmarkRow row =
      rows_of(file_of("gather",
                      "    tensors:\n"
                      "      data: {dtype: f32, shape: [{reach: index}], fill: lattice}\n"
                      "      index: {dtype: i64, shape: [10], fill: {pattern: 'UNIFORM:4:2', delta: 1}}\n"
                      "    api: torch.gather\n    call: {input: $data, dim: 0, index: $index}\n"))
          .front();
  // 0 2 4 6, 1 3 5 7, 2 4
  EXPECT_EQ(shapes(row)[0], spec::Shape{8});
  EXPECT_EQ(shapes(row, 4)[0], spec::Shape{7});
  EXPECT_EQ(row.distribution, "UNIFORM:4:2");
}

// ---- what is wrong

/// The file with a part of it replaced; its errors.
std::string errors_with(const std::string& old, const std::string& changed) {
  std::string text = gather_file();
  const std::size_t at = text.find(old);
  if (at == std::string::npos) throw std::logic_error("not in the file: " + old);
  return errors_of(text.replace(at, old.size(), changed));
}

TEST(RowErrors, StandAtTheirPlace) {
  const struct {
    const char* old;
    const char* changed;
    const char* error;
  } wrong[] = {
      {"fill: uniform", "fill: unifrom", "rows.yaml:11:47: error: unknown fill 'unifrom'"},
      {"[f32, f64]", "[f32, f63]", "rows.yaml:7:24: error: unknown dtype 'f63'"},
      {"[16KiB, 1Mi]", "[16KiB, 1Qi]", "rows.yaml:7:45: error: invalid size '1Qi'"},
      {"index: $index}", "index: $indx}", "error: unknown tensor 'indx'"},
      {"torch.gather", "torch.gathr", "rows.yaml:12:10: error: unknown API 'torch.gathr'"},
      {"dim: 0", "dimension: 0", "error: unknown argument of torch.gather 'dimension'"},
      {", dim: 0", "", "error: argument 'dim' of torch.gather is missing"},
      {"dim: 0", "dim: zero", "error: 'dim' must be an integer"},
      {"dim: 0", "dim: $data", "error: 'dim' does not take a tensor"},
      {"input: $data", "input: 3", "error: 'input' is a tensor"},
      {"into: data", "into: date", "error: unknown tensor 'date'"},
      {", into: data", "", "an index needs 'into'"},
      {"fill: lattice", "fill: lattice, into: index", "'into' has no effect with this fill"},
      {"dtype: i64", "dtype: f32", "an index must be i32 or i64"},
      {"into: data", "into: data, dim: 1", "'dim' is not a dimension of 'into'"},
      {"$dtype/$table", "$dtype/$size", "invalid id"},
      {"benchmark: T", "family: T", "key 'family' is now called 'benchmark'"},
      {"$dtype/$table", "$dtype", "row 'T/f32' is already taken"},
      {"quick: {table", "quick: {tabel", "'for' has no parameter 'tabel'"},
      {"      data:", "      dtype:", "'dtype' is already a parameter"},
      {"why: a test", "wy: a test", "unknown key 'wy'"},
      {"fill: uniform", "fill: permutation", ""},
      {"shape: [100], fill: uniform", "shape: [5000], fill: permutation", "different numbers below"},
      {"shape: [100]", "shape: [{reach: data}]", "only an index that is a pattern has a reach"},
      {"shape: [$table]", "shape: [1024Mi]", "has more than"},
      {"fill: uniform, into: data", "fill: {pattern: 'UNIFORM:8', delta: 1}", "pattern 'UNIFORM:8'"},
      {"numpy.slow,", "numpy.slow, in_place: true,", ""},
      {"api: torch.gather", "api: numpy.slow", "unknown API 'numpy.slow'"},
  };
  for (const auto& one : wrong) {
    const std::string errors = errors_with(one.old, one.changed);
    EXPECT_EQ(errors.empty(), *one.error == 0) << one.changed << "\n" << errors;
    EXPECT_NE(errors.find(one.error), std::string::npos) << one.changed << "\n" << errors;
  }
}

TEST(RowErrors, AreToldOnceForAllCombinations) {
  const std::string errors = errors_with("index: $index}", "index: $indx}");
  EXPECT_EQ(errors.find("error:"), errors.rfind("error:")) << errors;
}

TEST(RowErrors, APeerWithoutASpecSaysWhetherItOverwrites) {
  const std::string rest =
      "    tensors:\n"
      "      data: {dtype: f32, shape: [9], fill: lattice}\n"
      "      index: {dtype: i64, shape: [9], fill: uniform, into: data}\n"
      "    api: torch.Tensor.scatter_add_\n"
      "    call: {self: $data, dim: 0, index: $index, src: $data}\n"
      "    peers: [{api: torch.slow, call: {self: $data}}]\n";
  EXPECT_NE(errors_of(file_of("scatter_add", rest)).find("unknown API 'torch.slow'"), std::string::npos);
}

// ---- the shipped rows

std::vector<BenchmarkRow> shipped(bool quick) {
  auto rows = load_row_folder(source + "/spec/data/benchmarks", specs(), quick);
  if (!rows) throw std::logic_error(spec::to_string(rows.errors()));
  return std::move(rows).value();
}

TEST(ShippedRows, LoadAndCanBeMade) {
  std::set<std::string> benchmarks;
  for (const BenchmarkRow& row : shipped(false)) {
    benchmarks.insert(row.benchmark);
    const auto data = make_data(row, specs(), 0, small_size(row));
    EXPECT_TRUE(data) << spec::to_string(data.errors());
  }
  EXPECT_EQ(benchmarks.size(), 10u);
}

TEST(ShippedRows, AreRightOnTheReferenceByTheirSpecs) {
  // Ten thousand judged elements a row would be minutes under sanitizers: one row of each kind.
  std::set<std::string> seen;
  for (const BenchmarkRow& row : shipped(false)) {
    if (!seen.insert(row.benchmark + row.operation + row.distribution).second) continue;
    const auto data = make_data(row, specs(), 0, 16);
    ASSERT_TRUE(data) << spec::to_string(data.errors());
    const spec::Outcome outcome{spec::Produced{{reference_result(*data)}, {}}, 0};
    const auto& spec = *specs().find(row.call.api);
    const auto judged = spec::judge(spec::expect(spec, data->call).value(), outcome, true);
    EXPECT_TRUE(judged.verdict == spec::Verdict::pass || judged.verdict == spec::Verdict::weak)
        << row.id << ": " << spec::name(judged.verdict) << " " << judged.explanation;
  }
}

TEST(ShippedRows, OfQuickHoldARowForEveryGoal) {
  std::set<std::string> have;
  for (const BenchmarkRow& row : shipped(true))
    have.insert(row.benchmark + " " + row.operation + " " + row.distribution + " " +
                std::string(spec::name(row.tensors.front().dtype)));
  for (const char* goal :
       {"B1 gather uniform f32", "B1 scatter_add uniform f32", "B2 scatter_add sorted f32",
        "B2 scatter_add runs f32", "B2 scatter_add block f32", "B3 scatter_add all_duplicate f32",
        "B3 scatter_add hot f32", "B5 scatter_add kronecker f32", "B5 scatter_add kronecker i64",
        "B6 scatter_add uniform f32", "B6 scatter_add repeated_rows f32", "B6 gather uniform f32",
        "B8 gather uniform f32", "B8 scatter_add uniform f32", "B10 scatter_add uniform f32",
        "B10 gather uniform f32"})
    EXPECT_TRUE(have.contains(goal)) << goal;
}

}  // namespace
}  // namespace scatterproof::runner::bench
