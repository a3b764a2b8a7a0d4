// SPDX-License-Identifier: Apache-2.0
// TAP, version 14: a line for each record while the run lasts, the plan at its end.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "overview.hpp"
#include "scatterproof/reports/counts.hpp"
#include "scatterproof/reports/reporter.hpp"
#include "text.hpp"

namespace scatterproof::reports {
namespace {

constexpr std::size_t longest_point = 400;  // bytes of a description or a directive's reason
constexpr std::size_t longest_field = 4096;

/// One line, in which a `#` begins no directive.
std::string tap_line(std::string_view text) {
  std::string out;
  for (const char c : capped(printable(text), longest_point)) {
    if (c == '\\' || c == '#') out += '\\';
    out += c == '\n' || c == '\t' ? ' ' : c;
  }
  return out;
}

/// A string as YAML reads it: JSON is YAML.
std::string yaml_string(std::string_view text) {
  return nlohmann::json(capped(printable(text), longest_field)).dump();
}

class Tap final : public Reporter {
 public:
  explicit Tap(std::ostream& out) : out_(out) {}

  void run_started(const spec::Header& header) override {
    out_ << "TAP version 14\n";
    for (const spec::EngineSummary& engine : header.engines)
      if (engine.state != "ready")
        out_ << fmt::format("# {}: {}\n", tap_line(engine.name), tap_line(engine.state));
    header_ = header;
  }

  void call_judged(const spec::Record& record) override {
    counts_.add(record.verdict, record.disposition, record.count);
    const Standing how = standing(record);
    const std::string calls = record.count > 1 ? fmt::format(" ({} calls)", record.count) : "";
    const std::string point =
        fmt::format("{} - {} on {}{}", ++points_, tap_line(record.id), tap_line(record.engine), calls);
    switch (how) {
      case Standing::passed:
      case Standing::weak:
        out_ << "ok " << point << '\n';
        break;
      case Standing::open:
      case Standing::unsupported:
        out_ << fmt::format("ok {} # SKIP {}: {}\n", point, name(record.verdict), tap_line(cause(record)));
        break;
      case Standing::known:
        out_ << fmt::format("not ok {} # TODO known {}: {}\n", point, name(record.verdict),
                            tap_line(record.known_reason));
        break;
      case Standing::flaky:
        if (fails(header_, record))
          out_ << "not ok " << point << '\n';
        else
          out_ << fmt::format("not ok {} # TODO flaky {}: {}\n", point, name(record.verdict),
                              tap_line(cause(record)));
        break;
      case Standing::failed:
        out_ << "not ok " << point << '\n';
        break;
    }
    if (how == Standing::weak || how == Standing::failed || how == Standing::flaky || how == Standing::known)
      put_fields(record);
    out_.flush();
  }

  void run_finished(const spec::Trailer& trailer) override {
    for (const spec::Skipped& skipped : trailer.skipped)
      out_ << fmt::format("ok {} - {}/skipped on {} # SKIP {}\n", ++points_, tap_line(skipped.api),
                          tap_line(skipped.engine), tap_line(words_of(skipped)));
    for (const spec::StaleEntry& entry : trailer.stale)
      if (fails(header_, entry))
        out_ << fmt::format(
            "not ok {} - {}\n", ++points_,
            tap_line(fmt::format("stale baseline entry {}:{}: {}", entry.file, entry.line, entry.text)));
    for (const spec::FailedGate& gate : trailer.gates)
      out_ << fmt::format("not ok {} - {}\n", ++points_,
                          tap_line(fmt::format("gate {}: {}", gate.gate, gate.text)));
    if (trailer.ended.empty() || trailer.interrupted)  // no plan: no reader takes half a run for a whole one
      out_ << fmt::format("Bail out! {}: {}\n", trailer.interrupted ? "interrupted" : "cut off",
                          headline(counts_, header_.planned));
    else
      out_ << fmt::format("# {}\n1..{}{}\n", headline(counts_, header_.planned), points_,
                          points_ == 0 ? " # SKIP nothing ran" : "");
    out_.flush();
  }

 private:
  void put_fields(const spec::Record& record) {
    out_ << "  ---\n";
    const auto put_field = [&](const char* key, std::string_view value) {
      if (!value.empty()) out_ << fmt::format("  {}: {}\n", key, yaml_string(value));
    };
    put_field("verdict", name(record.verdict));
    put_field("message", cause(record));
    if (record.diagnosis.kind != spec::DiagnosisKind::none)
      put_field("diagnosis", to_string(record.diagnosis));
    put_field("explanation", story_of(record));
    put_field("reproduce", record.reproduce);
    put_field("file", record.file);
    if (record.line > 0) out_ << fmt::format("  line: {}\n", record.line);
    out_ << "  ...\n";
  }

  std::ostream& out_;
  spec::Header header_;
  CallCounts counts_;
  std::size_t points_ = 0;
};

}  // namespace

std::unique_ptr<Reporter> make_tap(std::ostream& out, const Style&) { return std::make_unique<Tap>(out); }

}  // namespace scatterproof::reports
