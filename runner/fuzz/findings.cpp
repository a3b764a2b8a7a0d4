// SPDX-License-Identifier: Apache-2.0
#include "findings.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "../baseline.hpp"
#include "../judging.hpp"
#include "../shrink/pattern.hpp"
#include "../snippet/snippet.hpp"

namespace scatterproof::runner::fuzz {
namespace {

constexpr double seconds_in_process = 2;  // to shrink one failure
constexpr double seconds_of_a_worker = 10;

/// ` (index: strides [-1])`: what the printed values do not show.
std::string layouts_of(const spec::Call& call) {
  std::string text;
  for (const auto& [name, argument] : call.arguments)
    if (const auto* tensor = std::get_if<spec::Tensor>(&argument); tensor && !tensor->is_contiguous())
      text += fmt::format("{}{}: strides {}", text.empty() ? " (" : ", ", name,
                          spec::to_string(tensor->strides()));
  return text.empty() ? text : text + ")";
}

}  // namespace

void Findings::keep(const Kind& kind, const Failure& failure) {
  const auto saved = save(kind, failure.made.call, failure.judgement.explanation);
  if (saved && saved->added) kept_[kind] = saved->file;
}

Finding Findings::finding_of(engines::Engine& engine, const Kind& kind, const Failure& failure) {
  const spec::OpSpec& op = *setting_.specs.find(kind.api);
  shrink::Limits limits;
  limits.seconds = engines::is_native(kind.engine) ? seconds_in_process : seconds_of_a_worker;
  const shrink::Shrunk small = shrink::shrink(op, failure.made.call, keeps(op, engine, failure), limits);
  const spec::Outcome outcome = engine.run_one({&small.call, setting_.timeout});
  const spec::Judgement again = judge_again(op, engine, failure, small.call, outcome);
  const bool alike = again.verdict == failure.judgement.verdict;
  std::string explanation =
      alike ? again.explanation : failure.judgement.explanation + "\nit did not fail so a second time";
  explanation +=
      fmt::format("\nthe {} call that shows it: {}{}", small.minimal ? "smallest" : "smallest found",
                  spec::to_string(small.call), layouts_of(small.call));
  std::string snippet;
  if (const auto form = snippet::load_python_form(kind.engine, setting_.places); form && alike)
    if (auto text = snippet::make_snippet(op, small.call, *form, {engine.info(), outcome, again}))
      snippet = std::move(text).value();
  const auto saved = save(kind, small.call, explanation);
  if (!saved) return {explanation, snippet, saved.errors()};
  if (const auto kept = kept_.find(kind); kept != kept_.end() && kept->second != saved->file)
    std::filesystem::remove(kept->second);
  return {explanation, snippet, saved->file};
}

spec::Result<shrink::Saved> Findings::save(const Kind& kind, const spec::Call& call,
                                           const std::string& explanation) {
  return shrink::save_regression(setting_.folder, call, explanation.substr(0, explanation.find('\n')),
                                 {std::string(spec::name(kind.verdict)), kind.engine});
}

shrink::Keeps Findings::keeps(const spec::OpSpec& op, engines::Engine& engine, const Failure& failure) const {
  if (!failure.relation)
    return shrink::keeps_pattern(op, engine,
                                 shrink::pattern_of(op, failure.made.call, engine.info(), failure.judgement),
                                 setting_.timeout);
  return [this, &engine, relation = failure.relation](std::span<const spec::Call> candidates) {
    std::vector<relations::Question> questions;
    for (const spec::Call& call : candidates) questions.push_back({relation, &call});
    std::vector<bool> kept;
    for (const relations::Answer& answer : relations::check_relations(relations_on(engine), questions))
      kept.push_back(is_failure(judgement_of(answer).verdict));
    return kept;
  };
}

spec::Judgement Findings::judge_again(const spec::OpSpec& op, engines::Engine& engine, const Failure& failure,
                                      const spec::Call& call, const spec::Outcome& outcome) const {
  if (failure.relation)
    return judgement_of(relations::check_relation(relations_on(engine), *failure.relation, call));
  const auto judgement = judge_call(op, call, engine.info(), outcome);
  return judgement ? *judgement : spec::Judgement{};
}

relations::Setting Findings::relations_on(engines::Engine& engine) const {
  return {setting_.specs, *setting_.families, engine, setting_.timeout};
}

}  // namespace scatterproof::runner::fuzz
