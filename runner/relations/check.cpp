// SPDX-License-Identifier: Apache-2.0
// Turns questions into calls, calls into batches, and outcomes into answers.
#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "scatterproof/runner/relations/answer.hpp"
#include "scatterproof/runner/relations/derivation.hpp"
#include "scatterproof/runner/trial/ask.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/judge/bag.hpp"
#include "scatterproof/spec/judge/expectation.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::runner::relations {
namespace {

using spec::Call;
using spec::Outcome;
using spec::Tensor;

/// A question on its way to an answer.
struct Work {
  Question question;
  std::variant<Derivation, std::string> derivation = std::string();  ///< a string: why there is nothing to do
  std::optional<spec::Bag> bag;                                      ///< of the question's call
  Outcome first, half;
  std::vector<Outcome> others;

  Derivation* calls() { return std::get_if<Derivation>(&derivation); }
};

/// Why a call should not be sent to an engine: it does not offer it, or some rule is broken.
std::string objection(const Setting& setting, const Call& call) {
  const spec::OpSpec& spec = *setting.specs.find(call.api);
  if (const auto support = setting.engine.supports(call); !support.yes) return support.reason;
  const auto kinds = spec::rule_kinds(spec, call, target_of(spec, setting.engine.info()));
  using Kind = spec::RuleState::Kind;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i] != Kind::obeyed && kinds[i] != Kind::not_applicable)
      return fmt::format("{} would break the rule {}", call.api, spec.rules[i].id);
  return {};
}

bool collides(const spec::Bag& bag) {
  for (std::size_t i = 1; i < bag.offsets.size(); ++i)
    if (bag.offsets[i] - bag.offsets[i - 1] > 1) return true;
  return false;
}

/// Reads the call's roles, and evaluates the relation's `when`. Empty, or why it does not apply.
std::string prepare(RelationCall& given, const spec::Bag& bag) {
  auto said = spec::family_call_of(given.family, given.spec, given.call);
  if (const auto* why_not = std::get_if<std::string>(&said)) return *why_not;
  given.said = std::get<spec::FamilyCall>(std::move(said));
  spec::language::Frame frame = spec::frame_of(given.family, given.said);
  given.stream = spec::language::evaluate_tuple(*given.family.stream, frame);
  frame.emplace_back(collides(bag));
  if (given.relation.when && !spec::language::evaluate_bool(*given.relation.when, frame))
    return "it holds only when " + given.relation.when->text();
  return {};
}

std::variant<Derivation, std::string> derive(const Setting& setting, Work& work) {
  const Call& call = *work.question.call;
  const spec::OpSpec* spec = setting.specs.find(call.api);
  const spec::Family* family = spec ? setting.families.of(*spec) : nullptr;
  if (!family) return fmt::format("{} has no family", call.api);
  const auto* transformation = find_transformation(work.question.relation->by);
  if (!transformation) throw std::logic_error("no transformation is called " + work.question.relation->by);
  if (const auto support = setting.engine.supports(call); !support.yes) return support.reason;
  auto allowed = expect(*spec, call, setting.engine.info());
  if (!allowed) return "the spec has no meaning for the call: " + allowed.errors().front().what;
  if (std::holds_alternative<spec::Free>(allowed->what)) return "the document promises nothing for the call";
  if (auto* bag = std::get_if<spec::Bag>(&allowed->what)) work.bag = std::move(*bag);
  if (!work.bag && !transformation->any_call) return "the call must be refused";
  RelationCall given{.setting = setting,
                     .spec = *spec,
                     .family = *family,
                     .relation = *work.question.relation,
                     .call = call};
  try {
    if (!transformation->any_call)
      if (auto why_not = prepare(given, *work.bag); !why_not.empty()) return why_not;
    return transformation->derive(given);
  } catch (const spec::language::NotEvaluable& reason) {
    return std::string(reason.what());
  }
}

/// Leaves out the calls that must not be sent.
void drop_objectionable(const Setting& setting, Others& others) {
  std::erase_if(others.calls, [&](const Other& other) {
    const std::string why = objection(setting, other.call);
    if (!why.empty()) others.why_none = why;
    return !why.empty();
  });
}

void settle_calls(const Setting& setting, Work& work) {
  work.derivation = derive(setting, work);
  Derivation* calls = work.calls();
  if (!calls) return;
  // A repeated call stays as it is: whatever it breaks, it breaks twice.
  if (!find_transformation(work.question.relation->by)->any_call) drop_objectionable(setting, calls->others);
  std::string why = calls->others.why_none;
  if (calls->half) why = objection(setting, *calls->half);
  const bool more = calls->keeps_inputs || (calls->then && why.empty());
  if (calls->others.calls.empty() && !more) work.derivation = why;
}

/// Calls to be executed together, each with the place its outcome goes to.
class Batch {
 public:
  explicit Batch(const Setting& setting) : setting_(setting) {}

  void add(const Call& call, Outcome& outcome) {
    calls_.push_back(&call);
    outcomes_.push_back(&outcome);
  }

  void run() {
    std::vector<Outcome> outcomes = ask(setting_.engine, calls_, setting_.timeout);
    for (std::size_t i = 0; i < outcomes.size(); ++i) *outcomes_[i] = std::move(outcomes[i]);
  }

 private:
  const Setting& setting_;
  std::vector<const Call*> calls_;
  std::vector<Outcome*> outcomes_;
};

/// First the calls that all questions begin with, then the calls compared with them: a repeated call is
/// separated from its first execution by others.
void run_first(const Setting& setting, std::deque<Work>& works) {
  Batch batch(setting);
  for (Work& work : works)
    if (Derivation* calls = work.calls()) {
      batch.add(calls->first, work.first);
      if (calls->half) batch.add(*calls->half, work.half);
    }
  for (Work& work : works)
    if (Derivation* calls = work.calls()) {
      work.others.resize(calls->others.calls.size());
      for (std::size_t i = 0; i < work.others.size(); ++i)
        if (!calls->others.calls[i].alone) batch.add(calls->others.calls[i].call, work.others[i]);
    }
  batch.run();
  for (Work& work : works)
    if (Derivation* calls = work.calls())
      for (std::size_t i = 0; i < work.others.size(); ++i) {
        if (!calls->others.calls[i].alone) continue;
        Batch alone(setting);
        alone.add(calls->others.calls[i].call, work.others[i]);
        alone.run();
      }
}

/// The calls that are derived from results.
void run_then(const Setting& setting, std::deque<Work>& works) {
  for (Work& work : works) {
    Derivation* calls = work.calls();
    if (!calls || !calls->then) continue;
    const auto [result, why] = only_tensor(calls->half ? work.half : work.first);
    if (!result) {
      work.derivation = why;
      continue;
    }
    calls->others = calls->then(*result);
    drop_objectionable(setting, calls->others);
    work.others.resize(calls->others.calls.size());
    if (calls->others.calls.empty()) work.derivation = calls->others.why_none;
  }
  Batch batch(setting);
  for (Work& work : works)
    if (Derivation* calls = work.calls(); calls && calls->then)
      for (std::size_t i = 0; i < work.others.size(); ++i)
        batch.add(calls->others.calls[i].call, work.others[i]);
  batch.run();
}

}  // namespace

std::vector<const spec::Relation*> relations_of(const spec::OpSpec& spec,
                                                const spec::FamilyLibrary& families) {
  std::vector<const spec::Relation*> relations;
  if (const spec::Family* family = families.of(spec))
    for (const spec::Relation& relation : family->relations) relations.push_back(&relation);
  return relations;
}

std::vector<Answer> check_relations(const Setting& setting, std::span<const Question> questions) {
  std::deque<Work> works;
  for (const Question& question : questions) {
    works.emplace_back();
    works.back().question = question;
    settle_calls(setting, works.back());
  }
  run_first(setting, works);
  run_then(setting, works);
  std::vector<Answer> answers;
  for (Work& work : works) {
    if (const auto* why_not = std::get_if<std::string>(&work.derivation))
      answers.emplace_back(NotApplicable{*why_not});
    else
      answers.push_back(answer({.setting = setting,
                                .relation = *work.question.relation,
                                .derivation = *work.calls(),
                                .bag = work.bag ? &*work.bag : nullptr,
                                .first = work.first,
                                .others = work.others}));
  }
  return answers;
}

Answer check_relation(const Setting& setting, const spec::Relation& relation, const Call& call) {
  const Question question{&relation, &call};
  return check_relations(setting, {&question, 1}).front();
}

spec::Judgement judgement_of(const Answer& answer) {
  if (const auto* violated = std::get_if<Violated>(&answer)) {
    if (!violated->documented.empty())
      return {.verdict = spec::Verdict::open,
              .diagnosis = {.kind = spec::DiagnosisKind::documented_to_vary},
              .explanation = "documented to vary: " + violated->documented};
    return {.verdict = spec::Verdict::mismatch,
            .diagnosis = {.kind = spec::DiagnosisKind::relation_violated,
                          .subject = spec::as_subject(violated->relation)},
            .explanation = violated->sentence};
  }
  if (const auto* nothing = std::get_if<NotApplicable>(&answer))
    return {.verdict = spec::Verdict::unsupported,
            .diagnosis = {.kind = spec::DiagnosisKind::not_comparable},
            .explanation = nothing->reason};
  return {.verdict = spec::Verdict::pass};
}

}  // namespace scatterproof::runner::relations
