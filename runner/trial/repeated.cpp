// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/trial/repeated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "scatterproof/runner/trial/ask.hpp"
#include "scatterproof/spec/core/cores.hpp"
#include "scatterproof/spec/core/random.hpp"

namespace scatterproof::runner {
namespace {

using Clock = std::chrono::steady_clock;

// To tell a race from a result that depends on earlier calls: how many failures chance would hardly put all
// where there are several threads, how many are looked for, the executions in one batch, and the limits.
constexpr std::size_t least_failures = 3;
constexpr std::size_t enough_failures = 6;
constexpr std::size_t a_batch = 16;
constexpr std::size_t most_executions = 512;
constexpr std::chrono::milliseconds longest_search{1000};

/// That memory ran out says something about the machine at that moment.
bool ran_out_of_memory(const spec::Refused* refused) {
  return refused && std::ranges::any_of(refused->error_classes, [](const std::string& name) {
           return name.find("Memory") != name.npos;
         });
}

bool same_bits(const spec::Tensor& a, const spec::Tensor& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() && a.is_contiguous() && b.is_contiguous() &&
         a.storage().size() == b.storage().size() &&
         (a.storage().empty() ||
          std::memcmp(a.storage().data(), b.storage().data(), a.storage().size()) == 0);
}

/// Whether the process of an engine that got no call ends as it should.
bool ends_well_without_calls(const engines::Engine& engine) {
  const auto idle = in_new_process(engine);
  if (!idle || !idle->start().empty()) return false;
  idle->stop();
  return !idle->bad_end();
}

}  // namespace

int threads_of(std::size_t execution) {
  const int cores = std::max(2, spec::cores());
  const std::array<int, 8> pattern{cores, 2 * cores, cores, 4 * cores, 2, cores + 1, cores, 1};
  return pattern[execution % pattern.size()];
}

bool could_race(const spec::Expectation& expectation, spec::ComparisonMode mode,
                std::size_t least_contributions) {
  const auto* bag = std::get_if<spec::Bag>(&expectation.what);
  if (bag == nullptr || bag->list.size() < least_contributions) return false;
  if (mode == spec::ComparisonMode::none || mode == spec::ComparisonMode::bound) return false;
  std::size_t touched = 0;
  for (std::size_t c = 0; c + 1 < bag->offsets.size(); ++c) touched += bag->offsets[c] < bag->offsets[c + 1];
  return touched < bag->list.size();
}

bool same_result(const spec::Outcome& a, const spec::Outcome& b) {
  if (const auto* one = std::get_if<spec::Produced>(&a.what), *other = std::get_if<spec::Produced>(&b.what);
      one && other)
    return one->inputs_written == other->inputs_written &&
           std::ranges::equal(one->tensors, other->tensors, same_bits);
  if (const auto* one = std::get_if<spec::Refused>(&a.what), *other = std::get_if<spec::Refused>(&b.what);
      one && other)
    return one->error_classes == other->error_classes;
  return false;
}

std::optional<spec::Judgement> RepeatedCall::failure(const spec::Outcome& outcome, int threads,
                                                     const std::string& when) const {
  spec::Judgement judgement =
      within_limits(call, [&] { return judge_by_spec(op, call, expectation, engine.info(), outcome); });
  if (!spec::is_failure(judgement.verdict)) return {};
  if (judgement.diagnosis.kind == spec::DiagnosisKind::crash_of_none)
    return judgement;  // not of this one either
  judgement.diagnosis = {.kind = spec::DiagnosisKind::differs_when_repeated};
  const std::string with =
      engine.info().threads && threads > 0 ? fmt::format(", with {} threads", threads) : std::string();
  judgement.explanation =
      fmt::format("{} ({}{})\n{}", sentence(judgement.diagnosis), when, with, judgement.explanation);
  return judgement;
}

std::optional<spec::Judgement> RepeatedCall::in_a_row(std::size_t executions,
                                                      std::vector<spec::Outcome>& right) const {
  std::vector<engines::CallRequest> requests;
  for (std::size_t i = 0; i < executions; ++i)
    requests.push_back({.call = &call, .timeout = timeout, .threads = threads_of(i)});
  std::vector<spec::Outcome> outcomes = engine.run(requests);
  for (std::size_t i = 0; i < outcomes.size() && right.size() < most_judged; ++i) {
    if (std::ranges::any_of(right, [&](const auto& one) { return same_result(one, outcomes[i]); })) continue;
    const std::string when = fmt::format("one of {} times in a row", outcomes.size());
    if (auto failed = failure(outcomes[i], requests[i].threads, when)) {
      settle(*failed);
      return failed;
    }
    right.push_back(std::move(outcomes[i]));
  }
  return {};
}

std::optional<spec::Judgement> RepeatedCall::first_of_a_process() const {
  const auto cold = in_new_process(engine);
  if (!cold) return {};
  spec::Outcome outcome = cold->run_one({.call = &call, .timeout = timeout});
  cold->stop();
  if (auto crashed = cold->bad_end(); crashed && ends_well_without_calls(engine)) {
    crashed->established = "when its process ended, after this call alone";
    outcome.what = *std::move(crashed);
  }
  const bool answered = std::holds_alternative<spec::Produced>(outcome.what) ||
                        std::holds_alternative<spec::Refused>(outcome.what) ||
                        std::holds_alternative<spec::Crashed>(outcome.what);
  return answered ? failure(outcome, 0, "as the first call of a process") : std::nullopt;
}

/// How often a call was right and wrong.
struct RepeatedCall::Tried {
  std::size_t right = 0, wrong = 0;              ///< with several threads
  std::size_t right_alone = 0, wrong_alone = 0;  ///< with one
  bool is_decided() const {
    const bool any_right = right + right_alone > 0;
    return (wrong_alone > 0 && any_right) || (wrong >= enough_failures && right_alone >= enough_failures);
  }
  bool is_always_wrong() const { return right + right_alone == 0; }
};

/// In random order: something that counts calls must not always meet the same number of threads.
RepeatedCall::Tried RepeatedCall::tried_with_threads() const {
  Tried tried;
  spec::Dice dice(0, 0);
  const Clock::time_point begin = Clock::now();
  for (std::size_t done = 0; done < most_executions && Clock::now() - begin < longest_search;) {
    std::vector<engines::CallRequest> requests;
    // What is wrong every time costs few executions.
    for (std::size_t i = 0; i < (done == 0 ? 4 : a_batch); ++i)
      requests.push_back(
          {.call = &call,
           .timeout = timeout,
           .threads = (done == 0 ? i % 2 == 0 : dice.one_in(2)) ? 1 : std::max(2, threads_of(done + i))});
    const std::vector<spec::Outcome> outcomes = engine.run(requests);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const bool wrong = failure(outcomes[i], requests[i].threads, "").has_value();
      if (requests[i].threads == 1)
        ++(wrong ? tried.wrong_alone : tried.right_alone);
      else
        ++(wrong ? tried.wrong : tried.right);
    }
    done += requests.size();
    if (tried.is_always_wrong() || tried.is_decided()) break;
  }
  return tried;
}

void RepeatedCall::settle(spec::Judgement& failed) const {
  const bool is_wrong_result =
      failed.verdict == spec::Verdict::mismatch && std::holds_alternative<spec::Bag>(expectation.what);
  if (!engine.info().threads || !is_wrong_result) return;
  const Tried tried = tried_with_threads();
  if (tried.is_always_wrong() || (tried.wrong_alone > 0 && tried.right_alone == 0)) return;
  const bool is_race = tried.wrong_alone == 0 && tried.wrong >= least_failures;
  const std::string counts =
      fmt::format("it failed in {} of {} executions with several threads, in {} of {} with one", tried.wrong,
                  tried.wrong + tried.right, tried.wrong_alone, tried.wrong_alone + tried.right_alone);
  // The first line says how it failed; then come the counts.
  const bool said = failed.diagnosis.kind == spec::DiagnosisKind::differs_when_repeated && !is_race;
  failed.diagnosis = {.kind =
                          is_race ? spec::DiagnosisKind::race : spec::DiagnosisKind::differs_when_repeated};
  const std::size_t first_line = said ? failed.explanation.find('\n') : 0;
  const std::string how = said ? failed.explanation.substr(0, first_line) : sentence(failed.diagnosis);
  const std::string what = failed.explanation.substr(said ? first_line + 1 : 0);
  if (tried.wrong_alone > 0) failed.causes.clear();  // such a meaning is wrong each time
  failed.explanation = fmt::format(
      "{}\n{}{}\n{}", how, counts,
      tried.wrong_alone > 0 ? ": the result depends on the calls before it, or on chance" : "", what);
}

bool are_two_answers(const spec::OpSpec& op, const spec::Outcome& a, const spec::Outcome& b) {
  const auto *refused = std::get_if<spec::Refused>(&a.what),
             *other_refused = std::get_if<spec::Refused>(&b.what);
  const auto *made = std::get_if<spec::Produced>(&a.what), *other_made = std::get_if<spec::Produced>(&b.what);
  if ((!refused && !made) || (!other_refused && !other_made)) return false;
  if (ran_out_of_memory(refused) || ran_out_of_memory(other_refused)) return false;
  if (refused && other_refused) return refused->error_classes != other_refused->error_classes;
  if (refused || other_refused) return true;
  const bool values_may_meet = op.meaning.start != nullptr;
  if (values_may_meet) return false;
  return !std::ranges::equal(made->tensors, other_made->tensors,
                             [](const auto& one, const auto& other) { return identical(one, other); });
}

spec::Judgement judgement_of_two_answers(const spec::Outcome& a, const spec::Outcome& b) {
  spec::Judgement judgement{.verdict = spec::Verdict::mismatch,
                            .diagnosis = {.kind = spec::DiagnosisKind::unrepeatable}};
  judgement.explanation =
      fmt::format("{}\n  {}\n  {}", sentence(judgement.diagnosis), to_string(a), to_string(b));
  return judgement;
}

}  // namespace scatterproof::runner
