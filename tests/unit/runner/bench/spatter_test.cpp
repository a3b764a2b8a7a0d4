// SPDX-License-Identifier: Apache-2.0
// Spatter's patterns as its manual prints them, and its JSON files as rows.
#include "scatterproof/runner/bench/spatter.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "access_pattern.hpp"
#include "support.hpp"

namespace scatterproof::runner::bench {
namespace {

using Offsets = std::vector<std::int64_t>;

Offsets offsets(const char* text) {
  const auto parsed = parse_pattern(text);
  return parsed ? *parsed : Offsets{-1};
}

TEST(AccessPattern, IsWhatTheManualOfSpatterPrints) {
  EXPECT_EQ(offsets("UNIFORM:8:4"), (Offsets{0, 4, 8, 12, 16, 20, 24, 28}));
  EXPECT_EQ(offsets("MS1:8:4:32"), (Offsets{0, 1, 2, 3, 35, 36, 37, 38}));
  EXPECT_EQ(offsets("MS1:8:2,3:20"), (Offsets{0, 1, 21, 41, 42, 43, 44, 45}));
  EXPECT_EQ(offsets("MS1:8:2,3:20,22"), (Offsets{0, 1, 21, 43, 44, 45, 46, 47}));
  EXPECT_EQ(offsets("LAPLACIAN:1:1:100"), (Offsets{0, 1, 2}));
  EXPECT_EQ(offsets("LAPLACIAN:2:1:100"), (Offsets{0, 99, 100, 101, 200}));
  EXPECT_EQ(offsets("LAPLACIAN:2:2:100"), (Offsets{0, 100, 198, 199, 200, 201, 202, 300, 400}));
  EXPECT_EQ(offsets("LAPLACIAN:3:1:100"), (Offsets{0, 9900, 9999, 10000, 10001, 10100, 20000}));
  EXPECT_EQ(offsets("4,4,4,4,4"), (Offsets{4, 4, 4, 4, 4}));
}

TEST(AccessPattern, IsRefusedWhenItIsNone) {
  for (const char* text :
       {"", "UNIFORM", "UNIFORM:8", "UNIFORM:0:1", "UNIFORM:-8:1", "UNIFORM:8:x", "MS1:8:2,3:1,2,3",
        "MS1:8:0:0", "LAPLACIAN:2:1", "LAPLACIAN:40:1:100", "LAPLACIAN:9:9:999999", "1,,2", "1,-2",
        "UNIFORM:99999999999:1", "UNIFORM:1000:99999999999999", "STENCIL:1:2"}) {
    const auto parsed = parse_pattern(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_FALSE(parsed.errors().front().hint.empty());
  }
}

class Import : public testing::Test {
 protected:
  spec::Result<ImportedRows> import(const std::string& json) {
    const std::string path = testing::TempDir() + "/my suite.json";
    std::ofstream(path) << json;
    auto result = import_spatter(path, source + "/spec/data/benchmarks/B4.yaml", specs());
    std::filesystem::remove(path);
    return result;
  }
  std::vector<BenchmarkRow> rows(const std::string& json) {
    auto imported = import(json);
    if (!imported) ADD_FAILURE() << spec::to_string(imported.errors());
    return imported ? std::move(imported).value().rows : std::vector<BenchmarkRow>{};
  }
  std::string errors(const std::string& json) {
    const auto imported = import(json);
    return imported ? "" : spec::to_string(imported.errors());
  }
  static Offsets index(const BenchmarkRow& row) {
    const auto data = make_data(row, specs(), 0);
    if (!data) throw std::logic_error(spec::to_string(data.errors()));
    return numbers(data->call, "index");
  }
};

TEST_F(Import, TakesListsAndTextsAndDefaults) {
  const auto all = rows(R"([
    {"kernel": "Gather", "pattern": [0, 6, 12], "delta": 3, "count": 4, "name": "nek bone"},
    {"kernel": "scatter", "pattern": "UNIFORM:4:2:NR", "delta": 8, "count": 2, "wrap": 1},
    {"pattern": "UNIFORM:8:1"},
    {"pattern": "LAPLACIAN:1:1:100", "count": 2, "delta": -1}])");
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].id, "my-suite/gather/f64/0-nek-bone");
  EXPECT_EQ(index(all[0]), (Offsets{0, 6, 12, 3, 9, 15, 6, 12, 18, 9, 15, 21}));
  EXPECT_EQ(shapes(all[0])[0], spec::Shape{22});
  EXPECT_EQ(all[1].id, "my-suite/gather/f64/2");
  EXPECT_EQ(index(all[1]).size(), 8u * 1024);
  EXPECT_EQ(index(all[2]), (Offsets{0, 1, 2, 1, 2, 3}));  // delta is 1 for a LAPLACIAN
  EXPECT_EQ(all[3].operation, "scatter");
  EXPECT_EQ(index(all[3]), (Offsets{0, 2, 4, 6, 8, 10, 12, 14}));
  for (const BenchmarkRow& row : all) EXPECT_EQ(row.tensors.front().dtype, spec::DType::f64);
}

TEST_F(Import, ComposesMultiKernelsAndSplitsGatherScatter) {
  const auto imported = import(R"([
    {"kernel": "MultiGather", "pattern": [10, 20, 30], "pattern-gather": [2, 0], "delta": 100, "count": 2},
    {"kernel": "GS", "pattern-gather": [0, 1], "pattern-scatter": [0, 5], "delta-gather": 2, "delta-scatter": 10,
     "count": 2, "wrap": 4}])");
  ASSERT_TRUE(imported) << spec::to_string(imported.errors());
  ASSERT_EQ(imported->rows.size(), 3u);
  EXPECT_EQ(index(imported->rows[0]), (Offsets{30, 10, 130, 110}));
  EXPECT_EQ(index(imported->rows[1]), (Offsets{0, 1, 2, 3}));
  EXPECT_EQ(index(imported->rows[2]), (Offsets{0, 5, 10, 15}));
  EXPECT_EQ(imported->notes.size(), 2u);
}

TEST_F(Import, CutsAndFolds) {
  const auto all =
      rows(R"([{"pattern": [0, 7, 9, 3], "pattern-size": 3, "boundary": 8, "delta": 0, "count": 1}])");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(index(all[0]), (Offsets{0, 7, 1}));
}

TEST_F(Import, SaysWhatIsWrongAndWhere) {
  EXPECT_NE(errors(R"({"kernel": "Gather"})").find("an array of configurations"), std::string::npos);
  EXPECT_NE(errors("[3]").find("my suite.json:1:2: error: a configuration must be an object"),
            std::string::npos);
  EXPECT_NE(errors(R"([{"kernel": "Gater", "pattern": [1]}])").find("did you mean 'Gather'?"),
            std::string::npos);
  EXPECT_NE(errors(R"([{"kernel": "Gather"}])").find("needs 'pattern'"), std::string::npos);
  EXPECT_NE(errors(R"([{"pattern": "UNIFORM:8"}])").find("my suite.json:1:14: error: pattern 'UNIFORM:8'"),
            std::string::npos);
  EXPECT_NE(errors(R"([{"pattern": [0, -1]}])").find("non-negative"), std::string::npos);
  EXPECT_NE(errors(R"([{"pattern": [0], "count": "many"}])").find("'count' must be an integer"),
            std::string::npos);
  EXPECT_NE(errors(R"([{"pattern": [0], "count": 999999999999}])").find("too many"), std::string::npos);
  EXPECT_NE(errors(R"([{"pattern": [0, 1], "delta": 99999999, "count": 1000}])").find("more than"),
            std::string::npos);
  EXPECT_NE(errors(R"([{"pattern": [1], )"), "");
}

}  // namespace
}  // namespace scatterproof::runner::bench
