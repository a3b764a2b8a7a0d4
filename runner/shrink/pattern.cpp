// SPDX-License-Identifier: Apache-2.0
#include "pattern.hpp"

#include <algorithm>
#include <cctype>

#include "judging.hpp"
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

/// The line that says most: which wrong meaning, or which repair of an index, explains the whole result;
/// else the first.
std::string telling_line(const std::string& explanation) {
  for (const std::string_view start : {"the whole result is ", "the result is that of "})
    if (const std::size_t at = explanation.find(start); at != std::string::npos)
      return explanation.substr(at, explanation.find('\n', at) - at);
  return explanation.substr(0, explanation.find('\n'));
}

std::string without_numbers_and_places(const std::string& text) {
  std::string kept;
  int depth = 0;
  for (const char c : text) {
    if (c == '[') ++depth;
    if (depth == 0 && std::isdigit(static_cast<unsigned char>(c)) == 0) kept += c;
    if (c == ']' && depth > 0) --depth;
  }
  return kept;
}

/// What the judge says differs in numbers from call to call; what stands after the first comma or colon is
/// particular to a call, and so is what "is" in a cell, a shape or a dtype.
std::string kind_of_explanation(const spec::Judgement& judgement) {
  std::string line = telling_line(judgement.explanation);
  const bool explained =
      line.starts_with("the whole result is ") || line.starts_with("the result is that of ");
  if (!explained && judgement.verdict == spec::Verdict::mismatch) line = line.substr(0, line.find(" is "));
  if (judgement.verdict != spec::Verdict::crash) line = line.substr(0, line.find_first_of(",:"));
  line = without_numbers_and_places(line);
  return line == "out" ? "" : line;  // a cell that nothing explains
}

}  // namespace

Pattern pattern_of(const spec::OpSpec& op, const spec::Call& call, const engines::EngineInfo& engine,
                   const spec::Judgement& judgement) {
  return {judgement.verdict, broken_rules(op, call, target_of(op, engine)), kind_of_explanation(judgement)};
}

Keeps keeps_pattern(const spec::OpSpec& op, engines::Engine& engine, Pattern pattern,
                    std::chrono::milliseconds timeout) {
  return [&op, &engine, pattern = std::move(pattern), timeout](std::span<const spec::Call> candidates) {
    std::vector<bool> kept(candidates.size());
    const spec::Target target = target_of(op, engine.info());
    std::vector<engines::Job> jobs;
    std::vector<std::size_t> sent;
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if (broken_rules(op, candidates[i], target) == pattern.broken && engine.supports(candidates[i]).yes) {
        jobs.push_back({&candidates[i], timeout});
        sent.push_back(i);
      }
    const std::vector<spec::Outcome> outcomes = engine.run(jobs);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const auto judgement = judge_call(op, candidates[sent[i]], engine.info(), outcomes[i]);
      kept[sent[i]] = judgement && judgement->verdict == pattern.verdict &&
                      (pattern.explanation.empty() || kind_of_explanation(*judgement) == pattern.explanation);
    }
    return kept;
  };
}

}  // namespace scatterproof::runner::shrink
