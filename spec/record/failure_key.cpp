// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/record/failure_key.hpp"

#include <algorithm>

#include "scatterproof/spec/record/engine_name.hpp"

namespace scatterproof::spec {
namespace {

constexpr std::size_t longest_glob = 160;  // bytes: what follows in a message repeats the call

bool is_figure(char c) { return c >= '0' && c <= '9'; }

/// Whether a number begins here: a digit, or its sign.
bool begins_number(std::string_view text) {
  return !text.empty() && (is_figure(text[0]) || (text[0] == '-' && text.size() > 1 && is_figure(text[1])));
}

/// How long the number is that begins the text; an address of hexadecimal digits is one too.
std::size_t number_length(std::string_view text) {
  if (text.starts_with("0x"))
    return std::min(text.find_first_not_of("0123456789abcdefABCDEF", 2), text.size());
  std::size_t n = text[0] == '-' ? 1 : 0;
  while (n < text.size() &&
         (is_figure(text[n]) || (text[n] == '.' && n + 1 < text.size() && is_figure(text[n + 1]))))
    ++n;
  return n;
}

/// How long the numbers are, with the commas and spaces between them, that begin the text: `-4, 4`.
std::size_t numbers_length(std::string_view text) {
  std::size_t n = number_length(text);
  while (true) {
    const std::size_t next = std::min(text.find_first_not_of(", ", n), text.size());
    if (next == n || !begins_number(text.substr(next))) return n;
    n = next + number_length(text.substr(next));
  }
}

/// `<rule>` of `api/rule/<rule>/breaks` and of `api/fuzz/<rule>`; `relation/<relation>` of its ids. None
/// where the document defines a result although a rule is broken: the failure is not about the rule then.
std::string rule_in(const Record& record) {
  std::string_view id = std::string_view(record.id).substr(std::min(record.id.size(), record.api.size()));
  if (id.starts_with("/relation/")) return std::string(id.substr(1));
  if (record.verdict == Verdict::mismatch || record.verdict == Verdict::unexpected_error) return "";
  if (id.starts_with("/fuzz/")) {
    id.remove_prefix(6);
    const std::string_view rule = id.substr(0, id.find('/'));
    return rule == "valid" ? "" : std::string(rule);
  }
  const std::size_t side = id.find("/breaks");
  return id.starts_with("/rule/") && side != std::string_view::npos ? std::string(id.substr(6, side - 6))
                                                                    : "";
}

/// What is said of all calls with one bug. Whether repeats settle that a call has a race is chance.
Diagnosis common_diagnosis(const Diagnosis& said) {
  Diagnosis common = without_numbers(without_guess(said));
  if (common.kind == DiagnosisKind::race) common.kind = DiagnosisKind::differs_when_repeated;
  return common;
}

}  // namespace

std::string message_glob(std::string_view message) {
  std::string_view left = message.substr(0, message.find('\n'));
  bool cut = left.size() < message.size();
  std::string glob;
  while (!left.empty() && glob.size() < longest_glob) {
    const std::size_t numbers = begins_number(left) ? numbers_length(left) : 0;
    glob += numbers > 0 ? '*' : left.front();
    left.remove_prefix(std::max<std::size_t>(numbers, 1));
  }
  cut = cut || !left.empty();
  return cut && !glob.ends_with('*') ? glob + '*' : glob;
}

const std::string& operation_of(const Record& record) {
  return record.operation.empty() ? record.api : record.operation;
}

FailureKey key_of(const Record& record) {
  FailureKey key{.engine = without_release(record.engine),
                 .verdict = record.verdict,
                 .diagnosis = to_string(common_diagnosis(record.diagnosis)),
                 .rule = rule_in(record),
                 // Streams of version 1 have no diagnosis: their words must do.
                 .message = message_glob(record.diagnosis.kind == DiagnosisKind::none ? record.explanation
                                                                                      : record.message),
                 .operation = {}};
  if (key.message.empty()) key.operation = operation_of(record);
  return key;
}

Severity severity_of(const Record& record) {
  using enum DiagnosisKind;
  switch (record.verdict) {
    case Verdict::crash:
      return Severity::crash;
    case Verdict::mismatch:
    case Verdict::missing_error:
      break;
    case Verdict::unexpected_error:
      return Severity::refusal;
    case Verdict::wrong_error:
      return Severity::message;
    case Verdict::timeout:
      return Severity::timeout;
    default:
      return Severity::no_verdict;
  }
  switch (record.diagnosis.kind) {
    case argument_written:
    case foreign_memory:
    case changed_though_refused:
      return Severity::memory;
    default:
      return Severity::wrong_result;
  }
}

}  // namespace scatterproof::spec
