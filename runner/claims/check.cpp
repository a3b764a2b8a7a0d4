// SPDX-License-Identifier: Apache-2.0
// The calls of A go to A, those that it does right go to B, and what B did differently is shrunk and named.
#include "scatterproof/runner/claims/check.hpp"

#include <algorithm>
#include <optional>

#include "explain.hpp"
#include "in_turn.hpp"
#include "scatterproof/runner/baseline/baseline.hpp"
#include "scatterproof/runner/compare/observe.hpp"
#include "scatterproof/runner/fuzz/generator.hpp"
#include "scatterproof/runner/fuzz/schedule.hpp"
#include "scatterproof/runner/shrink/shrink.hpp"
#include "scatterproof/runner/trial/ask.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::runner::claims {
namespace {

using State = ClaimTrial::State;
using spec::Call;
using spec::Tensor;

constexpr std::int64_t largest = 4096;        // elements of a tensor: differences show on small ones
constexpr std::uint64_t tries_for_each = 20;  // numbers of generated calls that may be fruitless
constexpr std::size_t most_crashes = 20;      // of B, before its claim is given up: each costs a start
constexpr std::size_t most_differences = 12;  // that are named

/// A refusal's class and message with every number as one sign: calls that are refused in the same way have
/// it in common.
std::string refusal_of(const spec::Outcome& outcome) {
  const auto* refused = std::get_if<spec::Refused>(&outcome.what);
  if (!refused) return {};
  constexpr std::size_t most = 400;
  std::string text = refused->error_classes.empty() ? "" : refused->error_classes.front();
  for (const char c : ": " + refused->message) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit)
      text += c;
    else if (text.back() != '#')
      text += '#';
  }
  return text.substr(0, most);
}

/// The call with compact tensors of their own: a claim is about what calls mean, not about layouts.
Call compact(Call call) {
  call.omitted.clear();
  for (auto& [name, argument] : call.arguments)
    if (auto* tensor = std::get_if<Tensor>(&argument)) *tensor = tensor->contiguous();
  return call;
}

bool is_small(const Call& call) {
  return std::ranges::all_of(spec::tensors_of(call),
                             [](const Tensor* one) { return one->numel() <= largest; });
}

class Checker {
 public:
  Checker(const MappingClaim& claim, engines::Engine& a, engines::Engine& b, const CheckOptions& options)
      : claim_(claim), a_(a), b_(b), options_(options), classes_(*claim.a, options.comparison) {
    checked_.claim = &claim;
    checked_.a = a.info();
    checked_.b = b.info();
    checked_.stated_seen.resize(claim.stated.size());
    checked_.classes = classes_.all();
  }

  CheckedClaim run() {
    draw();
    for (const ClaimTrial& trial : trials_) count(trial);
    name_differences();
    checked_.left = static_cast<std::size_t>(std::ranges::count_if(trials_, [&](const ClaimTrial& trial) {
      return trial.state == State::agrees && !std::ranges::any_of(checked_.differences, [&](const auto& one) {
               return !one.when.empty() && is_in(trial.classes, one.when);
             });
    }));
    checked_.standing = standing();
    return std::move(checked_);
  }

 private:
  ClaimStanding standing() {
    if (checked_.agree + checked_.differ == 0) {
      checked_.why_not_run = checked_.not_offered > 0 ? "an engine takes no call of it"
                             : checked_.a_departs > 0 ? "A does no call as its document requires"
                                                      : "no call was found that it is about";
      return ClaimStanding::not_run;
    }
    if (!checked_.differences.empty()) return ClaimStanding::refuted;
    return checked_.differ > 0 ? ClaimStanding::holds_if : ClaimStanding::holds;
  }

  /// The claim's own calls; or the shipped ones, then generated ones, until enough were executed by both.
  void draw() {
    if (!claim_.calls.empty()) return examine_all(claim_.calls);
    std::vector<Call> calls;
    for (const Call& one : options_.cases)
      if (is_small(one) && is_about(claim_, one)) calls.push_back(compact(one));
    examine_all(calls);
    fuzz::GenerationOptions wishes{.sides = fuzz::GenerationOptions::Sides::valid};
    if (b_.info().signature_seconds > 0) wishes.calls_in_a_row = fuzz::Schedule::of_one_signature;
    wishes.offered = [this](const Call& call) { return is_small(call) && is_about(claim_, call); };
    fuzz::Generator generator(*claim_.a, options_.seed, wishes);
    for (std::uint64_t number = 0; number < options_.calls * tries_for_each && !enough();) {
      calls.clear();
      for (; calls.size() < a_.batch_size() && number < options_.calls * tries_for_each; ++number)
        if (auto made = generator.make(number); made && wishes.offered(made->call))
          calls.push_back(compact(std::move(made->call)));
      examine_all(calls);
    }
  }

  bool enough() const {
    return options_.interrupted || crashes_ >= most_crashes || executed_ >= options_.calls;
  }

  void examine_all(const std::vector<Call>& calls) {
    for (std::size_t begin = 0; begin < calls.size() && !options_.interrupted; begin += a_.batch_size()) {
      const std::size_t size = std::min(a_.batch_size(), calls.size() - begin);
      for (ClaimTrial& trial : examine(std::span(calls).subspan(begin, size))) {
        executed_ += trial.state == State::agrees || trial.state == State::differs;
        crashes_ += trial.state == State::differs && trial.did == Departure::crashes;
        trials_.push_back(std::move(trial));
      }
    }
  }

  /// The trials of these calls of A. B's call of two in turn is made when A's result is known.
  std::vector<ClaimTrial> examine(std::span<const Call> calls) {
    std::vector<ClaimTrial> trials(calls.size());
    std::vector<std::optional<spec::Expectation>> allowed(calls.size());
    for (std::size_t i = 0; i < calls.size(); ++i) {
      trials[i].a = calls[i];
      allowed[i] = prepare(trials[i]);
    }
    execute(a_, trials, &ClaimTrial::a, &ClaimTrial::outcome_a, allowed);
    for (std::size_t i = 0; i < trials.size(); ++i) {
      if (allowed[i] && !judge_a(trials[i], *allowed[i])) allowed[i].reset();
      if (allowed[i] && claim_.gives) allowed[i] = prepare_second(trials[i]);
    }
    execute(b_, trials, &ClaimTrial::b, &ClaimTrial::outcome_b, allowed);
    for (std::size_t i = 0; i < trials.size(); ++i)
      if (allowed[i]) judge_b(trials[i], *allowed[i]);
    return trials;
  }

  /// What A's document allows. Empty when nothing is to be executed; the trial's state says why.
  std::optional<spec::Expectation> prepare(ClaimTrial& trial) {
    if (!is_about(claim_, trial.a)) return {};
    auto allowed = expect(*claim_.a, trial.a, a_.info());
    if (!allowed || !allowed->broken.empty() || !std::holds_alternative<spec::Bag>(allowed->what)) return {};
    if (!claim_.gives && !say(trial, nullptr)) return {};
    trial.classes = classes_.of(trial.a);
    if (!is_offered(trial, a_, trial.a) || (!claim_.gives && !is_offered(trial, b_, trial.b))) return {};
    return std::move(allowed).value();
  }

  /// B's call, which gets A's result, and what it must give.
  std::optional<spec::Expectation> prepare_second(ClaimTrial& trial) {
    const auto* produced = std::get_if<spec::Produced>(&trial.outcome_a.what);
    if (!produced || produced->tensors.size() != 1 || !say(trial, &produced->tensors.front()) ||
        !is_offered(trial, b_, trial.b))
      return {};
    return required_of_second(claim_, trial.a);
  }

  /// Whether the claim names a call of B.
  bool say(ClaimTrial& trial, const Tensor* first) const {
    auto call = said(claim_, trial.a, first);
    if (auto* named = std::get_if<Call>(&call)) trial.b = std::move(*named);
    return std::holds_alternative<Call>(call);
  }

  static bool is_offered(ClaimTrial& trial, engines::Engine& engine, const Call& call) {
    const bool yes = engine.supports(call).yes;
    if (!yes) trial.state = State::not_offered;
    return yes;
  }

  void execute(engines::Engine& engine, std::vector<ClaimTrial>& trials, Call ClaimTrial::*call,
               spec::Outcome ClaimTrial::*outcome,
               const std::vector<std::optional<spec::Expectation>>& allowed) {
    std::vector<const Call*> calls;
    std::vector<ClaimTrial*> asked;
    for (std::size_t i = 0; i < trials.size(); ++i)
      if (allowed[i]) {
        calls.push_back(&(trials[i].*call));
        asked.push_back(&trials[i]);
      }
    auto outcomes = ask(engine, calls, options_.timeout);
    for (std::size_t i = 0; i < asked.size(); ++i) asked[i]->*outcome = std::move(outcomes[i]);
  }

  bool judge_a(ClaimTrial& trial, const spec::Expectation& allowed) {
    trial.judgement_a = within_limits(
        trial.a, [&] { return judge_by_spec(*claim_.a, trial.a, allowed, a_.info(), trial.outcome_a); });
    if (is_allowed(trial.judgement_a.verdict)) return true;
    const bool asked =
        is_failure(trial.judgement_a.verdict) && trial.judgement_a.verdict != spec::Verdict::infra;
    trial.state = asked ? State::a_departs : State::not_offered;
    return false;
  }

  /// What B did, with the result that the claim makes of B's. Empty: the claim makes none of it.
  std::optional<spec::Outcome> as_a_result(const ClaimTrial& trial) const {
    spec::Outcome outcome = trial.outcome_b;
    auto* produced = std::get_if<spec::Produced>(&outcome.what);
    if (!produced) return outcome;
    produced->inputs_written.clear();  // in place or not is not what claims are about
    if (produced->tensors.size() != 1) return outcome;
    auto result = result_of(claim_, trial.a, produced->tensors.front());
    if (std::holds_alternative<std::string>(result)) return {};
    produced->tensors.front() = std::get<Tensor>(std::move(result));
    return outcome;
  }

  void judge_b(ClaimTrial& trial, const spec::Expectation& allowed) {
    const auto outcome = as_a_result(trial);
    if (!outcome) return;
    trial.judgement_b =
        within_limits(trial.a, [&] { return spec::judge(allowed, *outcome, b_.info().framework.empty()); });
    const spec::Verdict verdict = trial.judgement_b.verdict;
    if (verdict == spec::Verdict::unsupported || verdict == spec::Verdict::infra) {
      trial.state = State::not_offered;
    } else if (is_allowed(trial.judgement_b.verdict)) {
      trial.state = State::agrees;
      trial.telling = verdict == spec::Verdict::pass;
    } else {
      trial.state = State::differs;
      trial.did = did_of(trial.judgement_b);
      if (trial.did == Departure::refuses) trial.refusal = refusal_of(trial.outcome_b);
    }
  }

  void count(const ClaimTrial& trial) {
    checked_.agree += trial.state == State::agrees;
    checked_.telling += trial.state == State::agrees && trial.telling;
    checked_.differ += trial.state == State::differs;
    checked_.a_departs += trial.state == State::a_departs;
    checked_.not_offered += trial.state == State::not_offered;
    if (trial.state != State::agrees && trial.state != State::differs) return;
    checked_.inside |= trial.classes;
    checked_.outside |= ~trial.classes;
    if (trial.state != State::differs) return;
    for (std::size_t i = 0; i < claim_.stated.size(); ++i)
      checked_.stated_seen[i] += is_stated(claim_.stated[i], trial);
  }

  bool is_stated(const StatedDifference& stated, const ClaimTrial& trial) const {
    return stated.when && (!stated.only_refusals || trial.did == Departure::refuses) &&
           holds_for(*claim_.a, *stated.when, trial.a);
  }

  /// A difference that the claim does not state, and that is not explained yet.
  bool is_new(const ClaimTrial& trial) const {
    if (trial.state != State::differs) return false;
    const auto states = [&](const StatedDifference& one) { return is_stated(one, trial); };
    const auto is_known = [&](const ClaimDifference& one) { return explains(one, trial); };
    return std::ranges::none_of(claim_.stated, states) &&
           std::ranges::none_of(checked_.differences, is_known);
  }

  void name_differences() {
    std::vector<ClaimTrial> unstated = unexplained(trials_);
    // A witness with elements shows more.
    std::ranges::stable_partition(unstated,
                                  [](const ClaimTrial& one) { return !fuzz::has_zero_size(one.a); });
    for (const ClaimTrial& trial : unstated) {
      if (options_.interrupted) return;
      if (!is_new(trial)) continue;
      ClaimDifference difference;
      difference.did = trial.did;
      difference.witness = shrunk(trial);
      difference.explained = explained(difference.witness);
      difference.after_others = !shows_alone(difference.witness);
      if (!difference.after_others && checked_.differences.size() + 1 < most_differences)
        difference.when =
            telling_classes(trial, difference.witness.classes & trial.classes, unexplained(unstated));
      checked_.differences.push_back(std::move(difference));
    }
    settle(checked_.differences, unstated);
    std::ranges::stable_sort(
        checked_.differences, [](const ClaimDifference& one, const ClaimDifference& other) {
          return std::pair(is_silent(other.did), other.count) < std::pair(is_silent(one.did), one.count);
        });
  }

  /// The calls that agree, and those whose difference has no name yet.
  std::vector<ClaimTrial> unexplained(const std::vector<ClaimTrial>& trials) const {
    std::vector<ClaimTrial> rest;
    for (const ClaimTrial& trial : trials)
      if (trial.state == State::agrees || is_new(trial)) rest.push_back(trial);
    return rest;
  }

  /// Whether a new process of B differs in the same way. Of refusals that is taken for granted.
  bool shows_alone(const ClaimTrial& trial) {
    if (trial.did == Departure::refuses) return true;
    const auto fresh = in_new_process(b_);
    if (!fresh) return true;
    ClaimTrial again = trial;
    const Call* const call = &again.b;
    again.outcome_b = ask(*fresh, {&call, 1}, options_.timeout).front();
    judge_b(again,
            claim_.gives ? *required_of_second(claim_, trial.a) : *expect(*claim_.a, trial.a, a_.info()));
    return again.state == State::differs && again.did == trial.did;
  }

  /// The family's readings under which it allows B's other values; empty: there are none.
  std::string explained(const ClaimTrial& trial) const {
    if (trial.did != Departure::other_values || !options_.comparison || claim_.gives) return {};
    const auto call = spec::family_call_of(*options_.comparison->family, *claim_.a, trial.a);
    const auto* values = std::get_if<spec::FamilyCall>(&call);
    const auto outcome = as_a_result(trial);
    if (!values || !outcome) return {};
    const auto found = compare::explanation_of(*options_.comparison, *values, *outcome);
    return found && !found->empty() ? compare::name_of(*found) : "";
  }

  /// The smallest call found that differs in the same way and is not explained yet.
  ClaimTrial shrunk(const ClaimTrial& trial) {
    if (!claim_.calls.empty()) return trial;  // the page's own example
    const bool has_elements = !fuzz::has_zero_size(trial.a);
    const auto is_alike = [&](const ClaimTrial& one) {
      return one.did == trial.did && one.refusal == trial.refusal && is_new(one) &&
             !(has_elements && fuzz::has_zero_size(one.a));
    };
    const auto keeps = [&](std::span<const Call> candidates) {
      std::vector<bool> kept;
      for (const ClaimTrial& one : examine(candidates)) kept.push_back(is_alike(one));
      return kept;
    };
    const shrink::Limits limits{.seconds = options_.shrink_seconds};
    const Call smallest = shrink::shrink(*claim_.a, trial.a, keeps, limits).call;
    ClaimTrial found = std::move(examine({&smallest, 1}).front());
    return is_alike(found) ? found : trial;
  }

  const MappingClaim& claim_;
  engines::Engine& a_;
  engines::Engine& b_;
  const CheckOptions& options_;
  const compare::InputClasses classes_;
  std::vector<ClaimTrial> trials_;
  std::size_t executed_ = 0;
  std::size_t crashes_ = 0;
  CheckedClaim checked_;
};

}  // namespace

bool offers(const engines::Engine& engine, const spec::OpSpec& op) {
  const engines::EngineInfo& info = engine.info();
  return (info.framework.empty() || info.framework == op.framework) && info.offers(op.api);
}

CheckedClaim check(const MappingClaim& claim, engines::Engine& a, engines::Engine& b,
                   const CheckOptions& options) {
  return Checker(claim, a, b, options).run();
}

}  // namespace scatterproof::runner::claims
