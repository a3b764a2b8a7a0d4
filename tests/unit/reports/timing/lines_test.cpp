// SPDX-License-Identifier: Apache-2.0
// A benchmark's file: nothing is lost on the way there and back, damage is named by line, and the schema
// describes what is written.
#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "made.hpp"

namespace scatterproof::spec {
namespace {

TimingRecord record() {
  TimingRecord r = made::record("torch@2.13.0", 2, {0.1, 1e-9, 0.25});
  r.in_place = false;
  r.verdict = "weak";
  r.note = "one\ntwo";
  r.executions = 7;
  r.device = "cuda:0";
  return r;
}

class TimingLines : public testing::Test {
 protected:
  Result<TimingRun> read(const std::string& text) {
    const std::string path = testing::TempDir() + "scatterproof_timing_test.jsonl";
    std::ofstream(path, std::ios::binary) << text;
    return read_timings(path);
  }
  /// `line: what` of the only error, or what came instead.
  std::string error_of(const std::string& text) {
    const auto run = read(text);
    if (run) return "no error";
    if (run.errors().size() != 1) return to_string(run.errors());
    return std::to_string(run.errors()[0].at.line) + ": " + run.errors()[0].what;
  }
  static std::string replaced(std::string text, const std::string& from, const std::string& to) {
    EXPECT_NE(text.find(from), std::string::npos) << from;
    return text.replace(text.find(from), from.size(), to);
  }
  const std::string head = to_json_line(made::machine()) + "\n";
  const std::string line = to_json_line(record()) + "\n";
};

TEST_F(TimingLines, ComeBackAsTheyWent) {
  const auto run = read(head + line + line);
  ASSERT_TRUE(run) << to_string(run.errors());
  EXPECT_EQ(to_json_line(run->machine) + "\n", head);
  ASSERT_EQ(run->records.size(), 2U);
  EXPECT_EQ(to_json_line(run->records[1]) + "\n", line);
  const TimingRecord& r = run->records[0];
  const TimingRecord sent = record();
  EXPECT_EQ(r.row, sent.row);
  EXPECT_EQ(r.benchmark, "B1");
  EXPECT_EQ(r.operation, "gather");
  EXPECT_EQ(r.distribution, "uniform");
  EXPECT_EQ(r.dtype, "f32");
  EXPECT_EQ(r.index_dtype, "i64");
  EXPECT_EQ(r.lookups, 1000000);
  EXPECT_EQ(r.row_bytes, 4);
  EXPECT_EQ(r.table_bytes, 1 << 20);
  EXPECT_EQ(r.engine, "torch@2.13.0");
  EXPECT_EQ(r.device, "cuda:0");
  EXPECT_EQ(r.call, "torch.gather");
  EXPECT_EQ(r.threads, 2);
  EXPECT_FALSE(r.in_place);
  EXPECT_EQ(r.verdict, "weak");
  EXPECT_EQ(r.note, "one\ntwo");
  EXPECT_EQ(r.executions, 7);
  EXPECT_EQ(r.seconds, sent.seconds);
  EXPECT_EQ(r.bytes_algorithmic, 16e6);
  EXPECT_EQ(r.bytes_floor, 20e6);
  EXPECT_EQ(r.floor_seconds, 1e-3);
  const MachineRecord machine = made::machine();
  EXPECT_EQ(run->machine.when, machine.when);
  EXPECT_EQ(run->machine.cpu, machine.cpu);
  EXPECT_EQ(run->machine.cores, 2);
  EXPECT_EQ(run->machine.cache_bytes, 32 << 20);
  EXPECT_EQ(run->machine.copy_bytes_per_second, machine.copy_bytes_per_second);
  EXPECT_EQ(run->machine.random_lines_per_second, machine.random_lines_per_second);
  EXPECT_EQ(run->machine.random_updates_per_second, machine.random_updates_per_second);
  EXPECT_EQ(run->machine.versions, machine.versions);
}

TEST_F(TimingLines, VersionOneSaidFamily) {
  const std::string old_head = replaced(head, "\"timing_version\":2", "\"timing_version\":1");
  const std::string old_line = replaced(line, "\"benchmark\":", "\"family\":");
  const auto run = read(old_head + old_line);
  ASSERT_TRUE(run) << to_string(run.errors());
  EXPECT_EQ(run->records[0].benchmark, "B1");
  EXPECT_EQ(error_of(head + old_line), "2: 'benchmark' is missing");
}

TEST_F(TimingLines, AnyBytesMakeALine) {
  TimingRecord r = record();
  r.note.clear();
  for (int b = 0; b < 256; ++b) r.note += static_cast<char>(b);
  r.floor_seconds = std::numeric_limits<double>::infinity();
  const std::string text = to_json_line(r);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const auto run = read(head + text + "\n");
  ASSERT_TRUE(run) << to_string(run.errors());
  EXPECT_EQ(run->records[0].floor_seconds, 0);
}

TEST_F(TimingLines, ATornLastLineIsAnError) {
  const std::string whole = head + line;
  for (std::size_t end = head.size() + 1; end < whole.size(); end += 5)
    EXPECT_EQ(error_of(whole.substr(0, end)), "2: the last line is cut off: the benchmark was stopped")
        << end;
  EXPECT_EQ(error_of(head.substr(0, 30)), "1: the last line is cut off: the benchmark was stopped");
}

TEST_F(TimingLines, DamageIsNamedByLine) {
  EXPECT_EQ(error_of(""), "0: the file is empty");
  EXPECT_EQ(error_of(line), "1: the file does not begin with the machine");
  EXPECT_EQ(error_of(head + "{\n"), "2: not a line of JSON");
  EXPECT_EQ(error_of(head + line + "\n"), "3: not a line of JSON");
  EXPECT_EQ(error_of(head + line + "{\"type\":\"record\"}\n"), "3: 'type' has the unknown value 'record'");
  EXPECT_EQ(error_of(head + line + head), "3: a second machine: records of two runs cannot be compared");
  EXPECT_EQ(error_of(head + "{\"type\":\"timing\"}\n"), "2: 'row' is missing");
  EXPECT_EQ(error_of(head + replaced(line, "\"threads\":2", "\"threads\":0")), "2: 'threads' is below 1");
  EXPECT_EQ(error_of(head + replaced(line, "\"lookups\":", "\"lookups\":-")),
            "2: 'lookups' is not an integer of at least 0");
  EXPECT_EQ(error_of(head + replaced(line, "0.25]", "0]")), "2: 'seconds' must hold numbers above 0");
  EXPECT_EQ(error_of(head + replaced(line, "0.25]", "null]")), "2: 'seconds' must hold numbers above 0");
  EXPECT_EQ(error_of(head + replaced(line, "\"floor_seconds\":", "\"floor_seconds\":-")),
            "2: 'floor_seconds' is below 0");
  EXPECT_EQ(error_of(head + replaced(line, "\"weak\"", "\"fast\"")),
            "2: 'verdict' has the unknown value 'fast'");
  EXPECT_EQ(error_of(replaced(head, "\"timing_version\":2", "\"timing_version\":3")),
            "1: timing version 3 is unknown: this program reads 1 to 2");
  EXPECT_EQ(error_of(replaced(head, "{\"1\":", "{\"one\":")),
            "1: 'one' of 'copy_bytes_per_second' is not a number of threads");
  EXPECT_FALSE(read_timings("/nonexistent/timing.jsonl"));
}

TEST_F(TimingLines, AWrongResultHasNoTimes) {
  EXPECT_EQ(error_of(head + replaced(line, "\"weak\"", "\"mismatch\"")),
            "2: times of a call with verdict 'mismatch'");
  TimingRecord wrong = record();
  wrong.verdict = "mismatch";
  wrong.seconds.clear();
  EXPECT_TRUE(read(head + to_json_line(wrong) + "\n"));
}

TEST_F(TimingLines, AllDamageAtOnce) {
  const auto run = read(head + "{\n" + line + "{}\n");
  ASSERT_FALSE(run);
  ASSERT_EQ(run.errors().size(), 2U);
  EXPECT_EQ(run.errors()[0].at.line, 2);
  EXPECT_EQ(run.errors()[1].at.line, 4);
}

class TimingSchema : public testing::Test {
 protected:
  TimingSchema() {
    std::ifstream file(SCATTERPROOF_SOURCE_DIR "/spec/data/schema/timing.schema.json");
    const auto document = nlohmann::json::parse(file);
    valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(document), schema_);
  }
  bool valid(const nlohmann::json& line) {
    return valijson::Validator().validate(schema_, valijson::adapters::NlohmannJsonAdapter(line), nullptr);
  }
  valijson::Schema schema_;
  const nlohmann::json machine_ = nlohmann::json::parse(to_json_line(made::machine()));
  const nlohmann::json record_ = nlohmann::json::parse(to_json_line(record()));
};

TEST_F(TimingSchema, TakesWhatIsWrittenAndAsksForEveryField) {
  for (const auto& whole : {machine_, record_}) {
    EXPECT_TRUE(valid(whole)) << whole;
    for (const auto& field : whole.items()) {
      auto lacking = whole;
      lacking.erase(field.key());
      EXPECT_FALSE(valid(lacking)) << field.key();
    }
  }
}

TEST_F(TimingSchema, RefusesWhatTheReaderRefuses) {
  const auto with = [&](const nlohmann::json& base, const char* key, const nlohmann::json& value) {
    auto changed = base;
    changed[key] = value;
    return changed;
  };
  EXPECT_FALSE(valid(with(record_, "threads", 0)));
  EXPECT_FALSE(valid(with(record_, "verdict", "fast")));
  EXPECT_FALSE(valid(with(record_, "seconds", {0.1, 0})));
  EXPECT_FALSE(valid(with(record_, "floor_seconds", -1)));
  EXPECT_FALSE(valid(with(machine_, "copy_bytes_per_second", {{"one", 1.0}})));
  EXPECT_FALSE(valid(with(record_, "verdict", "mismatch"))) << "times of a wrong result";
  EXPECT_TRUE(valid(with(with(record_, "verdict", "mismatch"), "seconds", nlohmann::json::array())));
}

}  // namespace
}  // namespace scatterproof::spec
