// SPDX-License-Identifier: Apache-2.0
#include "verdicts.hpp"

#include "baseline.hpp"

namespace scatterproof::runner::selftest {

spec::Outcome run_one(engines::Engine& engine, const spec::Call& call) {
  const engines::Job job{&call};
  return std::move(engine.run({&job, 1}).front());
}

std::string failure(const spec::Result<spec::Expectation>& expectation, const spec::Outcome& outcome) {
  if (!expectation) return "spec error";
  const spec::Judgement judgement = spec::judge(*expectation, outcome, true);
  return is_failure(judgement.verdict) ? std::string(spec::name(judgement.verdict)) : "";
}

std::string failure(const spec::OpSpec& spec, const spec::Call& call, engines::Engine& engine) {
  return failure(spec::expect(spec, call), run_one(engine, call));
}

spec::Call smallest(const spec::OpSpec&, const spec::Call& call,
                    const std::function<bool(const spec::Call&)>&) {
  return call;
}

}  // namespace scatterproof::runner::selftest
