// SPDX-License-Identifier: Apache-2.0
// JUnit XML in the dialect Jenkins reads: one test suite for each engine and API, written when the run is
// over.
#include <fmt/format.h>

#include <map>
#include <memory>
#include <ostream>
#include <pugixml.hpp>
#include <utility>
#include <vector>

#include "scatterproof/reports/counts.hpp"
#include "scatterproof/reports/reporter.hpp"
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
    suites_[{record.engine, record.api}].push_back(record);
    counts_.add(record.verdict, record.disposition, record.count);
  }

  void run_finished(const spec::Trailer& trailer) override {
    pugi::xml_document document;
    pugi::xml_node root = document.append_child("testsuites");
    put(root, "name", "scatterproof");
    Counts all;
    for (const auto& [key, records] : suites_) all += add_suite(root, key.first, key.second, records);
    all += add_run_suite(root, trailer);
    put_counts(root, all);
    document.save(out_, "  ", pugi::format_indent, pugi::encoding_utf8);
    out_.flush();
  }

 private:
  pugi::xml_node add_empty_suite(pugi::xml_node root, const std::string& name) {
    pugi::xml_node suite = root.append_child("testsuite");
    put(suite, "name", clean(name));
    put(suite, "timestamp", clean(header_.started));
    if (!header_.host.empty()) put(suite, "hostname", clean(header_.host));
    return suite;
  }

  Counts add_suite(pugi::xml_node root, const std::string& engine, const std::string& api,
                   const std::vector<spec::Record>& records) {
    pugi::xml_node suite = add_empty_suite(root, engine + " " + api);
    CallCounts calls;
    for (const spec::Record& record : records) calls.add(record.verdict, record.disposition, record.count);
    pugi::xml_node properties = suite.append_child("properties");
    for (const auto& [name, value] : {std::pair{"engine", engine},
                                      {"calls", headline(calls)},
                                      {"version", records.front().version},
                                      {"device", records.front().device},
                                      {"seed", std::to_string(header_.seed)}}) {
      pugi::xml_node property = properties.append_child("property");
      put(property, "name", name);
      put(property, "value", clean(value));
    }
    Counts counts;
    for (const spec::Record& record : records) add_case(suite, record, counts);
    put_counts(suite, counts);
    return counts;
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

  static void skip(pugi::xml_node node, const std::string& message, Counts& counts) {
    put(node.append_child("skipped"), "message", clean(message));
    ++counts.skipped;
  }

  static void fail(pugi::xml_node node, const spec::Record& record, Counts& counts) {
    const bool error = is_error(record.verdict);
    pugi::xml_node what = node.append_child(error ? "error" : "failure");
    put(what, "type", std::string(name(record.verdict)));
    put(what, "message", clean(cause(record)));
    std::string text = clean(record.explanation);
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
  std::map<std::pair<std::string, std::string>, std::vector<spec::Record>> suites_;  ///< by engine and API
};

}  // namespace

std::unique_ptr<Reporter> make_junit(std::ostream& out, const Style&) { return std::make_unique<JUnit>(out); }

}  // namespace scatterproof::reports
