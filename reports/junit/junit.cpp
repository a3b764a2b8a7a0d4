// SPDX-License-Identifier: Apache-2.0
// JUnit XML in the dialect that Jenkins reads: one test suite for each engine and API, whose cases become
// text as they come. The report is written when the run is over.
#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <pugixml.hpp>
#include <sstream>
#include <utility>
#include <vector>

#include "overview.hpp"
#include "scatterproof/reports/counts.hpp"
#include "scatterproof/reports/reporter.hpp"
#include "scatterproof/spec/core/spool.hpp"
#include "text.hpp"

namespace scatterproof::reports {
namespace {

constexpr std::size_t longest_in_xml = 4096;  // bytes of one string

std::string clean(std::string_view text) { return capped(printable(text), longest_in_xml); }

struct Counts {
  int tests = 0;
  int failures = 0;
  int errors = 0;
  int skipped = 0;
  double seconds = 0;

  Counts& operator+=(const Counts& other) {
    tests += other.tests;
    failures += other.failures;
    errors += other.errors;
    skipped += other.skipped;
    seconds += other.seconds;
    return *this;
  }
};

void put(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(value.c_str());
}

void put_counts(pugi::xml_node node, const Counts& counts) {
  node.append_attribute("tests").set_value(counts.tests);
  node.append_attribute("failures").set_value(counts.failures);
  node.append_attribute("errors").set_value(counts.errors);
  node.append_attribute("skipped").set_value(counts.skipped);
  put(node, "time", fmt::format("{:.6f}", counts.seconds));
}

bool is_error(spec::Verdict verdict) {
  return verdict == spec::Verdict::crash || verdict == spec::Verdict::timeout ||
         verdict == spec::Verdict::infra || verdict == spec::Verdict::disputed;
}

class JUnit final : public Reporter {
 public:
  explicit JUnit(std::ostream& out) : out_(out) {}

  void run_started(const spec::Header& header) override { header_ = header; }
  void call_judged(const spec::Record& record) override {
    counts_.add(record.verdict, record.disposition, record.count);
    Suite& suite = suites_[{record.engine, record.api}];
    if (suite.counts.tests == 0) suite.version = record.version, suite.device = record.device;
    suite.calls.add(record.verdict, record.disposition, record.count);
    pugi::xml_document document;
    add_case(document, record, suite.counts);
    suite.cases += xml_of(document.first_child(), 2);
    if (suite.cases.size() >= most_waiting) put_away(suite);
  }

  void run_finished(const spec::Trailer& trailer) override {
    for (const spec::Skipped& skipped : trailer.skipped) add_skipped(skipped);
    pugi::xml_document last;
    Counts all;
    for (const auto& [key, suite] : suites_) all += suite.counts;
    all += add_run_suite(last, trailer);
    pugi::xml_document document;
    pugi::xml_node root = document.append_child("testsuites");
    put(root, "name", "scatterproof");
    put_counts(root, all);
    std::ostringstream text;
    const bool empty = suites_.empty() && !last.first_child();
    if (!empty) root.append_child(place);
    document.save(text, "  ", pugi::format_indent, pugi::encoding_utf8);
    const auto [begin, end] = around_place(text.str());
    out_ << begin;
    for (const auto& [key, suite] : suites_) write_suite(key.first, key.second, suite);
    if (last.first_child()) out_ << xml_of(last.first_child(), 1);
    out_ << end;
    out_.flush();
  }

 private:
  static constexpr std::size_t most_waiting = 16384;  // bytes of a suite in memory
  static constexpr const char* place = "cases";       // an element in whose place others are written

  /// What is known of a suite before all of its cases are. They arrive out of order: each suite's cases are
  /// written together.
  struct Suite {
    std::string version;  ///< of its first record, as the device
    std::string device;
    CallCounts calls;
    Counts counts;
    std::string cases;                                           ///< those that are not in the spool yet
    std::vector<std::pair<std::uint64_t, std::size_t>> written;  ///< where the others are, and how long
  };

  static std::string xml_of(pugi::xml_node node, unsigned depth) {
    std::ostringstream text;
    node.print(text, "  ", pugi::format_indent, pugi::encoding_utf8, depth);
    return text.str();
  }

  /// What comes before the line of the place, and what after it; all and nothing where there is none.
  static std::pair<std::string, std::string> around_place(const std::string& text) {
    const std::size_t at = text.find(fmt::format("<{} />", place));
    if (at == std::string::npos) return {text, ""};
    return {text.substr(0, text.rfind('\n', at) + 1), text.substr(text.find('\n', at) + 1)};
  }

  void put_away(Suite& suite) {
    suite.written.emplace_back(spool_.append(suite.cases), suite.cases.size());
    suite.cases.clear();
  }

  pugi::xml_node add_empty_suite(pugi::xml_node root, const std::string& name) {
    pugi::xml_node suite = root.append_child("testsuite");
    put(suite, "name", clean(name));
    put(suite, "timestamp", clean(header_.started));
    if (!header_.host.empty()) put(suite, "hostname", clean(header_.host));
    return suite;
  }

  void write_suite(const std::string& engine, const std::string& api, const Suite& suite) {
    pugi::xml_document document;
    pugi::xml_node node = add_empty_suite(document, engine + " " + api);
    put_counts(node, suite.counts);
    pugi::xml_node properties = node.append_child("properties");
    for (const auto& [name, value] : {std::pair{"engine", engine},
                                      {"calls", headline(suite.calls)},
                                      {"version", suite.version},
                                      {"device", suite.device},
                                      {"seed", std::to_string(header_.seed)}}) {
      pugi::xml_node property = properties.append_child("property");
      put(property, "name", name);
      put(property, "value", clean(value));
    }
    node.append_child(place);
    const auto [begin, end] = around_place(xml_of(node, 1));
    out_ << begin;
    for (const auto& [at, size] : suite.written) out_ << spool_.read(at, size);
    out_ << suite.cases << end;
  }

  static pugi::xml_node add_named_case(pugi::xml_node suite, const std::string& group,
                                       const std::string& name, double seconds, Counts& counts) {
    pugi::xml_node node = suite.append_child("testcase");
    put(node, "classname", clean(group));
    put(node, "name", clean(name));
    put(node, "time", fmt::format("{:.6f}", seconds));
    ++counts.tests;
    counts.seconds += seconds;
    return node;
  }

  void add_case(pugi::xml_node suite, const spec::Record& record, Counts& counts) const {
    pugi::xml_node node = add_named_case(suite, record.engine + "." + record.api, record.id,
                                         record.call_seconds + record.judge_seconds, counts);
    switch (standing(record)) {
      case Standing::passed:
        break;
      case Standing::weak:
        node.append_child("system-out").text().set(clean("weak: " + record.explanation).c_str());
        break;
      case Standing::known:
        skip(node, fmt::format("known {}: {}", name(record.verdict), record.known_reason), counts);
        break;
      case Standing::flaky:
        fails(header_, record)
            ? fail(node, record, counts)
            : skip(node, fmt::format("flaky {}: {}", name(record.verdict), cause(record)), counts);
        break;
      case Standing::open:
        skip(node, "open: " + cause(record), counts);
        break;
      case Standing::unsupported:
        skip(node, "unsupported: " + cause(record), counts);
        break;
      case Standing::failed:
        fail(node, record, counts);
        break;
    }
  }

  /// Calls that have no records, as one case.
  void add_skipped(const spec::Skipped& skipped) {
    Suite& suite = suites_[{skipped.engine, skipped.api}];
    pugi::xml_document document;
    skip(add_named_case(document, skipped.engine + "." + skipped.api, skipped.api + "/skipped", 0,
                        suite.counts),
         words_of(skipped), suite.counts);
    suite.cases += xml_of(document.first_child(), 2);
  }

  static void skip(pugi::xml_node node, const std::string& message, Counts& counts) {
    put(node.append_child("skipped"), "message", clean(message));
    ++counts.skipped;
  }

  static void fail(pugi::xml_node node, const spec::Record& record, Counts& counts) {
    const bool error = is_error(record.verdict);
    pugi::xml_node what = node.append_child(error ? "error" : "failure");
    put(what, "type", std::string(name(record.verdict)));
    put(what, "message", clean(cause(record)));
    std::string text = clean(story_of(record));
    if (record.diagnosis.kind != spec::DiagnosisKind::none)
      text += "\ndiagnosis: " + clean(to_string(record.diagnosis));
    for (const spec::Verdict verdict : record.retried)
      text += fmt::format("\na freshly started engine: {}", name(verdict));
    if (record.disposition == spec::Disposition::expired)
      text += "\nexpired baseline entry: " + clean(record.known_reason);
    text += "\nreproduce: " + clean(record.reproduce);
    what.text().set(text.c_str());
    ++(error ? counts.errors : counts.failures);
  }

  /// What is wrong with the run as a whole, so that no reader takes half a run for a good one.
  Counts add_run_suite(pugi::xml_node root, const spec::Trailer& trailer) {
    Counts counts;
    pugi::xml_node suite = add_empty_suite(root, "run");
    for (const spec::StaleEntry& entry : trailer.stale) {
      if (!fails(header_, entry)) continue;
      pugi::xml_node node =
          add_named_case(suite, "run.baseline", fmt::format("{}:{}", entry.file, entry.line), 0, counts);
      pugi::xml_node what = node.append_child("failure");
      put(what, "type", entry.fixed ? "fixed" : "stale");
      put(what, "message", clean(entry.text));
      ++counts.failures;
    }
    for (const spec::FailedGate& gate : trailer.gates) {
      pugi::xml_node what = add_named_case(suite, "run.gate", gate.gate, 0, counts).append_child("failure");
      put(what, "type", "gate");
      put(what, "message", clean(gate.text));
      ++counts.failures;
    }
    for (const spec::EngineSummary& engine : header_.engines)
      if (engine.state != "ready")
        skip(add_named_case(suite, "run.engine", engine.name, 0, counts), engine.state, counts);
    if (trailer.interrupted || trailer.ended.empty()) {
      pugi::xml_node what = add_named_case(suite, "run", "complete", 0, counts).append_child("error");
      put(what, "type", trailer.interrupted ? "interrupted" : "cut off");
      put(what, "message", headline(counts_, header_.planned));
      ++counts.errors;
    }
    put_counts(suite, counts);
    if (counts.tests == 0) root.remove_child(suite);
    return counts;
  }

  std::ostream& out_;
  spec::Header header_;
  CallCounts counts_;
  std::map<std::pair<std::string, std::string>, Suite> suites_;  ///< by engine and API
  spec::Spool spool_;                                            ///< cases as they are written
};

}  // namespace

std::unique_ptr<Reporter> make_junit(std::ostream& out, const Style&) { return std::make_unique<JUnit>(out); }

}  // namespace scatterproof::reports
