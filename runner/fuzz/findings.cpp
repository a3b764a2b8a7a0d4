// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/fuzz/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "foreign_memory.hpp"
#include "repetition.hpp"
#include "scatterproof/runner/baseline/baseline.hpp"
#include "scatterproof/runner/calls/call_text.hpp"
#include "scatterproof/runner/shrink/failure_signature.hpp"
#include "scatterproof/runner/snippet/snippet.hpp"
#include "scatterproof/runner/trial/gradients.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/core/work_limit.hpp"

namespace scatterproof::runner::fuzz {
namespace {

constexpr double seconds_in_process = 2;  // to shrink one failure
constexpr double seconds_of_a_worker = 10;

bool is_foreign_memory(const Failure& failure) {
  return failure.judgement.diagnosis.kind == spec::DiagnosisKind::foreign_memory;
}

bool shows_when_repeated(const Failure& failure) {
  return failure.judgement.diagnosis.kind == spec::DiagnosisKind::differs_when_repeated ||
         failure.judgement.diagnosis.kind == spec::DiagnosisKind::race;
}

/// What one call alone cannot show.
bool needs_others(const Failure& failure) {
  const spec::DiagnosisKind kind = failure.judgement.diagnosis.kind;
  return kind == spec::DiagnosisKind::mixed_practice || kind == spec::DiagnosisKind::unrepeatable ||
         kind == spec::DiagnosisKind::inconsistent;
}

/// For the saved case, which is then executed many times (runner/run/saved_call.hpp).
std::vector<std::string> tags_of(const Kind& kind) {
  std::vector<std::string> tags{std::string(spec::name(kind.verdict)), kind.engine};
  using enum spec::DiagnosisKind;
  for (const spec::DiagnosisKind one : {differs_when_repeated, race, unrepeatable})
    if (kind.diagnosis.kind == one) tags.push_back(to_string(kind.diagnosis));
  return tags;
}

/// The rules that a call breaks.
std::vector<std::string> broken(const spec::OpSpec& op, const engines::Engine& engine,
                                const spec::Call& call) {
  return shrink::signature_of(op, call, engine.info(), {}).broken;
}

std::optional<spec::Judgement> failure_when_repeated(const spec::OpSpec& op, engines::Engine& engine,
                                                     const spec::Call& call,
                                                     std::chrono::milliseconds timeout) {
  RepetitionState state;
  return Repeater(op, engine, timeout, state).failure(call);
}

/// A candidate keeps the failure when it breaks the same rules, and fails at one of many executions.
shrink::Keeps keeps_repeated(const spec::OpSpec& op, engines::Engine& engine, const Failure& failure,
                             std::chrono::milliseconds timeout) {
  return [&op, &engine, rules = broken(op, engine, failure.made.call), verdict = failure.judgement.verdict,
          timeout](std::span<const spec::Call> candidates) {
    std::vector<bool> kept;
    for (const spec::Call& call : candidates) {
      if (broken(op, engine, call) != rules || !engine.supports(call).yes) {
        kept.push_back(false);
        continue;
      }
      const auto failed = failure_when_repeated(op, engine, call, timeout);
      kept.push_back(failed && failed->verdict == verdict);
    }
    return kept;
  };
}

/// A candidate keeps the failure when its gradients fail in the same way.
shrink::Keeps keeps_gradients(const spec::OpSpec& op, engines::Engine& engine, const Failure& failure,
                              std::chrono::milliseconds timeout) {
  return [&op, &engine,
          signature = shrink::signature_of(op, failure.made.call, engine.info(), failure.judgement),
          timeout](std::span<const spec::Call> candidates) {
    std::vector<const spec::Call*> calls;
    for (const spec::Call& call : candidates) calls.push_back(&call);
    std::vector<bool> kept;
    for (const auto& judgement : judge_gradients(op, engine, calls, timeout))
      kept.push_back(judgement && shrink::fails_alike(signature, *judgement));
    return kept;
  };
}

spec::Judgement gradient_judgement(const spec::OpSpec& op, engines::Engine& engine, const spec::Call& call,
                                   std::chrono::milliseconds timeout) {
  const spec::Call* const asked = &call;
  auto judgement = judge_gradients(op, engine, {&asked, 1}, timeout).front().value_or(spec::Judgement{});
  if (is_failure(judgement.verdict)) judgement.explanation += varying_gradient(op, engine, call, timeout);
  return judgement;
}

/// A candidate keeps the failure when it breaks the same rules, and its result depends on memory too.
shrink::Keeps keeps_foreign_memory(const spec::OpSpec& op, engines::Engine& engine, const Failure& failure,
                                   std::chrono::milliseconds timeout) {
  return [&op, &engine, rules = broken(op, engine, failure.made.call),
          memory = std::make_shared<ForeignMemory>(engine), timeout](std::span<const spec::Call> candidates) {
    std::vector<const spec::Call*> calls;
    std::vector<std::size_t> sent;
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if (broken(op, engine, candidates[i]) == rules) {
        calls.push_back(&candidates[i]);
        sent.push_back(i);
      }
    std::vector<bool> kept(candidates.size());
    const std::vector<std::string> words = memory->words(calls, timeout);
    for (std::size_t k = 0; k < words.size(); ++k) kept[sent[k]] = !words[k].empty();
    return kept;
  };
}

}  // namespace

void Findings::keep(const Kind& kind, const Failure& failure) {
  // If saving fails now, it is tried again when the failure is shown, which reports the reason.
  (void)save(kind, failure.made.call, failure.judgement.explanation);
}

double usual_shrink_seconds(const std::string& engine) {
  return engines::is_native(engine) ? seconds_in_process : seconds_of_a_worker;
}

Finding Findings::finding_of(engines::Engine& engine, const Kind& kind, const Failure& failure,
                             double seconds) {
  if (interrupted() || shrunk_ == setting_.most_shrunk || seconds <= 0 || needs_others(failure))
    return as_found(kind, failure);
  ++shrunk_;
  const spec::OpSpec& op = *setting_.specs.find(kind.api);
  shrink::Limits limits;
  limits.seconds = std::min(seconds, setting_.shrink_seconds.value_or(usual_shrink_seconds(kind.engine)));
  if (kind.verdict == spec::Verdict::crash) limits.batch = 1;  // each candidate may take a new process
  // After Ctrl-C the engine is not used again: every further candidate is rejected, which ends the search.
  const auto asked = [this, keeps = keeps(op, engine, failure)](std::span<const spec::Call> candidates) {
    try {
      const spec::WorkLimit limit(setting_.interrupted);
      spec::WorkLimit::check();
      return keeps(candidates);
    } catch (const spec::LimitReached& why) {
      if (why.why() != spec::LimitReached::Why::interrupted) throw;
      return std::vector<bool>(candidates.size());
    }
  };
  const shrink::ShrinkResult small = shrink::shrink(op, failure.made.call, asked, limits);
  if (interrupted()) return as_found(kind, failure);
  return with_call(engine, kind, failure, small);
}

Finding Findings::as_found(const Kind& kind, const Failure& failure, std::string_view note) {
  const std::string& judged = failure.judgement.explanation;
  const std::string call = text_of(failure.made.call);
  const bool has_call = judged.find(call) != std::string::npos;  // of a failure that takes several calls
  const auto kept = files_.find(kind);
  return {.explanation = fmt::format("{}{}", judged, note),
          .causes = failure.judgement.causes,
          .shown_by = has_call ? "" : "the call: " + call,
          .call = failure.made.call,
          .message = failure.judgement.message,
          .snippet = "",
          .saved = kept != files_.end() ? kept->second : save(kind, failure.made.call, judged),
          .elements = elements_of(failure.made.call)};
}

/// The call stays: a candidate that was tried instead may have failed for the same unknown reason.
Finding Findings::not_again(const Kind& kind, const Failure& failure) {
  Finding finding =
      as_found(kind, failure,
               "\nthe failure did not show again: it depends on the calls before this one, or on chance");
  finding.again = false;
  return finding;
}

Finding Findings::with_call(engines::Engine& engine, const Kind& kind, const Failure& failure,
                            const shrink::ShrinkResult& small) {
  const spec::OpSpec& op = *setting_.specs.find(kind.api);
  const spec::Outcome outcome = engine.run_one({&small.call, setting_.timeout});
  spec::Judgement again = judge_again(op, engine, failure, small.call, outcome);
  if (again.verdict != failure.judgement.verdict) return not_again(kind, failure);
  // A small call fits a cause by chance. What explains it must explain the call that was found.
  std::erase_if(again.causes, [&](const auto& cause) { return !names(failure.judgement.causes, cause); });
  if (setting_.known) {  // shrinking preserves less than a baseline may ask for, such as what the engine says
    Failure shrunk = failure;
    shrunk.made.call = small.call;
    shrunk.judgement = again;
    Kind kind_of_shrunk = kind;
    kind_of_shrunk.diagnosis = without_numbers(again.diagnosis);
    if (!setting_.known(kind_of_shrunk, shrunk).empty()) return as_found(kind, failure);
  }
  snippet::ObservedOutcome seen{.engine = engine.info(), .outcome = outcome, .judgement = again};
  if (failure.gradient) seen.questions = telling_questions(op, small.call, engine.info(), again.diagnosis);
  std::string snippet;
  if (const auto syntax = snippet::load_python_syntax(kind.engine, setting_.places))
    if (auto text = snippet::make_snippet(op, small.call, *syntax, seen)) snippet = std::move(text).value();
  return {.explanation = again.explanation,
          .causes = again.causes,
          .shown_by = fmt::format("the {} call that shows it: {}",
                                  small.minimal ? "smallest" : "smallest found", text_of(small.call)),
          .call = small.call,
          .minimal = small.minimal,
          .message = again.message,
          .snippet = snippet,
          .saved = save(kind, small.call, again.explanation),
          .elements = elements_of(small.call)};
}

/// Replaces what was saved of this kind before. Keeps a file that existed before this run, or that shows a
/// failure of another kind.
spec::Result<std::string> Findings::save(const Kind& kind, const spec::Call& call,
                                         const std::string& explanation) {
  if (setting_.folder.empty()) return std::string();
  const auto saved = shrink::save_regression(setting_.folder, call,
                                             explanation.substr(0, explanation.find('\n')), tags_of(kind));
  if (!saved) return saved.errors();
  if (saved->added) added_.insert(saved->file);
  const std::string before = std::exchange(files_[kind], saved->file);
  const bool needed = std::ranges::any_of(files_, [&](const auto& other) { return other.second == before; });
  std::error_code ignored;
  if (!needed && added_.erase(before) > 0) std::filesystem::remove(before, ignored);
  return saved->file;
}

shrink::Keeps Findings::keeps(const spec::OpSpec& op, engines::Engine& engine, const Failure& failure) const {
  if (failure.gradient) return keeps_gradients(op, engine, failure, setting_.timeout);
  if (is_foreign_memory(failure)) return keeps_foreign_memory(op, engine, failure, setting_.timeout);
  if (shows_when_repeated(failure)) return keeps_repeated(op, engine, failure, setting_.timeout);
  if (!failure.relation)
    return shrink::keeps_signature(
        op, engine, shrink::signature_of(op, failure.made.call, engine.info(), failure.judgement),
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
  if (failure.gradient) return gradient_judgement(op, engine, call, setting_.timeout);
  if (failure.relation)
    return judgement_of(relations::check_relation(relations_on(engine), *failure.relation, call));
  if (is_foreign_memory(failure)) {
    const spec::Call* const asked = &call;
    const std::string words = ForeignMemory(engine).words({&asked, 1}, setting_.timeout).front();
    return words.empty() ? spec::Judgement{} : judgement_of_foreign_memory(words);
  }
  if (shows_when_repeated(failure))
    return failure_when_repeated(op, engine, call, setting_.timeout).value_or(spec::Judgement{});
  const auto trial = judge_call(op, call, engine.info(), outcome);
  return trial ? trial->judgement : spec::Judgement{};
}

relations::Setting Findings::relations_on(engines::Engine& engine) const {
  return {setting_.specs, *setting_.families, engine, setting_.timeout};
}

}  // namespace scatterproof::runner::fuzz
