// SPDX-License-Identifier: Apache-2.0
// Generated calls in RapidCheck's hands: what a property test of a kernel looks like.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "arbitrary.hpp"
#include "scatterproof/engines/reference/reference.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "shipped.hpp"

namespace scatterproof::runner::fuzz {
namespace {

RC_GTEST_PROP(Arbitrary, TheReferenceDoesWhatTheSpecSays, ()) {
  static const spec::OpSpec& op = *shipped_specs().find("mindspore.mint.scatter");
  static Generator generator(op, 11);
  static const auto reference = engines::make_reference(shipped_specs());
  const GeneratedCall made = *arbitrary_call(generator);
  const spec::Outcome outcome = reference->run_one({&made.call});
  const auto trial = judge_call(op, made.call, reference->info(), outcome);
  RC_ASSERT(trial.operator bool());
  const spec::Verdict verdict = trial->judgement.verdict;
  RC_ASSERT(verdict == spec::Verdict::pass || verdict == spec::Verdict::weak ||
            verdict == spec::Verdict::open);
}

}  // namespace
}  // namespace scatterproof::runner::fuzz
