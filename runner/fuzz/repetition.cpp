// SPDX-License-Identifier: Apache-2.0
#include "repetition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>

#include "scatterproof/runner/baseline/baseline.hpp"
#include "scatterproof/runner/calls/call_text.hpp"
#include "scatterproof/runner/trial/ask.hpp"
#include "scatterproof/runner/trial/repeated.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"
#include "scatterproof/spec/solve/variations.hpp"
#include "sibling.hpp"

namespace scatterproof::runner::fuzz {
namespace {

constexpr std::uint64_t repeated_share = 8;  // one small call in this many is repeated among others
constexpr std::int64_t many_elements = 4096;
constexpr std::size_t executions = 24;  // in a row, of a call that could race
constexpr std::size_t most_rounds =
    40;  // of that many executions each, as long as they take a small share of the time
constexpr std::size_t least_contributions = 64;
constexpr double longest_execution = 0.02;  // seconds: beyond it, that many executions cost too much
constexpr std::size_t rounds_of_both = 3;   // of two calls that ask the same

bool was_right(const ExecutedCall& call) { return is_allowed(call.trial->judgement.verdict); }

bool was_open(const ExecutedCall& call) { return call.trial->judgement.verdict == spec::Verdict::open; }

/// Whether the process of an engine starts quickly: a host of kernels, not an interpreter with a framework.
bool starts_quickly(const engines::Engine& engine) { return engine.info().framework.empty(); }

/// A guess at how long the process of an engine takes to start.
std::chrono::milliseconds start_of(const engines::Engine& engine) {
  return std::chrono::milliseconds(starts_quickly(engine) ? 20 : 3000);
}

bool may_race(const ExecutedCall& call) {
  return could_race(*call.trial->expectation, call.trial->judgement.mode, least_contributions);
}

/// To be repeated among others: all large calls, since there are few, and a share of the small ones.
bool is_chosen(const ExecutedCall& call) {
  return call.hash % repeated_share == 0 || spec::largest_numel(*call.trial->call) >= many_elements;
}

/// Whether what is overwritten can hold a result: it has its sizes and its dtype.
bool holds(const spec::Call& call, const std::vector<std::string>& overwritten,
           const spec::Outcome& outcome) {
  const auto* made = std::get_if<spec::Produced>(&outcome.what);
  if (!made) return true;
  return std::ranges::all_of(overwritten, [&](const std::string& name) {
    const auto* tensor = std::get_if<spec::Tensor>(call.find(name));
    return !tensor || (tensor->shape() == made->tensors.front().shape() &&
                       tensor->dtype() == made->tensors.front().dtype());
  });
}

/// Whether both calls were taken, and the results have the same shapes. An engine may limit the number of
/// lookups, and in a call that breaks a rule it may be another dimension that is twice as large.
bool have_same_shapes(const spec::Outcome& a, const spec::Outcome& b) {
  const auto *one = std::get_if<spec::Produced>(&a.what), *two = std::get_if<spec::Produced>(&b.what);
  return one && two &&
         std::ranges::equal(one->tensors, two->tensors, {}, &spec::Tensor::shape, &spec::Tensor::shape);
}

}  // namespace

/// A call of the API, to be judged once more.
RepeatedCall Repeater::repeated(const spec::Call& call, const spec::Expectation& expectation) const {
  return {op_, engine_, call, expectation, timeout_};
}

/// Back to back, with different numbers of threads. `right` are results that were judged right.
std::optional<spec::Judgement> Repeater::race(const spec::Call& call, const spec::Expectation& expectation,
                                              std::vector<spec::Outcome>& right) {
  const auto begin = Share::Clock::now();
  auto failed = repeated(call, expectation).in_a_row(executions, right);
  shares_.in_a_row.add(Share::Clock::now() - begin);
  return failed;
}

/// What an engine kept of it must not show in calls of this API.
const spec::Call* Repeater::of_another_api() const {
  const auto earlier = state_.earlier.find(&engine_);
  return earlier != state_.earlier.end() && earlier->second.api != op_.api ? &earlier->second : nullptr;
}

void Repeater::remember(const std::vector<ExecutedCall>& calls) {
  auto made = calls | std::views::filter([](const ExecutedCall& one) {
                return std::holds_alternative<spec::Produced>(one.trial->outcome->what);
              });
  std::set<std::string>& offered = state_.offered[{&engine_, op_.api}];
  for (const ExecutedCall& one : made) offered.insert(index_dtypes(op_, *one.trial->call));
  const auto most = std::ranges::max_element(
      made, {}, [](const ExecutedCall& one) { return most_dimensions(*one.trial->call); });
  if (most != made.end()) state_.earlier[&engine_] = *most->trial->call;
}

/// In another batch: all of them in turn, then each after calls that are easily mistaken for it, and after
/// one of another API, or one that was refused (null: there is none).
void Repeater::among_others(const std::vector<ExecutedCall>& calls, const spec::Call* refused) {
  const spec::Target target = target_of(op_, engine_.info());
  std::vector<std::optional<spec::Call>> siblings, of_other_attributes;
  for (const ExecutedCall& one : calls) {
    siblings.push_back(sibling_of(op_, *one.trial->call, target));
    of_other_attributes.push_back(with_other_attribute(op_, *one.trial->call, target));
  }
  std::vector<engines::CallRequest> requests;
  std::vector<const ExecutedCall*> of;  // null: executed for the next one's sake
  const auto add = [&](const spec::Call& call, const ExecutedCall* one) {
    requests.push_back({.call = &call, .timeout = timeout_, .threads = threads_of(requests.size())});
    of.push_back(one);
  };
  for (const ExecutedCall& one : calls | std::views::reverse) add(*one.trial->call, &one);
  const std::array<const spec::Call*, 2> others{of_another_api(), refused};
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (siblings[i]) add(*siblings[i], nullptr);
    add(*calls[i].trial->call, &calls[i]);
    if (of_other_attributes[i]) {
      add(*of_other_attributes[i], nullptr);
      add(*calls[i].trial->call, &calls[i]);
    }
    if (const spec::Call* other = others[i % others.size()]) {
      add(*other, nullptr);
      add(*calls[i].trial->call, &calls[i]);
    }
  }
  const std::vector<spec::Outcome> outcomes = engine_.run(requests);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (of[i] == nullptr || !was_right(*of[i]) || same_result(*of[i]->trial->outcome, outcomes[i])) continue;
    const std::string when = i == 0 ? "first in a batch" : "after " + spec::to_string(*requests[i - 1].call);
    if (auto failed = repeated(*requests[i].call, *of[i]->trial->expectation)
                          .failure(outcomes[i], requests[i].threads, when))
      of[i]->trial->judgement = *std::move(failed);
  }
}

/// Calls that the document leaves open, in the opposite order. An answer that differs once is asked for in
/// both orders again: what happens to a process only once is not a failure.
void Repeater::ask_open(const std::vector<ExecutedCall>& calls) {
  const auto ask = [&](std::vector<const ExecutedCall*> which, bool backwards) {
    if (backwards) std::ranges::reverse(which);
    std::vector<engines::CallRequest> requests;
    for (const ExecutedCall* one : which)
      requests.push_back(
          {.call = one->trial->call, .timeout = timeout_, .threads = threads_of(requests.size())});
    std::vector<spec::Outcome> outcomes = engine_.run(requests);
    if (backwards) std::ranges::reverse(outcomes);
    return outcomes;
  };
  std::vector<const ExecutedCall*> all, suspects;
  for (const ExecutedCall& one : calls) all.push_back(&one);
  const std::vector<spec::Outcome> again = ask(all, true);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (are_two_answers(op_, *all[i]->trial->outcome, again[i])) suspects.push_back(all[i]);
  if (suspects.empty()) return;
  const std::vector<spec::Outcome> forwards = ask(suspects, false), backwards = ask(suspects, true);
  for (std::size_t i = 0; i < suspects.size(); ++i) {
    if (!are_two_answers(op_, forwards[i], backwards[i])) continue;
    suspects[i]->trial->judgement = judgement_of_two_answers(forwards[i], backwards[i]);
  }
}

/// Whether the engine took one of two calls that ask the same and refused the other, or made another result
/// of it. The form of a call may decide which of several errors comes first.
bool Repeater::contradict(const spec::Outcome& a, const spec::Outcome& b) const {
  const bool both_refused =
      std::holds_alternative<spec::Refused>(a.what) && std::holds_alternative<spec::Refused>(b.what);
  return !both_refused && are_two_answers(op_, a, b);
}

/// Whether the call may have been refused for the dtype of its index alone, or because the engine takes no
/// calls by this variant.
bool Repeater::refuses_the_dtype(const engines::Engine& engine, const spec::Call& call,
                                 const spec::Outcome& outcome) const {
  return std::holds_alternative<spec::Refused>(outcome.what) &&
         !state_.offered[{&engine, call.api}].contains(index_dtypes(op_, call));
}

/// Each several times more, in both orders: where one of them varies by itself, nothing is said of the other.
void Repeater::ask_both(Trial& trial, const Restated& other, const spec::Outcome& answer) {
  engines::Engine& form = other.form ? *other.form : engine_;
  const spec::Outcome expected = restated(*trial.outcome, other);
  for (std::size_t round = 0; round < 2 * rounds_of_both; ++round) {
    const bool turned = round % 2 == 1;
    spec::Outcome again, other_again;
    const auto ask = [&] { again = engine_.run_one({.call = trial.call, .timeout = timeout_}); };
    if (!turned) ask();
    other_again = form.run_one({.call = &other.call, .timeout = timeout_});
    if (turned) ask();
    if (are_two_answers(op_, *trial.outcome, again) || are_two_answers(op_, answer, other_again)) return;
    if (!contradict(restated(again, other), answer) || !contradict(expected, other_again)) return;
  }
  const spec::Diagnosis found{.kind = spec::DiagnosisKind::inconsistent, .subject = std::string(other.by)};
  trial.judgement = {.verdict = spec::Verdict::mismatch, .diagnosis = found};
  trial.judgement.explanation =
      fmt::format("{}\n  {}\n  and for {}{}\n  {}", sentence(found), to_string(*trial.outcome),
                  text_of(other.call), other.form ? " by " + form.info().name : "", to_string(answer));
}

void Repeater::ask_if_they_contradict(Trial& trial, const Restated& other, const spec::Outcome& answer) {
  const engines::Engine& form = other.form ? *other.form : engine_;
  const spec::Outcome expected = restated(*trial.outcome, other);
  if (other.by == "batch" && !have_same_shapes(expected, answer)) return;
  if (contradict(expected, answer) && holds(other.call, other.overwritten, *trial.outcome) &&
      holds(other.call, other.overwritten, answer) &&
      !refuses_the_dtype(engine_, *trial.call, *trial.outcome) &&
      !refuses_the_dtype(form, other.call, answer))
    ask_both(trial, other, answer);
}

void Repeater::compare(engines::Engine& form, const std::vector<std::pair<Trial*, spec::Outcome>>& answers) {
  for (const auto& [trial, answer] : answers)
    if (trial->judgement.verdict == spec::Verdict::open)
      ask_if_they_contradict(*trial, {.call = *trial->call, .by = "form", .form = &form}, answer);
}

/// Calls that are still open, in other words.
void Repeater::ask_restated(const std::vector<ExecutedCall>& calls) {
  std::vector<Restated> others;
  std::vector<Trial*> of;
  for (const ExecutedCall& one : calls) {
    if (!was_open(one) || spec::largest_numel(*one.trial->call) > many_elements) continue;
    for (Restated& other : restated(op_, *one.trial->call, target_of(op_, engine_.info()), family_)) {
      if (!engine_.supports(other.call).yes) continue;
      others.push_back(std::move(other));
      of.push_back(one.trial);
    }
  }
  std::vector<engines::CallRequest> requests;
  for (const Restated& other : others) requests.push_back({.call = &other.call, .timeout = timeout_});
  const std::vector<spec::Outcome> outcomes = engine_.run(requests);
  for (std::size_t i = 0; i < others.size(); ++i) ask_if_they_contradict(*of[i], others[i], outcomes[i]);
}

std::optional<spec::Judgement> Repeater::first_of_a_process(const spec::Call& call,
                                                            const spec::Expectation& expectation) {
  const auto begin = Share::Clock::now();
  auto failed = repeated(call, expectation).first_of_a_process();
  shares_.in_new_processes.add(Share::Clock::now() - begin);
  return failed;
}

/// One of the calls that were right.
void Repeater::in_a_new_process(const std::vector<ExecutedCall>& calls) {
  if (!shares_.in_new_processes.has_room_for(start_of(engine_))) return;
  auto right = calls | std::views::filter(was_right);
  const auto one = std::ranges::min_element(right, {}, &ExecutedCall::hash);
  if (one == right.end()) return;
  Trial& trial = *one->trial;
  if (auto failed = first_of_a_process(*trial.call, *trial.expectation)) trial.judgement = *std::move(failed);
}

/// Those that could race, many times in a row.
void Repeater::in_a_row(const std::vector<ExecutedCall>& calls) {
  for (const ExecutedCall& one : calls) {
    if (!was_right(one) || !may_race(one) || one.trial->outcome->seconds > longest_execution) continue;
    std::vector<spec::Outcome> right{*one.trial->outcome};
    std::optional<spec::Judgement> failed;
    for (std::size_t round = 0; !failed && round < most_rounds && right.size() < RepeatedCall::most_judged &&
                                shares_.in_a_row.is_small();
         ++round)
      failed = race(*one.trial->call, *one.trial->expectation, right);
    if (failed) one.trial->judgement = *std::move(failed);
  }
}

/// A share of them, in another batch.
void Repeater::in_another_batch(const std::vector<ExecutedCall>& calls) {
  const auto refused = std::ranges::find_if(
      calls, [](const auto& one) { return std::holds_alternative<spec::Refused>(one.trial->outcome->what); });
  std::vector<ExecutedCall> right, open;
  for (const ExecutedCall& one : calls) {
    if (!is_chosen(one)) continue;
    if (was_right(one)) right.push_back(one);
    if (was_open(one)) open.push_back(one);
  }
  if ((right.empty() && open.empty()) || !shares_.among_others.is_small()) return;
  const auto begin = Share::Clock::now();
  ask_open(open);
  ask_restated(open);
  among_others(right, refused == calls.end() ? nullptr : refused->trial->call);
  shares_.among_others.add(Share::Clock::now() - begin);
}

/// Those that failed at once: as often as not, a race loses a value at the first execution, and what counts
/// calls is wrong at any.
void Repeater::settle_races(const std::vector<ExecutedCall>& calls) {
  if (!engine_.info().threads) return;
  for (const ExecutedCall& one : calls)
    if (one.trial->judgement.verdict == spec::Verdict::mismatch && one.trial->expectation)
      repeated(*one.trial->call, *one.trial->expectation).settle(one.trial->judgement);
}

void Repeater::repeat(const std::vector<ExecutedCall>& calls) {
  settle_races(calls);
  in_a_row(calls);
  in_a_new_process(calls);
  in_another_batch(calls);
  remember(calls);
}

std::optional<spec::Judgement> Repeater::failure(const spec::Call& call) {
  const auto expectation = expect(op_, call, engine_.info());
  if (!expectation) return {};
  std::vector<spec::Outcome> right;
  if (auto failed = race(call, *expectation, right)) return failed;
  if (!starts_quickly(engine_)) return {};
  return first_of_a_process(call, *expectation);
}

}  // namespace scatterproof::runner::fuzz
