// SPDX-License-Identifier: Apache-2.0
// CTRF (ctrf.io): test results as one JSON object, for dashboards and for actions that read it.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "overview.hpp"
#include "scatterproof/reports/counts.hpp"
#include "scatterproof/reports/reporter.hpp"
#include "scatterproof/spec/core/spool.hpp"
#include "text.hpp"

namespace scatterproof::reports {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t longest_value = 4096;  // bytes of one string

std::string value_of(std::string_view text) { return capped(printable(text), longest_value); }

/// Milliseconds since 1970 of `2024-05-01T12:00:00Z`; 0 of anything else.
std::int64_t milliseconds(const std::string& time) {
  int year = 0;
  unsigned month = 0, day = 0, hour = 0, minute = 0, second = 0;
  if (std::sscanf(time.c_str(), "%4d-%2u-%2uT%2u:%2u:%2u", &year, &month, &day, &hour, &minute, &second) != 6)
    return 0;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(day)};
  if (!date.ok()) return 0;
  const auto since = std::chrono::sys_days(date).time_since_epoch() + std::chrono::hours(hour) +
                     std::chrono::minutes(minute) + std::chrono::seconds(second);
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

const char* status_of(Standing how) {
  switch (how) {
    case Standing::passed:
    case Standing::weak:
      return "passed";
    case Standing::failed:
      return "failed";
    case Standing::known:
    case Standing::flaky:
      return "other";
    case Standing::open:
    case Standing::unsupported:
      break;
  }
  return "skipped";
}

class Ctrf final : public Reporter {
 public:
  explicit Ctrf(std::ostream& out) : out_(out) {}

  void run_started(const spec::Header& header) override { header_ = header; }

  void call_judged(const spec::Record& record) override {
    counted_.add(record.verdict, record.disposition, record.count);
    const Standing how = standing(record);
    const double seconds = record.call_seconds + record.judge_seconds;
    ordered_json test = test_of(record.id.empty() ? "(no id)" : record.id,
                                fails(header_, record) ? "failed" : status_of(how));
    test["duration"] = std::isfinite(seconds) ? std::llround(std::min(seconds, 1e9) * 1000) : 0;
    test["suite"] = {value_of(record.engine), value_of(record.api)};
    test["rawStatus"] = name(record.verdict);
    if (how == Standing::flaky) test["flaky"] = true;
    if (how == Standing::known)
      test["message"] = value_of("known: " + record.known_reason);
    else if (how != Standing::passed)
      test["message"] = value_of(cause(record));
    if (how == Standing::failed || how == Standing::flaky || how == Standing::known) {
      if (const std::string story = story_of(record); !story.empty()) test["trace"] = value_of(story);
      if (!record.snippet.empty()) test["snippet"] = value_of(record.snippet);
    }
    if (!record.file.empty()) test["filePath"] = value_of(record.file);
    if (record.line > 0) test["line"] = record.line;
    if (how == Standing::failed || how == Standing::known || record.count > 1) put_extra(record, test);
    add(test);
  }

  void run_finished(const spec::Trailer& trailer) override {
    for (const spec::Skipped& skipped : trailer.skipped) {
      ordered_json test = test_of(skipped.api + "/skipped", "skipped");
      test["suite"] = {value_of(skipped.engine), value_of(skipped.api)};
      test["rawStatus"] = "skipped";
      test["message"] = value_of(words_of(skipped));
      add(test);
    }
    for (const spec::StaleEntry& entry : trailer.stale) {
      if (!fails(header_, entry)) continue;
      ordered_json test = test_of(fmt::format("baseline {}:{}", entry.file, entry.line), "failed");
      test["message"] = value_of(entry.text);
      test["rawStatus"] = "stale";
      add(test);
    }
    for (const spec::FailedGate& gate : trailer.gates) {
      ordered_json test = test_of("gate " + gate.gate, "failed");
      test["message"] = value_of(gate.text);
      test["rawStatus"] = "gate";
      add(test);
    }
    if (trailer.interrupted || trailer.ended.empty()) {
      ordered_json test = test_of("the run is whole", "failed");
      test["message"] = headline(counted_, header_.planned);
      test["rawStatus"] = trailer.interrupted ? "interrupted" : "cut off";
      add(test);
    }
    put(trailer);
  }

 private:
  ordered_json test_of(const std::string& name, const char* status) {
    ++counts_[status];
    return {{"name", value_of(name)}, {"status", status}, {"duration", 0}};
  }

  /// Writes a test as it will stand in the list.
  void add(const ordered_json& test) {
    tests_.append(count_++ == 0 ? "\n   " : ",\n   ");
    for (const char c : test.dump(1)) {
      line_ += c;
      if (c == '\n') line_ += "   ";
    }
    tests_.append(line_);
    line_.clear();
  }

  static void put_extra(const spec::Record& record, ordered_json& test) {
    ordered_json extra = ordered_json::object();
    if (record.diagnosis.kind != spec::DiagnosisKind::none) extra["diagnosis"] = to_string(record.diagnosis);
    extra["reproduce"] = value_of(record.reproduce);
    if (record.count > 1) extra["calls"] = record.count;
    test["extra"] = std::move(extra);
  }

  void put(const spec::Trailer& trailer) {
    ordered_json summary = {{"tests", count_}};
    for (const char* status : {"passed", "failed", "skipped", "pending", "other"})
      summary[status] = counts_[status];
    summary["extra"] = {{"calls", headline(counted_, header_.planned)}};
    summary["start"] = milliseconds(header_.started);
    // A run that was cut off has no end.
    summary["stop"] = milliseconds(trailer.ended.empty() ? header_.started : trailer.ended);
    ordered_json report;
    report["reportFormat"] = "CTRF";
    report["specVersion"] = "0.0.0";
    report["generatedBy"] = "scatterproof";
    report["results"]["tool"] = {{"name", "scatterproof"}, {"version", value_of(header_.tool_version)}};
    report["results"]["summary"] = std::move(summary);
    report["results"]["tests"] = ordered_json::array();
    const std::string text = report.dump(1) + '\n';
    const std::size_t list = text.rfind("[]") + 1;  // it is the last member, and empty so far
    out_ << text.substr(0, list);
    write_tests();
    if (count_ > 0) out_ << "\n  ";
    out_ << text.substr(list);
    out_.flush();
  }

  void write_tests() {
    constexpr std::size_t piece = std::size_t{1} << 16;
    for (std::uint64_t at = 0; at < tests_.size(); at += piece)
      out_ << tests_.read(at, static_cast<std::size_t>(std::min<std::uint64_t>(piece, tests_.size() - at)));
  }

  std::ostream& out_;
  spec::Header header_;
  std::map<std::string, std::size_t> counts_;  ///< by status
  CallCounts counted_;
  spec::Spool tests_;  ///< as text
  std::size_t count_ = 0;
  std::string line_;
};

}  // namespace

std::unique_ptr<Reporter> make_ctrf(std::ostream& out, const Style&) { return std::make_unique<Ctrf>(out); }

}  // namespace scatterproof::reports
