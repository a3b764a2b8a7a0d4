// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/shrink/failure_signature.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "scatterproof/runner/trial/ask.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/judge/judge.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::runner::shrink {
namespace {

std::vector<std::string> broken_rules(const spec::OpSpec& op, const spec::Call& call,
                                      const spec::Target& target) {
  const std::vector<spec::RuleState::Kind> kinds = spec::rule_kinds(op, call, target);
  std::vector<std::string> broken;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i] == spec::RuleState::Kind::broken) broken.push_back(op.rules[i].id);
  return broken;
}

/// Wrong cells without a known simple meaning.
bool is_unexplained(const spec::Diagnosis& diagnosis) {
  using enum spec::DiagnosisKind;
  return diagnosis.kind == cells_kept_start || diagnosis.kind == cells_untouched ||
         diagnosis.kind == cells_other;
}

bool is_part_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// The words of a message's first line, without those that name a value of the call: in quotes, or with a
/// figure.
std::string words_of(std::string_view message) {
  const std::string_view line = message.substr(0, message.find('\n'));
  std::string words;
  for (std::size_t at = 0; at < line.size();) {
    const bool opens = std::string_view("'\"`").find(line[at]) != std::string_view::npos &&
                       (at == 0 || !is_part_of_word(line[at - 1]));
    if (const std::size_t closes = opens ? line.find(line[at], at + 1) : line.npos; closes != line.npos) {
      at = closes + 1;
      continue;
    }
    std::size_t end = at;
    while (end < line.size() && is_part_of_word(line[end])) ++end;
    const std::string_view word = line.substr(at, end - at);
    if (!word.empty() && word.find_first_of("0123456789") == word.npos) (words += word) += ' ';
    at = std::max(end, at + 1);
  }
  return words;
}

}  // namespace

FailureSignature signature_of(const spec::OpSpec& op, const spec::Call& call,
                              const engines::EngineInfo& engine, const spec::Judgement& judgement) {
  return {.verdict = judgement.verdict,
          .broken = broken_rules(op, call, target_of(op, engine)),
          .diagnosis = without_numbers(judgement.diagnosis),
          .said = words_of(judgement.message)};
}

bool fails_alike(const FailureSignature& signature, const spec::Judgement& judgement) {
  return judgement.verdict == signature.verdict && words_of(judgement.message) == signature.said &&
         (is_unexplained(signature.diagnosis) || without_numbers(judgement.diagnosis) == signature.diagnosis);
}

Keeps keeps_signature(const spec::OpSpec& op, engines::Engine& engine, FailureSignature signature,
                      std::chrono::milliseconds timeout) {
  return [&op, &engine, signature = std::move(signature), timeout](std::span<const spec::Call> candidates) {
    std::vector<bool> kept(candidates.size());
    const spec::Target target = target_of(op, engine.info());
    std::vector<const spec::Call*> asked;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if (broken_rules(op, candidates[i], target) == signature.broken) {
        asked.push_back(&candidates[i]);
        places.push_back(i);
      }
    const std::vector<spec::Outcome> outcomes = ask(engine, asked, timeout);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      if (std::holds_alternative<spec::Unsupported>(outcomes[i].what)) continue;
      const auto trial = judge_call(op, *asked[i], engine.info(), outcomes[i]);
      kept[places[i]] = trial && fails_alike(signature, trial->judgement);
    }
    return kept;
  };
}

}  // namespace scatterproof::runner::shrink
