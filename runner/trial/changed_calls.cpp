// SPDX-License-Identifier: Apache-2.0
#include "changed_calls.hpp"

#include <utility>

#include "scatterproof/spec/core/work_limit.hpp"
#include "scatterproof/spec/judge/judge.hpp"

namespace scatterproof::runner {

spec::Call with_argument(const spec::Call& call, std::size_t at, spec::Argument value) {
  spec::Call other = call;
  other.arguments[at].second = std::move(value);
  return other;
}

spec::Verdict verdict_on(const spec::OpSpec& op, const spec::Call& call, const spec::Target& target,
                         const spec::Outcome& outcome) try {
  const auto expectation = spec::expect(op, call, target);
  if (!expectation || !std::holds_alternative<spec::Bag>(expectation->what)) return spec::Verdict::infra;
  return spec::judge(*expectation, outcome).verdict;
} catch (const spec::LimitReached& why) {
  if (why.why() != spec::LimitReached::Why::too_large) throw;
  return spec::Verdict::infra;  // the changed call is too large, the call itself is not
}

}  // namespace scatterproof::runner
