// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/compare/observe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <future>
#include <map>

#include "scatterproof/runner/compare/readings.hpp"
#include "scatterproof/runner/relations/answer.hpp"
#include "scatterproof/runner/relations/restated.hpp"
#include "scatterproof/runner/trial/ask.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/core/sharing.hpp"
#include "scatterproof/spec/core/text.hpp"
#include "scatterproof/spec/judge/judge.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::runner::compare {
namespace {

using spec::FamilyCall;
using spec::FamilyComparison;

/// Whether the bag allows the result. What an API overwrites is its own affair.
bool allows(spec::Bag bag, const spec::Outcome& outcome) {
  if (const auto* produced = std::get_if<spec::Produced>(&outcome.what))
    bag.may_write = produced->inputs_written;
  const spec::Expectation expectation{.what = std::move(bag), .broken = {}, .because = {}};
  return is_allowed(spec::judge(expectation, outcome).verdict);
}

/// By bit, the explanations whose bag allows the result.
std::uint64_t explaining(std::span<const std::optional<spec::Bag>> bags, const spec::Outcome& outcome) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < bags.size(); ++i)
    if (bags[i] && allows(*bags[i], outcome)) bits |= std::uint64_t{1} << i;
  return bits;
}

Promised promised_by(const spec::Expectation& expectation) {
  if (std::holds_alternative<spec::Bag>(expectation.what)) return Promised::result;
  if (std::holds_alternative<spec::RefusalExpected>(expectation.what)) return Promised::refusal;
  return std::get<spec::Free>(expectation.what).undefined ? Promised::undefined : Promised::open;
}

std::string because(const spec::Expectation& expectation) {
  if (const auto* refusal = std::get_if<spec::RefusalExpected>(&expectation.what))
    return refusal->because.text();
  if (const auto* free = std::get_if<spec::Free>(&expectation.what)) return free->because.text();
  return expectation.because.text();
}

/// No document promises anything about a tensor that is written and overlaps itself.
bool writes_overlapping(const spec::OpSpec& op, const spec::Call& call) {
  return std::ranges::any_of(call.arguments, [&](const auto& argument) {
    const auto* tensor = std::get_if<spec::Tensor>(&argument.second);
    return tensor && op.meaning.overwrites(argument.first) && spec::overlaps_itself(*tensor);
  });
}

/// What the member's own document says of the call, and whether the outcome keeps to it.
void hold_against_document(const FamilyMember& member, const spec::Call& call, const spec::Outcome& outcome,
                           Observation& answer) {
  const auto trial = judge_call(*member.spec, call, member.engine->info(), outcome);
  if (!trial || !trial->expectation) return;
  if (writes_overlapping(*member.spec, call)) {
    answer.promised = Promised::open;
    answer.because = "elements of a tensor that is written share storage";
    return;
  }
  answer.promised = promised_by(*trial->expectation);
  answer.because = because(*trial->expectation);
  using spec::Verdict;
  const Verdict verdict = trial->judgement.verdict;
  answer.keeps_word = is_allowed(verdict) || verdict == Verdict::open || verdict == Verdict::wrong_error;
}

Observation answer_of(const FamilyMember& member, const spec::Call& call, const spec::Outcome& outcome,
                      std::span<const std::optional<spec::Bag>> bags) {
  Observation answer;
  using Kind = Observation::Kind;
  answer.outcome = outcome;
  if (std::holds_alternative<spec::Produced>(outcome.what)) {
    answer.kind = Kind::produced;
    answer.readings = explaining(bags, outcome);
  } else if (const auto* refused = std::get_if<spec::Refused>(&outcome.what)) {
    answer.kind = refused->arguments_written.empty() ? Kind::refused : Kind::refused_after_writing;
  } else if (std::holds_alternative<spec::Crashed>(outcome.what) ||
             std::holds_alternative<spec::TimedOut>(outcome.what)) {
    answer.kind = Kind::crashed;
  } else {
    answer.why_absent = spec::to_string(outcome);
    return answer;
  }
  hold_against_document(member, call, outcome, answer);
  return answer;
}

/// A call of one engine, and whose it is.
struct Question {
  spec::Call call;
  std::size_t input, member;
};

/// The reply to a question. Neither: it was skipped.
struct Reply {
  std::optional<spec::Outcome> outcome;
  std::string why_not_asked;  ///< the engine does not take it
};

/// The replies of one engine, in the order of inputs. Here an engine that has not started does so,
/// next to the others.
std::vector<Reply> replies_of(const ComparisonSetting& setting, std::span<const Input> inputs,
                              engines::Engine& engine, std::span<const Question> questions) {
  const std::size_t at_once = setting.saw ? 1 : questions.size();
  std::vector<Reply> replies(questions.size());
  for (std::size_t at = 0; at < questions.size();) {
    std::vector<const spec::Call*> calls;
    std::vector<std::size_t> places;
    for (; at < questions.size() && calls.size() < at_once; ++at) {
      const auto& [call, input, member] = questions[at];
      if (auto support = engine.supports(call); !support.yes) {
        replies[at].why_not_asked = std::move(support.reason);
        continue;
      }
      if (setting.skips && setting.skips(member, inputs[input])) continue;
      calls.push_back(&call);
      places.push_back(at);
    }
    std::vector<spec::Outcome> found = runner::ask(engine, calls, setting.timeout);
    for (std::size_t k = 0; k < found.size(); ++k) {
      const auto& [_, input, member] = questions[places[k]];
      if (setting.saw) setting.saw(member, inputs[input], found[k]);
      replies[places[k]].outcome = std::move(found[k]);
    }
  }
  return replies;
}

}  // namespace

bool differ(const Observation& a, const Observation& b) {
  using Kind = Observation::Kind;
  if (a.kind == Kind::absent || b.kind == Kind::absent) return false;
  if (a.kind != Kind::produced || b.kind != Kind::produced) return a.kind != b.kind;
  if ((a.readings & b.readings) != 0) return false;
  const spec::Tensor* one = relations::only_tensor(a.outcome).first;
  const spec::Tensor* other = relations::only_tensor(b.outcome).first;
  return !one || !other || !spec::identical(*one, *other);
}

std::vector<std::size_t> those_that_gave(const FamilyComparison& comparison, const Input& input,
                                         std::span<const Observation> answers) {
  const auto is_open = [&](std::size_t c) { return comparison.classes[c].open; };
  const std::optional<spec::Bag> bag = read(comparison, input.said, {});
  std::vector<std::size_t> members;
  for (std::size_t m = 0; m < answers.size() && std::ranges::none_of(input.classes, is_open); ++m)
    if (answers[m].kind == Observation::Kind::produced && explaining({&bag, 1}, answers[m].outcome) != 0)
      members.push_back(m);
  return members;
}

std::string shown(const Observation& answer) {
  if (const auto* refused = std::get_if<spec::Refused>(&answer.outcome.what))
    return refused->error_classes.empty() ? "refused" : refused->error_classes.front();
  if (const spec::Tensor* tensor = relations::only_tensor(answer.outcome).first)
    return spec::to_string(*tensor);
  const std::string all =
      answer.kind == Observation::Kind::absent ? answer.why_absent : spec::to_string(answer.outcome);
  return spec::one_line(all.substr(0, all.find('\n')));
}

std::vector<Explanation> explanations_of(const FamilyComparison& comparison,
                                         const std::vector<std::size_t>& classes) {
  constexpr std::size_t most = 64;
  std::vector<Explanation> all = {{}};
  for (const std::size_t c : classes) {
    const spec::FamilyInputClass& one = comparison.classes[c];
    const std::vector<Explanation> before = all;
    if (one.open) all.clear();
    for (const std::size_t reading : one.readings)
      for (Explanation explanation : before) {
        explanation.push_back(&comparison.readings[reading]);
        all.push_back(std::move(explanation));
      }
  }
  if (all.size() > most) all.resize(most);
  return all;
}

std::string name_of(const Explanation& explanation) {
  if (explanation.empty()) return "as defined";
  std::vector<std::string> names;
  for (const spec::CallReading* one : explanation) names.push_back(one->id);
  return fmt::format("{}", fmt::join(names, " and "));
}

std::optional<Explanation> explanation_of(const FamilyComparison& comparison, const FamilyCall& said,
                                          const spec::Outcome& outcome) {
  for (Explanation& one : explanations_of(comparison, classified(comparison, said).classes))
    if (auto bag = read(comparison, said, one); bag && allows(*std::move(bag), outcome)) return one;
  return {};
}

std::variant<spec::Call, std::string> call_of(const FamilyComparison& comparison, const FamilyMember& member,
                                              const FamilyCall& said) {
  if (!member.restated) return spec::say(*comparison.family, *member.spec, said);
  try {
    spec::language::Frame frame = spec::frame_of(*comparison.family, said);
    frame.emplace_back(collides(comparison, said));
    const spec::ExpressionPtr& when = member.restated->when;
    if (when && !spec::language::evaluate_bool(*when, frame))
      return fmt::format("no call of {} says this", member.other->name);
    const auto other = relations::restated(*member.restated, *comparison.family, said, *member.other);
    if (const auto* why_not = std::get_if<std::string>(&other)) return *why_not;
    return spec::say(*member.other, *member.spec, std::get<FamilyCall>(other));
  } catch (const spec::language::NotEvaluable& reason) {
    return std::string(reason.what());
  }
}

std::vector<std::vector<Observation>> ask(const ComparisonSetting& setting, std::span<const Input> inputs) {
  std::vector<std::vector<Observation>> answers(inputs.size(),
                                                std::vector<Observation>(setting.members.size()));
  std::map<engines::Engine*, std::vector<Question>> questions;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    for (std::size_t m = 0; m < setting.members.size(); ++m) {
      const FamilyMember& member = setting.members[m];
      auto call = call_of(setting.comparison, member, inputs[i].said);
      if (auto* why = std::get_if<std::string>(&call)) {
        answers[i][m].why_absent = std::move(*why);
      } else {
        questions[member.engine].push_back({std::get<spec::Call>(std::move(call)), i, m});
      }
    }
  std::map<engines::Engine*, std::future<std::vector<Reply>>> running;
  for (const auto& [engine, theirs] : questions)
    running[engine] = std::async(std::launch::async, replies_of, std::cref(setting), inputs,
                                 std::ref(*engine), std::span(theirs));
  std::vector<std::vector<std::optional<spec::Bag>>> bags;
  for (const Input& input : inputs) {
    bags.emplace_back();
    for (const Explanation& explanation : explanations_of(setting.comparison, input.classes))
      bags.back().push_back(read(setting.comparison, input.said, explanation));
  }
  for (auto& [engine, replies] : running) {
    auto all = replies.get();
    for (std::size_t k = 0; k < all.size(); ++k) {
      const auto& [call, i, m] = questions[engine][k];
      answers[i][m].why_absent = std::move(all[k].why_not_asked);
      if (all[k].outcome) answers[i][m] = answer_of(setting.members[m], call, *all[k].outcome, bags[i]);
    }
  }
  return answers;
}

}  // namespace scatterproof::runner::compare
