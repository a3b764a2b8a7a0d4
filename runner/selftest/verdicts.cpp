// SPDX-License-Identifier: Apache-2.0
#include "verdicts.hpp"

#include "scatterproof/runner/baseline/baseline.hpp"
#include "scatterproof/runner/shrink/shrink.hpp"

namespace scatterproof::runner::selftest {
namespace {

/// Bounded by candidates, not by the clock, so that two runs print the same.
const shrink::Limits limits = {.seconds = 3600, .candidates = 2'000, .batch = 64};

}  // namespace

std::string failure(const spec::Result<spec::Expectation>& expectation, const spec::Outcome& outcome) {
  if (!expectation) return "spec error";
  const spec::Judgement judgement = spec::judge(*expectation, outcome, true);
  return is_failure(judgement.verdict) ? std::string(spec::name(judgement.verdict)) : "";
}

std::string failure(const spec::OpSpec& spec, const spec::Call& call, engines::Engine& engine) {
  return failure(spec::expect(spec, call), engine.run_one({&call}));
}

spec::Call smallest(const spec::OpSpec& spec, const spec::Call& call,
                    const std::function<bool(const spec::Call&)>& shows) {
  const auto keeps = [&](std::span<const spec::Call> candidates) {
    std::vector<bool> kept;
    for (const spec::Call& candidate : candidates) kept.push_back(shows(candidate));
    return kept;
  };
  return shrink::shrink(spec, call, keeps, limits).call;
}

}  // namespace scatterproof::runner::selftest
