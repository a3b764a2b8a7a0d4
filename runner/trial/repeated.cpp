// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/trial/repeated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "scatterproof/spec/core/cores.hpp"

namespace scatterproof::runner {
namespace {

bool same_bits(const spec::Tensor& a, const spec::Tensor& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() && a.is_contiguous() && b.is_contiguous() &&
         a.storage().size() == b.storage().size() &&
         (a.storage().empty() ||
          std::memcmp(a.storage().data(), b.storage().data(), a.storage().size()) == 0);
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

void RepeatedCall::settle(spec::Judgement& failed) const {
  if (!engine.info().threads || failed.verdict != spec::Verdict::mismatch) return;
  for (const std::size_t executions : {1, 7}) {  // what is wrong every time costs one
    const std::vector<engines::CallRequest> requests(executions,
                                                     {.call = &call, .timeout = timeout, .threads = 1});
    for (const spec::Outcome& outcome : engine.run(requests))
      if (failure(outcome, 1, "")) return;
  }
  failed.diagnosis = {.kind = spec::DiagnosisKind::race};
  failed.explanation = sentence(failed.diagnosis) + '\n' + failed.explanation;
}

}  // namespace scatterproof::runner
