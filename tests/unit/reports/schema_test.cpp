// SPDX-License-Identifier: Apache-2.0
// What is written is what spec/data/schema/record.schema.json describes, and the schema refuses what is not.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "scatterproof/spec/core/diagnosis.hpp"
#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::spec {
namespace {

class RecordSchema : public testing::Test {
 protected:
  RecordSchema() {
    std::ifstream file(SCATTERPROOF_SOURCE_DIR "/spec/data/schema/record.schema.json");
    const auto document = nlohmann::json::parse(file);
    valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(document), schema_);
    std::ifstream recording(SCATTERPROOF_SOURCE_DIR "/tests/unit/reports/recorded.jsonl");
    for (std::string line; std::getline(recording, line);) lines_.push_back(nlohmann::json::parse(line));
  }
  bool valid(const nlohmann::json& line) {
    return valijson::Validator().validate(schema_, valijson::adapters::NlohmannJsonAdapter(line), nullptr);
  }
  valijson::Schema schema_;
  std::vector<nlohmann::json> lines_;
};

// The recording is what the writer writes: Golden.JsonLinesAreTheStreamItself.
TEST_F(RecordSchema, TakesTheRecording) {
  ASSERT_EQ(lines_.size(), 27U);
  for (const auto& line : lines_) EXPECT_TRUE(valid(line)) << line;
}

TEST_F(RecordSchema, TakesWhatIsWrittenWhereThereIsMore) {
  Header header;
  header.run = "01234567-89ab-cdef-0123-456789abcdef";
  header.allow_fixed = header.fail_on_flaky = true;
  header.shard = "2/4";
  header.jobs = 2;
  Record record;
  record.disposition = Disposition::flaky;
  record.retried = {Verdict::mismatch, Verdict::pass};
  record.call_globs = {{"*=f64[*", 0}, {"* dim=0,*", 3}};
  record.passed = 7;
  Trailer trailer;
  trailer.whole = true;
  trailer.stale = {{"a.yaml", 1, "no longer happens", true}};
  trailer.calls_per_second = 12.5;
  trailer.gates = {{"min-coverage", "too little"}};
  for (const std::string& line : {to_json_line(header), to_json_line(record), to_json_line(trailer)})
    EXPECT_TRUE(valid(nlohmann::json::parse(line))) << line;
  header.run = "not an id";
  EXPECT_FALSE(valid(nlohmann::json::parse(to_json_line(header))));
}

TEST_F(RecordSchema, TakesTheTextOfEveryDiagnosis) {
  for (const DiagnosisKind kind : all_diagnosis_kinds())
    for (const Diagnosis& one :
         {Diagnosis{kind, "", {}}, Diagnosis{kind, as_subject("a.b+c-d e"), {-1, 2}}}) {
      lines_[1]["diagnosis"] = to_string(one);
      EXPECT_TRUE(valid(lines_[1])) << to_string(one);
    }
}

TEST_F(RecordSchema, AsksForEveryFieldThatReadersAskFor) {
  lines_[0].erase("host");
  EXPECT_TRUE(valid(lines_[0]));  // not every machine tells its name
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}, lines_.size() - 1})
    for (const auto& field : lines_[i].items()) {
      auto lacking = lines_[i];
      lacking.erase(field.key());
      EXPECT_FALSE(valid(lacking)) << field.key();
    }
}

TEST_F(RecordSchema, RefusesOtherWordsAndTypes) {
  auto line = lines_[1];
  line["verdict"] = "mishmash";
  EXPECT_FALSE(valid(line));
  line = lines_[1];
  line["seed"] = -1;
  EXPECT_FALSE(valid(line));
  line = lines_[1];
  line["diagnosis"] = "Not a diagnosis";
  EXPECT_FALSE(valid(line));
  line = lines_[1];
  line["causes"] = nlohmann::json::array();
  EXPECT_FALSE(valid(line));
  line = lines_[1];
  line["bound"] = nullptr;
  EXPECT_FALSE(valid(line));
}

}  // namespace
}  // namespace scatterproof::spec
