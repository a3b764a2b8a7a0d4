// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "never_written.hpp"
#include "scatterproof/runner/calls/call_hash.hpp"
#include "scatterproof/runner/trial/misreading.hpp"
#include "scatterproof/runner/trial/repair.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/oracle/rules.hpp"

namespace scatterproof::runner {
namespace {

using Kind = spec::CaseExpectation::Kind;

/// The spec's expectation in words of the case format.
std::string word_of(const spec::Expectation& expectation) {
  if (std::holds_alternative<spec::Bag>(expectation.what)) return "a result";
  if (const auto* free = std::get_if<spec::Free>(&expectation.what))
    return free->undefined ? "undefined" : "open";
  return "an error";
}

std::string word_of(Kind kind) {
  switch (kind) {
    case Kind::values:
      return "a result";
    case Kind::error:
      return "an error";
    case Kind::undefined:
      return "undefined";
    case Kind::open:
      return "open";
    case Kind::spec:
      break;
  }
  return "";
}

/// Whether the target's release has the rule that the case is about, if it is about one.
bool has_its_rule(const spec::Case& one, const spec::OpSpec& spec, const spec::Target& target) {
  const spec::Rule* const rule = one.rule.empty() ? nullptr : spec.any_rule(one.rule);
  return rule == nullptr || spec::holds_for(rule->applies, spec, target);
}

/// A rule case that says `obeys` and breaks something, or `breaks` and breaks something else. If its rule is
/// of other releases than the target's, it may break anything there.
bool is_mislabelled(const spec::Case& one, const spec::OpSpec& spec, const spec::Target& target,
                    const spec::Expectation& expectation) {
  if (one.rule.empty() || !has_its_rule(one, spec, target)) return false;
  for (const std::string& broken : expectation.broken)
    if (!one.breaks || broken != one.rule) return true;
  return false;
}

/// The case and the spec cannot both be right, whatever the engine does.
spec::Judgement disputed(const spec::Expectation& expectation, spec::DiagnosisKind kind,
                         std::string explanation) {
  if (!expectation.because.empty()) explanation += "\nthe spec: " + expectation.because.text();
  return {
      .verdict = spec::Verdict::disputed, .diagnosis = {.kind = kind}, .explanation = std::move(explanation)};
}

bool contradicts(const spec::Case& one, const spec::Expectation& expectation) {
  return one.expect.kind != Kind::spec && word_of(one.expect.kind) != word_of(expectation);
}

/// What a case says holds for the newest release, on a device that the document lists. If an earlier release
/// has other rules, or nothing is promised for a device, the case is not wrong but about other targets.
bool is_about_other_targets(const spec::Case& one, const spec::OpSpec& spec, spec::Target target) {
  if (target.framework.empty()) return false;
  target.framework.clear(), target.version.clear();
  if (!has_its_rule(one, spec, target)) return false;
  const auto expectation = spec::expect(spec, one.call, target);
  return expectation && !is_mislabelled(one, spec, target, *expectation) && !contradicts(one, *expectation);
}

spec::Judgement mislabelled(const spec::Case& one, const spec::Expectation& expectation) {
  return disputed(
      expectation, spec::DiagnosisKind::case_mislabelled,
      fmt::format("wrong case: {}:{} says that it {} rule {}{}, but its call breaks {}", one.file,
                  one.at.line, one.breaks ? "breaks" : "obeys", one.rule,
                  one.breaks ? " alone" : " and every other", fmt::join(expectation.broken, ", ")));
}

spec::Judgement contradiction(const spec::Case& one, const spec::Expectation& expectation) {
  return disputed(
      expectation, spec::DiagnosisKind::case_contradicts_spec,
      fmt::format("the case and the spec contradict each other: {}:{} states {}, the spec says {}", one.file,
                  one.at.line, word_of(one.expect.kind), word_of(expectation)));
}

/// If the meaning allows the result, but the printed values do not agree with it, the printed values are not
/// allowed: the case is disputed. A failure keeps its own explanation.
spec::Judgement with_printed(const spec::Case& one, const spec::Bag& bag, const spec::Outcome& outcome,
                             spec::Judgement judgement) {
  const auto* produced = std::get_if<spec::Produced>(&outcome.what);
  const bool accepted = is_allowed(judgement.verdict);
  if (!accepted || !produced) return judgement;
  spec::Judgement printed;
  for (const spec::Tensor& values : one.expect.values) {
    printed = spec::judge_printed(bag, values, produced->tensors.front());
    if (is_allowed(printed.verdict)) return judgement;
  }
  printed.verdict = spec::Verdict::disputed;
  printed.explanation = fmt::format(
      "the result follows the formula, but not the printed values ({}:{}): the document's example, or its "
      "copy here, contradicts the formula\n{}",
      one.file, one.at.line, printed.explanation);
  return printed;
}

/// What holds even where the document leaves a call open: the engine returns one tensor and writes only those
/// arguments that the API overwrites.
spec::Judgement with_invariants(const spec::OpSpec& spec, const spec::Outcome& outcome,
                                spec::Judgement judgement) {
  const auto* produced = std::get_if<spec::Produced>(&outcome.what);
  if (judgement.verdict != spec::Verdict::open || !produced) return judgement;
  const auto broken = [&judgement](spec::Diagnosis diagnosis, const std::string& what) {
    return spec::Judgement{
        .verdict = spec::Verdict::mismatch,
        .diagnosis = std::move(diagnosis),
        .explanation = fmt::format("{}, which no document allows, although {}", what, judgement.explanation)};
  };
  if (produced->tensors.size() != 1)
    return broken({.kind = spec::DiagnosisKind::form_count},
                  fmt::format("the call returned {} tensors", produced->tensors.size()));
  std::vector<std::string> written = produced->inputs_written;
  std::erase_if(written, [&](const std::string& name) { return spec.meaning.overwrites(name); });
  if (written.empty()) return judgement;
  return broken({.kind = spec::DiagnosisKind::argument_written,
                 .subject = spec::as_subject(fmt::format("{}", fmt::join(written, "+")))},
                fmt::format("the call wrote its input {}", fmt::join(written, " and ")));
}

/// Causes that only an index can have.
bool is_about_index(spec::DiagnosisKind kind) {
  return kind >= spec::DiagnosisKind::written_too_far && kind <= spec::DiagnosisKind::clamped_to_last;
}

bool has_index(const spec::OpSpec& spec, const spec::Call& call) {
  return std::ranges::any_of(
      call.arguments, [&](const auto& argument) { return is_index(spec, argument.first, argument.second); });
}

/// What is known of the engine's memory explains more than a wrong meaning, which knows nothing of memory,
/// strides and axes, and so does a call that was read wrongly; but on some calls both explain every cell.
spec::Judgement with_better_cause(const spec::OpSpec& spec, const spec::Call& call,
                                  const spec::Expectation& expectation, const engines::EngineInfo& engine,
                                  const spec::Outcome& outcome, spec::Judgement judgement) {
  constexpr std::size_t most = 3;  // causes
  if (is_never_written(expectation, engine, outcome)) {
    judgement.diagnosis = {.kind = spec::DiagnosisKind::never_written};
    judgement.causes = {judgement.diagnosis};
    return judgement;
  }
  if (is_about_index(judgement.diagnosis.kind) && !has_index(spec, call)) {
    judgement.diagnosis = without_guess(judgement.diagnosis);
    judgement.causes.clear();
  }
  spec::LikelyCauses causes = misreadings_of(spec, call, target_of(spec, engine), expectation, outcome);
  if (!causes.empty()) judgement.diagnosis = causes.front();
  for (spec::Diagnosis& meaning : judgement.causes)
    if (causes.size() < most && std::ranges::find(causes, meaning) == causes.end())
      causes.push_back(std::move(meaning));
  judgement.causes = std::move(causes);
  return judgement;
}

}  // namespace

spec::Target target_of(const spec::OpSpec& spec, const engines::EngineInfo& engine) {
  // What a page says of the framework's devices does not apply to a kernel's: a kernel must do what holds on
  // the CPU.
  if (engine.framework != spec.framework) return {};
  return {.framework = engine.framework, .version = engine.version, .device = engine.device};
}

spec::Result<spec::Expectation> expect(const spec::OpSpec& spec, const spec::Call& call,
                                       const engines::EngineInfo& engine) {
  return spec::expect(spec, call, target_of(spec, engine));
}

spec::Judgement judge_by_spec(const spec::OpSpec& spec, const spec::Call& call,
                              const spec::Expectation& expectation, const engines::EngineInfo& engine,
                              const spec::Outcome& outcome) {
  spec::Judgement judgement =
      with_invariants(spec, outcome, spec::judge(expectation, outcome, engine.framework.empty()));
  if (judgement.verdict == spec::Verdict::mismatch &&
      without_guess(judgement.diagnosis).kind == spec::DiagnosisKind::cells_other)
    return with_better_cause(spec, call, expectation, engine, outcome, std::move(judgement));
  // A result without elements is the same for every index: a repair would explain nothing.
  if (judgement.diagnosis.kind != spec::DiagnosisKind::no_refusal) return judgement;
  spec::Diagnosis repair = repair_of(spec, call, target_of(spec, engine), outcome);
  if (repair.kind == spec::DiagnosisKind::none) return judgement;
  judgement.explanation += "\n" + sentence(repair);
  judgement.diagnosis = std::move(repair);
  return judgement;
}

spec::Judgement given_up(const spec::LimitReached& why, const std::string& what) {
  if (why.why() == spec::LimitReached::Why::interrupted) throw spec::LimitReached(why);
  const bool too_long = why.why() == spec::LimitReached::Why::too_long;
  return {.verdict = spec::Verdict::infra,
          .diagnosis = {.kind = too_long ? spec::DiagnosisKind::time_limit : spec::DiagnosisKind::size_limit},
          .explanation = fmt::format("{}: {}", why.what(), what)};
}

namespace {

/// The trial with what the documents promise of its call, and with the verdict that `judge` gives by that.
template <class Judge>
spec::Result<Trial> judged(Trial trial, const Judge& judge) {
  auto judgement = within_limits(*trial.call, [&]() -> spec::Result<spec::Judgement> {
    auto expectation = expect(*trial.spec, *trial.call, *trial.engine);
    if (!expectation) return expectation.errors();
    trial.expectation = std::make_shared<const spec::Expectation>(std::move(expectation).value());
    return judge(*trial.expectation);
  });
  if (!judgement) return judgement.errors();
  trial.judgement = std::move(judgement).value();
  return trial;
}

spec::Judgement judge_by_case(const spec::Case& one, const spec::OpSpec& spec,
                              const spec::Expectation& expectation, const engines::EngineInfo& engine,
                              const spec::Outcome& outcome) {
  const spec::Target target = target_of(spec, engine);
  const bool wrong_label = is_mislabelled(one, spec, target, expectation);
  const bool at_odds = wrong_label || contradicts(one, expectation);
  if (at_odds && !is_about_other_targets(one, spec, target))
    return wrong_label ? mislabelled(one, expectation) : contradiction(one, expectation);
  spec::Judgement judgement = judge_by_spec(spec, one.call, expectation, engine, outcome);
  if (at_odds || one.expect.kind != Kind::values) return judgement;
  return with_printed(one, std::get<spec::Bag>(expectation.what), outcome, std::move(judgement));
}

}  // namespace

spec::Result<Trial> judge_call(const spec::OpSpec& spec, const spec::Call& call,
                               const engines::EngineInfo& engine, const spec::Outcome& outcome) {
  return judged({.spec = &spec, .call = &call, .engine = &engine, .outcome = &outcome},
                [&](const spec::Expectation& expectation) {
                  return judge_by_spec(spec, call, expectation, engine, outcome);
                });
}

spec::Result<Trial> judge_case(const spec::Case& one, const spec::OpSpec& spec,
                               const engines::EngineInfo& engine, const spec::Outcome& outcome) {
  Trial trial{.spec = &spec, .call = &one.call, .engine = &engine, .outcome = &outcome};
  if (!one.unsupported.empty()) {
    trial.judgement = {.verdict = spec::Verdict::unsupported,
                       .diagnosis = {.kind = spec::DiagnosisKind::unsupported},
                       .explanation = one.unsupported};
    return trial;
  }
  return judged(std::move(trial), [&](const spec::Expectation& expectation) {
    return judge_by_case(one, spec, expectation, engine, outcome);
  });
}

namespace {

spec::Diagnosis how_refused(const spec::Refused& refused) {
  if (!refused.arguments_written.empty())
    return {.kind = spec::DiagnosisKind::refused_after_writing,
            .subject = spec::as_subject(fmt::format("{}", fmt::join(refused.arguments_written, "+")))};
  return {.kind = spec::DiagnosisKind::refused,
          .subject = spec::as_subject(refused.error_classes.empty() ? "" : refused.error_classes.front())};
}

}  // namespace

spec::Diagnosis practice_of(const Trial& trial) {
  if (!trial.expectation || trial.expectation->broken.empty()) return {};
  const auto& what = trial.outcome->what;
  if (const auto* refused = std::get_if<spec::Refused>(&what)) return how_refused(*refused);
  if (std::holds_alternative<spec::Crashed>(what) || std::holds_alternative<spec::TimedOut>(what))
    return trial.judgement.diagnosis;
  const auto* produced = std::get_if<spec::Produced>(&what);
  if (!produced) return {};
  // A result without elements is the same whatever the call says: a repair would explain nothing.
  const bool tells = produced->tensors.size() == 1 && produced->tensors.front().numel() > 0;
  const spec::Diagnosis unexplained{.kind = spec::DiagnosisKind::produced};
  if (!tells) return unexplained;
  const spec::Diagnosis& found = trial.judgement.diagnosis;
  if (trial.judgement.verdict == spec::Verdict::missing_error)  // the repair has been looked for
    return found.kind == spec::DiagnosisKind::no_refusal ? unexplained : found;
  try {
    const spec::WorkLimit limit("judging", longest_judging);
    spec::Diagnosis repair =
        repair_of(*trial.spec, *trial.call, target_of(*trial.spec, *trial.engine), *trial.outcome);
    return repair.kind == spec::DiagnosisKind::none ? unexplained : repair;
  } catch (const spec::LimitReached& why) {
    if (why.why() == spec::LimitReached::Why::interrupted) throw;
    return unexplained;
  }
}

void put_practice(const Trial& trial, spec::Record& record) {
  const spec::Verdict verdict = trial.judgement.verdict;
  if (verdict == spec::Verdict::infra || verdict == spec::Verdict::unsupported || !trial.expectation) return;
  if (trial.expectation->broken.empty()) return;
  record.broken = trial.expectation->broken;
  record.practice = without_numbers(practice_of(trial));
}

namespace {

constexpr std::int64_t most_values = 16;  // that a record holds

struct OutcomeWords {
  spec::OutcomeSummary operator()(const spec::Produced& produced) const {
    spec::OutcomeSummary summary{.kind = "produced"};
    if (produced.tensors.size() != 1) return summary;
    const spec::Tensor& result = produced.tensors.front();
    summary.dtype = name(result.dtype());
    summary.shape = result.shape();
    summary.digest = digest_of(result);
    if (result.numel() <= most_values) summary.values = to_string(result, most_values);
    return summary;
  }
  spec::OutcomeSummary operator()(const spec::Refused& refused) const {
    return {.kind = "refused", .classes = refused.error_classes, .wrote = refused.arguments_written};
  }
  spec::OutcomeSummary operator()(const spec::Unsupported&) const { return {.kind = "unsupported"}; }
  spec::OutcomeSummary operator()(const spec::Crashed&) const { return {.kind = "crashed"}; }
  spec::OutcomeSummary operator()(const spec::TimedOut&) const { return {.kind = "timed_out"}; }
  spec::OutcomeSummary operator()(const spec::Garbled&) const { return {.kind = "garbled"}; }
  spec::OutcomeSummary operator()(const spec::Unavailable&) const { return {.kind = "unavailable"}; }
};

}  // namespace

std::string digest_of(const spec::Tensor& result) { return fmt::format("{:016x}", hash_of(result)); }

void put(const spec::Outcome& outcome, spec::Record& record) {
  record.outcome = std::visit(OutcomeWords{}, outcome.what);
}

void put(const spec::Judgement& judgement, spec::Record& record) {
  record.verdict = judgement.verdict;
  record.mode = judgement.mode;
  record.diagnosis = judgement.diagnosis;
  record.explanation = judgement.explanation;
  record.causes = judgement.causes;
  record.message = judgement.message;
  record.bound = judgement.bound;
  record.sensitivity = judgement.sensitivity;
}

}  // namespace scatterproof::runner
