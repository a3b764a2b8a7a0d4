// SPDX-License-Identifier: Apache-2.0
// What is timed and what is not, with engines made for the purpose.
#include "scatterproof/runner/bench/timing.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "scatterproof/engines/reference/reference.hpp"
#include "support.hpp"

namespace scatterproof::runner::bench {
namespace {

/// Takes as long as it is told.
class Clock final : public engines::TimedCall {
 public:
  explicit Clock(double seconds) : seconds_(seconds) {}
  std::variant<double, spec::Outcome> repeat(std::int64_t times) override {
    return seconds_ * static_cast<double>(times);
  }

 private:
  double seconds_;
};

/// The reference with a vice: `spoil` is done to the result of calls with more elements than a judged small
/// one.
class Guest final : public engines::InProcessEngine {
 public:
  Guest(std::string name, std::string framework, double seconds,
        std::function<void(spec::Tensor&)> spoil = {}, bool small_too = false)
      : reference_(engines::make_reference(specs())),
        seconds_(seconds),
        spoil_(std::move(spoil)),
        small_too_(small_too) {
    info_.name = std::move(name);
    info_.framework = std::move(framework);
    info_.version = "1";
    info_.device = "cpu";
  }
  const engines::EngineInfo& info() const override { return info_; }
  engines::Support supports(const spec::Call&) const override { return {}; }
  engines::PreparedCall prepare(const spec::Call& call, const engines::TimingOptions& options) override {
    asked.push_back({call.api, options});
    if (!why_not.empty()) return {{spec::Unsupported{why_not}}, nullptr};
    if (call.api == "torch.slow")
      return {run_as("torch.Tensor.scatter_add_", call), std::make_unique<Clock>(9.0)};
    return {run_as(call.api, call, true), std::make_unique<Clock>(seconds_)};
  }

  struct Asked {
    std::string api;
    engines::TimingOptions options;
  };
  std::vector<Asked> asked;
  std::string why_not;  ///< it times nothing

 private:
  spec::Outcome do_call(const spec::Call& call, int) override { return run_as(call.api, call, small_too_); }
  spec::Outcome run_as(const std::string& api, const spec::Call& call, bool spoiled = false) {
    spec::Call own = call;
    own.api = api;
    spec::Outcome outcome = reference_->run_one({&own});
    if (auto* produced = std::get_if<spec::Produced>(&outcome.what); produced && spoiled && spoil_)
      spoil_(produced->tensors.front());
    return outcome;
  }

  std::unique_ptr<engines::Engine> reference_;
  engines::EngineInfo info_;
  double seconds_;
  std::function<void(spec::Tensor&)> spoil_;
  bool small_too_;
};

const char* const add_rest =
    "    tensors:\n"
    "      data: {dtype: f32, shape: [9000], fill: lattice}\n"
    "      index: {dtype: i64, shape: [5000], fill: uniform, into: data}\n"
    "      updates: {dtype: f32, shape: [5000], fill: lattice}\n"
    "    api: torch.Tensor.scatter_add_\n"
    "    call: {self: $data, dim: 0, index: $index, src: $updates}\n"
    "    peers:\n"
    "      - {api: torch.slow, in_place: true, call: {self: $data, dim: 0, index: $index, src: $updates}}\n"
    "      - {api: onnx.ScatterElements, call: {data: $data, indices: $index, updates: $updates, reduction: "
    "add}}\n";

class Timing : public testing::Test {
 protected:
  Guest& add(std::string name, std::string framework, double seconds = 0.01,
             std::function<void(spec::Tensor&)> spoil = {}, bool small_too = false) {
    auto guest =
        std::make_unique<Guest>(std::move(name), std::move(framework), seconds, std::move(spoil), small_too);
    Guest& added = *guest;
    engines_.push_back(std::move(guest));
    return added;
  }

  std::vector<spec::TimingRecord> time(std::vector<int> threads = {1}) {
    std::vector<spec::TimingRecord> records;
    const std::vector<BenchmarkRow> rows = rows_of(file_of("scatter_add", add_rest));
    TimingRequest request;
    request.rows = rows;
    request.engines = engines_;
    request.specs = &specs();
    request.machine.cache_bytes = 1 << 14;
    for (const int count : threads) {
      request.machine.copy_bytes_per_second[count] = 1e9 * count;
      request.machine.random_updates_per_second[count] = 1e8 * count;
    }
    request.threads = threads;
    request.repetitions = 3;
    request.google_json = google_json_;
    request.record = [&](const spec::TimingRecord& record) { records.push_back(record); };
    time_rows(request);
    return records;
  }

  std::vector<std::unique_ptr<engines::Engine>> engines_;
  std::string google_json_;
};

TEST_F(Timing, ARightResultIsTimed) {
  add("mine", "");
  const auto records = time({1, 2});
  ASSERT_EQ(records.size(), 2u);
  const spec::TimingRecord& record = records.front();
  EXPECT_EQ(record.row, "T/one");
  EXPECT_EQ(record.engine, "mine");
  EXPECT_EQ(record.call, "torch.Tensor.scatter_add_");
  EXPECT_EQ(record.verdict, "pass") << record.note;
  EXPECT_EQ(record.operation, "scatter_add");
  EXPECT_EQ(record.distribution, "uniform");
  EXPECT_EQ(record.dtype, "f32");
  EXPECT_EQ(record.index_dtype, "i64");
  EXPECT_EQ(record.lookups, 5000);
  EXPECT_EQ(record.row_bytes, 4);
  EXPECT_EQ(record.table_bytes, 36'000);
  EXPECT_TRUE(record.in_place);
  ASSERT_EQ(record.seconds.size(), 3u);
  EXPECT_DOUBLE_EQ(record.seconds.front(), 0.01);
  EXPECT_EQ(record.executions, 1);
  EXPECT_EQ(record.bytes_algorithmic, 5000 * (8 + 3 * 4));
  EXPECT_GT(record.bytes_floor, 5000 * 12);
  EXPECT_EQ(records[1].threads, 2);
  EXPECT_DOUBLE_EQ(records[1].floor_seconds, record.floor_seconds / 2);
}

TEST_F(Timing, ShortCallsAreExecutedManyTimes) {
  add("mine", "", 1e-7);
  const auto records = time();
  ASSERT_EQ(records.size(), 1u);
  EXPECT_GE(records[0].executions, 20'000);
  EXPECT_NEAR(records[0].seconds.front(), 1e-7, 1e-12);
}

TEST_F(Timing, AWrongResultHasNoTime) {
  add("liar", "", 0.01,
      [](spec::Tensor& result) { result.set(spec::Coords{8999}, spec::Scalar::of_real(77)); });
  const auto records = time();
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].verdict, "mismatch");
  EXPECT_TRUE(records[0].seconds.empty());
  EXPECT_NE(records[0].note.find("out[8999] is 77.0, the reference has"), std::string::npos)
      << records[0].note;
}

TEST_F(Timing, WhatIsUnsupportedSaysSoOnce) {
  add("guest", "", 0.01).why_not = "no such size";
  const auto records = time();
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].verdict, "unsupported");
  EXPECT_EQ(records[0].note, "no such size");
}

TEST_F(Timing, AWrongSmallResultIsFoundByTheJudgeOfTheSpecs) {
  auto& liar = add(
      "liar", "", 0.01, [](spec::Tensor& result) { result.set(spec::Coords{0}, spec::Scalar::of_real(77)); },
      true);
  const auto records = time();
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].verdict, "mismatch");
  EXPECT_NE(records[0].note.find("at reduced size:"), std::string::npos) << records[0].note;
  EXPECT_TRUE(liar.asked.empty()) << "it was prepared all the same";
}

TEST_F(Timing, OfAnEnginesCallsTheQuickestIsKept) {
  auto& torch = add("torch@9", "torch");
  const auto records = time();
  ASSERT_EQ(torch.asked.size(), 2u);
  EXPECT_EQ(torch.asked[1].api, "torch.slow");
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].call, "torch.Tensor.scatter_add_");
}

TEST_F(Timing, WherePeersWorkOutOfPlaceTheFirstNativeEngineDoesToo) {
  auto& first = add("first", "");
  auto& second = add("second", "");
  auto& onnx = add("onnx@9", "onnx");
  const auto records = time();
  EXPECT_EQ(records.size(), 4u);
  ASSERT_EQ(first.asked.size(), 2u);
  EXPECT_TRUE(first.asked[0].options.in_place);
  EXPECT_FALSE(first.asked[1].options.in_place);
  EXPECT_EQ(second.asked.size(), 1u);
  ASSERT_EQ(onnx.asked.size(), 1u);
  EXPECT_FALSE(onnx.asked[0].options.in_place);
  EXPECT_FALSE(records.back().in_place);
}

TEST_F(Timing, GooglesReportHoldsEveryJobAndTheMachine) {
  google_json_ = testing::TempDir() + "/google.json";
  add("mine", "");
  time();
  std::ifstream file(google_json_);
  const auto report = nlohmann::json::parse(file);
  EXPECT_EQ(report["context"]["copy_bytes_per_second_1_threads"], "1e+09");
  EXPECT_EQ(report["context"]["executable"], "scatterproof");
  const auto& first = report["benchmarks"][0];
  EXPECT_TRUE(first["name"].get<std::string>().starts_with("T/one/mine/torch.Tensor.scatter_add_/1"));
  EXPECT_NEAR(first["real_time"].get<double>(), 1e4, 1e-3);  // microseconds
  std::filesystem::remove(google_json_);
}

TEST_F(Timing, AnInterruptedRunRecordsNothingOfTheRowItWasIn) {
  add("mine", "");
  const std::vector<BenchmarkRow> rows = rows_of(file_of("scatter_add", add_rest));
  const std::atomic<bool> interrupted{true};
  int records = 0;
  TimingRequest request;
  request.rows = rows;
  request.engines = engines_;
  request.specs = &specs();
  request.threads = {1};
  request.repetitions = 2;
  request.interrupted = &interrupted;
  request.record = [&](const spec::TimingRecord&) { ++records; };
  time_rows(request);
  EXPECT_EQ(records, 0);
}

}  // namespace
}  // namespace scatterproof::runner::bench
