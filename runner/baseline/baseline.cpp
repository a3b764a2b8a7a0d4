// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/baseline/baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <sstream>

#include "scatterproof/runner/calls/call_text.hpp"
#include "scatterproof/runner/select/select.hpp"
#include "scatterproof/spec/core/version.hpp"
#include "scatterproof/spec/record/engine_name.hpp"
#include "scatterproof/spec/yaml/yaml.hpp"

namespace scatterproof::runner {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

struct Bound {
  std::string relation;
  std::string version;
};

Bound read_bound(const std::string& text) {
  const std::size_t from = text.find_first_not_of(' ');
  const std::size_t digits = text.find_first_of("0123456789", from == std::string::npos ? 0 : from);
  if (digits == std::string::npos) return {"", ""};
  std::string relation = text.substr(from, digits - from);
  relation.erase(std::remove(relation.begin(), relation.end(), ' '), relation.end());
  return {relation.empty() ? "==" : relation, text.substr(digits)};
}

bool holds(const std::string& version, const Bound& bound) {
  const int order = spec::compare_versions(version, bound.version);
  if (bound.relation == ">=") return order >= 0;
  if (bound.relation == ">") return order > 0;
  if (bound.relation == "<=") return order <= 0;
  if (bound.relation == "<") return order < 0;
  return order == 0;
}

std::string field(const spec::yaml::Node& node, std::string_view key) {
  const spec::yaml::Node* found = node.find(key);
  return found ? found->text : "";
}

/// Whether the calendar has the day, written YYYY-MM-DD.
bool is_day(const std::string& text) {
  const auto number = [&](std::size_t at, std::size_t length) { return std::stoi(text.substr(at, length)); };
  return std::chrono::year_month_day(std::chrono::year(number(0, 4)),
                                     std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                     std::chrono::day(static_cast<unsigned>(number(8, 2))))
      .ok();
}

/// One text, or a list of them.
std::vector<std::string> texts_of(const spec::yaml::Node& node, std::string_view key) {
  const spec::yaml::Node* found = node.find(key);
  if (!found) return {};
  if (found->kind != spec::yaml::Node::Kind::list) return {found->text};
  std::vector<std::string> texts;
  for (const spec::yaml::Node& item : found->items) texts.push_back(item.text);
  return texts;
}

std::vector<CaseGlob> cases_in(const spec::yaml::Node& node) {
  if (node.kind != spec::yaml::Node::Kind::list) return {{.glob = node.text, .line = node.at.line}};
  std::vector<CaseGlob> cases;
  for (const spec::yaml::Node& item : node.items) cases.push_back({.glob = item.text, .line = item.at.line});
  return cases;
}

/// Then a case that is stale could not be removed by its line.
bool shares_lines(const BaselineEntry& entry) {
  const auto shared = [](const CaseGlob& one, const CaseGlob& next) { return one.line == next.line; };
  return entry.cases.size() > 1 && (entry.cases.front().line == entry.line ||
                                    std::ranges::adjacent_find(entry.cases, shared) != entry.cases.end());
}

std::vector<spec::Verdict> verdicts_of(const spec::yaml::Node& node) {
  std::vector<spec::Verdict> verdicts;
  for (const std::string& word : texts_of(node, "verdict"))
    if (const auto verdict = spec::parse_verdict(word))
      verdicts.push_back(*verdict);  // others: schema errors
  return verdicts;
}

/// Whether some diagnosis can match, judged by the text before the first wildcard.
bool can_match(const std::string& glob) {
  const std::string start = glob.substr(0, glob.find_first_of("*?"));
  return std::ranges::any_of(spec::all_diagnosis_kinds(), [&](spec::DiagnosisKind kind) {
    const std::string text = to_string(spec::Diagnosis{.kind = kind});
    return text.starts_with(start) || start.starts_with(text + "/");
  });
}

/// Entries of older files match the words of an explanation.
spec::Errors outdated(const spec::yaml::Document& document) {
  spec::Errors errors;
  const spec::yaml::Node* entries = document.root.find("baseline");
  if (!entries) return errors;
  for (const spec::yaml::Node& node : entries->items)
    if (const spec::yaml::Node* old = node.find("explanation"))
      errors.push_back(document.error(
          old->at, "'explanation' is no longer a field: entries match a diagnosis, not words",
          "use 'diagnosis', as the report shows it (such as wrong_meaning/*), or 'message' for what the "
          "engine said"));
  return errors;
}

bool diagnosed(const BaselineEntry& entry, const spec::Record& record) {
  return entry.diagnosis_globs.empty() ||
         std::ranges::any_of(diagnoses_of(record), [&](const spec::Diagnosis& one) {
           const std::string diagnosis = to_string(without_numbers(one));
           return std::ranges::any_of(entry.diagnosis_globs,
                                      [&](const std::string& glob) { return matches_glob(glob, diagnosis); });
         });
}

/// Whether the entry's `call` matches the call, or, of a record without one, all calls that it stands for.
bool matches_call(const BaselineEntry& entry, const spec::Record& record, const spec::Call* call) {
  if (entry.call_glob.empty()) return true;
  if (call) return matches_glob(entry.call_glob, text_of(*call));
  return std::ranges::any_of(
      record.call_globs, [&](const spec::CallGlob& one) { return covers_glob(entry.call_glob, one.glob); });
}

/// Whether the record agrees with the entry in everything that the entry states.
bool happens(const BaselineEntry& entry, const spec::Record& record, const spec::Call* call) {
  return std::ranges::find(entry.verdicts, record.verdict) != entry.verdicts.end() &&
         diagnosed(entry, record) &&
         (entry.message_glob.empty() || matches_glob(entry.message_glob, record.message)) &&
         matches_call(entry, record, call);
}

bool is_case(const CaseGlob& one, const spec::Record& record) {
  return matches_glob(one.glob, record.id) || matches_glob(one.glob, kind_of_id(record.id));
}

/// Whether an entry is about a record if it is about its case.
bool is_in_range(const BaselineEntry& entry, const spec::Record& record) {
  return speaks_of(entry, record.engine, record.version) &&
         (entry.operation_glob.empty() || matches_glob(entry.operation_glob, record.operation));
}

bool is_about(const BaselineEntry& entry, const spec::Record& record) {
  return is_in_range(entry, record) &&
         std::ranges::any_of(entry.cases, [&](const CaseGlob& one) { return is_case(one, record); });
}

/// Whether an entry is about generated calls, and the record's call might be one of them: a call of the same
/// API, with a gradient or not, that breaks one of the same rules or none.
bool is_about_calls_like(const BaselineEntry& entry, const spec::Record& record) {
  const bool valid = record.broken.empty(), gradient = record.id.ends_with(spec::gradient_suffix);
  std::vector<std::string> kinds = gradient ? std::vector<std::string>{"gradient"}
                                   : valid  ? std::vector<std::string>{"valid"}
                                            : record.broken;
  return is_in_range(entry, record) && std::ranges::any_of(kinds, [&](const std::string& kind) {
           const std::string id = fmt::format("{}/fuzz/{}", record.api, kind);
           return std::ranges::any_of(entry.cases,
                                      [&](const CaseGlob& one) { return matches_glob(one.glob, id); });
         });
}

bool speaks_of_case(const BaselineEntry& entry, const spec::Record& record, Whose whose) {
  return is_about(entry, record) || (whose == Whose::users && is_about_calls_like(entry, record));
}

bool is_of_generated_calls(const CaseGlob& one) {
  return one.glob.find("/fuzz/") != std::string::npos || one.glob.find("/relation/") != std::string::npos;
}

/// A failure that passes when it is tried again. A race does so too, but repeats have shown it.
bool recovered(const spec::Record& record) {
  return !record.retried.empty() && !is_failure(record.retried.back()) &&
         record.diagnosis.kind != spec::DiagnosisKind::race;
}

std::string reason_of(const BaselineEntry& entry) {
  return entry.reason + (entry.link.empty() ? "" : " (" + entry.link + ")");
}

}  // namespace

bool covers_glob(const std::string& wide, const std::string& narrow) {
  return wide == narrow || (wide.find('?') == std::string::npos && matches_glob(wide, narrow));
}

bool is_expired(const BaselineEntry& entry, const std::string& today) {
  return !entry.expires.empty() && entry.expires < today;
}

bool speaks_of(const BaselineEntry& entry, const std::string& engine, const std::string& version) {
  if (spec::is_on_named_device(engine) && !spec::is_on_named_device(entry.engine_glob)) return false;
  return (matches_glob(entry.engine_glob, engine) ||
          matches_glob(entry.engine_glob, spec::without_release(engine))) &&
         version_in_range(version, entry.versions);
}

bool describes(const BaselineEntry& entry, const spec::Record& record, const spec::Call* call) {
  return is_about(entry, record) && happens(entry, record, call);
}

std::string kind_of_id(const std::string& id) {
  const std::size_t last = id.rfind('/');
  const bool numbered = last != std::string::npos && last + 1 < id.size() &&
                        id.find_first_not_of("0123456789", last + 1) == std::string::npos;
  return numbered && id.find("/fuzz/") < last - 5 ? id.substr(0, last) : id;
}

bool is_about_generated_calls(const BaselineEntry& entry) {
  return std::ranges::any_of(entry.cases, is_of_generated_calls);
}

std::string cases_of(const BaselineEntry& entry) {
  const std::size_t more = entry.cases.size() - 1;
  return entry.cases.front().glob + (more > 0 ? fmt::format(" and {} more", more) : "") +
         (entry.operation_glob.empty() ? "" : fmt::format(" of {}", entry.operation_glob));
}

std::vector<spec::Diagnosis> diagnoses_of(const spec::Record& record) {
  if (names(record.causes, record.diagnosis)) return record.causes;
  return record.diagnosis.kind == spec::DiagnosisKind::none ? std::vector<spec::Diagnosis>{}
                                                            : std::vector{record.diagnosis};
}

Baseline::Baseline(std::string today) : today_(std::move(today)) {}

std::string check_range(const std::string& range) {
  if (range.empty() || range == "*") return "";
  for (const std::string& part : split(range, ',')) {
    const Bound bound = read_bound(part);
    const bool known = bound.relation == ">=" || bound.relation == ">" || bound.relation == "<=" ||
                       bound.relation == "<" || bound.relation == "==";
    if (!known) return fmt::format("invalid version range '{}'", range);
  }
  return "";
}

bool version_in_range(const std::string& version, const std::string& range) {
  if (range.empty() || range == "*") return true;
  const auto parts = split(range, ',');
  return std::all_of(parts.begin(), parts.end(),
                     [&](const auto& part) { return holds(version, read_bound(part)); });
}

spec::Errors Baseline::add(const std::string& path) {
  const auto document = spec::yaml::read_file(path);
  if (!document) return document.errors();
  if (spec::Errors errors = outdated(*document); !errors.empty()) return errors;
  spec::Errors errors = spec::yaml::validate(*document, "baseline");
  if (!errors.empty()) return errors;
  for (const spec::yaml::Node& node : document->root.find("baseline")->items) {
    BaselineEntry entry;
    entry.cases = cases_in(*node.find("case"));
    entry.operation_glob = field(node, "operation");
    entry.engine_glob = field(node, "engine");
    entry.versions = field(node, "versions");
    entry.verdicts = verdicts_of(node);
    entry.diagnosis_globs = texts_of(node, "diagnosis");
    entry.message_glob = field(node, "message");
    entry.call_glob = field(node, "call");
    entry.reason = field(node, "reason");
    entry.link = field(node, "link");
    entry.since = field(node, "since");
    entry.owner = field(node, "owner");
    entry.expires = field(node, "expires");
    entry.sometimes = field(node, "sometimes") == "true";
    entry.file = path;
    entry.line = node.at.line;
    if (shares_lines(entry))
      errors.push_back(document->error(node.find("case")->at, "cases of one entry share a line",
                                       "write each on a line of its own, after a dash"));
    if (const std::string wrong = check_range(entry.versions); !wrong.empty())
      errors.push_back(document->error(node.find("versions")->at, wrong, "such as '>=2.0,<3'"));
    for (const std::string& glob : entry.diagnosis_globs)
      if (!can_match(glob))
        errors.push_back(
            document->error(node.find("diagnosis")->at, fmt::format("no diagnosis matches '{}'", glob),
                            "use, for example, 'wrong_meaning/*' or 'unexpected_refusal/ValueError'"));
    if (!entry.call_glob.empty() && !std::ranges::all_of(entry.cases, is_of_generated_calls))
      errors.push_back(document->error(node.find("call")->at, "name a case by its id, not by its call",
                                       "'call' only narrows entries whose case is '<api>/fuzz/..'"));
    for (const char* key : {"since", "expires"})
      if (const spec::yaml::Node* day = node.find(key); day && !is_day(day->text))
        errors.push_back(document->error(day->at, fmt::format("there is no day {}", day->text),
                                         "a day is written YYYY-MM-DD, such as 2027-01-31"));
    if (std::none_of(entry.verdicts.begin(), entry.verdicts.end(), is_failure))
      errors.push_back(document->error(
          node.find("verdict")->at, "an expected failure needs a failing verdict",
          "mismatch, wrong_error, missing_error, unexpected_error, crash, timeout, infra, disputed"));
    entries_.push_back(std::move(entry));
  }
  return errors;
}

std::string Baseline::place_of(const spec::Record& record, const spec::Call& call, Whose whose) const {
  for (const BaselineEntry& entry : entries_)
    if (!is_expired(entry, today_) && speaks_of_case(entry, record, whose) && happens(entry, record, &call))
      return fmt::format("{}:{}", entry.file, entry.line);
  return "";
}

void Baseline::reconcile(spec::Record& record, const spec::Call* call, Whose whose) {
  has_gradients_ |= record.id.ends_with(spec::gradient_suffix);
  const bool failed = is_failure(record.verdict);
  record.disposition = !failed             ? spec::Disposition::as_expected
                       : recovered(record) ? spec::Disposition::flaky
                                           : spec::Disposition::unexpected;
  for (BaselineEntry& entry : entries_) {
    if (!speaks_of_case(entry, record, whose)) continue;
    const bool as_it_says = happens(entry, record, call);
    for (CaseGlob& one : entry.cases)
      if (is_case(one, record)) ++(as_it_says ? one.matched : one.contradicted);
    if (!as_it_says) continue;
    if (record.disposition == spec::Disposition::known) continue;  // the first entry gives the reason
    const auto excuse = [&](spec::Disposition disposition, std::string reason) {
      record.disposition = disposition;
      record.known_reason = std::move(reason);
      record.known_file = entry.file;
      record.known_line = entry.line;
    };
    if (!is_expired(entry, today_))
      excuse(spec::Disposition::known, reason_of(entry));
    else if (record.disposition == spec::Disposition::unexpected)
      excuse(spec::Disposition::expired,
             fmt::format("{}; {}:{} expired on {}{}", reason_of(entry), entry.file, entry.line, entry.expires,
                         entry.owner.empty() ? "" : ", owner " + entry.owner));
  }
}

namespace {

bool took_part(const BaselineEntry& entry, const std::vector<spec::EngineSummary>& engines) {
  return std::ranges::any_of(engines, [&](const spec::EngineSummary& engine) {
    return engine.state == "ready" && speaks_of(entry, engine.name, engine.version);
  });
}

bool is_for_several(const CaseGlob& one) { return one.glob.find_first_of("*?") != std::string::npos; }

spec::StaleEntry stale_entry(const BaselineEntry& entry, const std::string& cases, int line, bool ran,
                             const char* remove) {
  const std::string what = fmt::format("{} on {}", cases, entry.engine_glob);
  return {entry.file, line,
          ran ? fmt::format("{} did not fail in this way: {}", what, remove) : what + " matched no case",
          ran};
}

}  // namespace

bool Baseline::may_be_stale(const BaselineEntry& entry, const CaseGlob& one) const {
  return one.matched == 0 && !entry.sometimes && !is_of_generated_calls(one) &&
         (has_gradients_ || !one.glob.ends_with(spec::gradient_suffix));
}

std::vector<spec::StaleEntry> Baseline::unmatched(const std::vector<spec::EngineSummary>& engines) const {
  std::vector<spec::StaleEntry> all;
  for (const BaselineEntry& entry : entries_)
    for (const CaseGlob& one : entry.cases)
      if (is_for_several(one) && may_be_stale(entry, one) &&
          (one.contradicted > 0 || took_part(entry, engines)))
        all.push_back(stale_entry(entry, one.glob, one.line, one.contradicted > 0,
                                  entry.cases.size() == 1 ? "remove the entry" : "remove this case"));
  return all;
}

std::vector<spec::StaleEntry> Baseline::stale(bool whole, const std::vector<spec::EngineSummary>& engines,
                                              bool shard) const {
  std::vector<spec::StaleEntry> stale;
  for (const BaselineEntry& entry : entries_) {
    std::vector<const CaseGlob*> gone;
    for (const CaseGlob& one : entry.cases)
      if (may_be_stale(entry, one) && !(shard && is_for_several(one)) &&
          (one.contradicted > 0 || (whole && took_part(entry, engines))))
        gone.push_back(&one);
    const bool is_whole = gone.size() == entry.cases.size();
    const bool fixed = std::ranges::any_of(gone, [](const CaseGlob* one) { return one->contradicted > 0; });
    if (is_whole)
      stale.push_back(stale_entry(entry, cases_of(entry), entry.line, fixed, "remove the entry"));
    else
      for (const CaseGlob* one : gone)
        stale.push_back(stale_entry(entry, one->glob, one->line, one->contradicted > 0, "remove this case"));
  }
  return stale;
}

}  // namespace scatterproof::runner
