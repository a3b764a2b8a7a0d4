// SPDX-License-Identifier: Apache-2.0
// One call on one engine, judged: by the spec, and for a case also by what the case states.
#pragma once

#include <chrono>
#include <memory>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/spec/cases/case.hpp"
#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/core/work_limit.hpp"
#include "scatterproof/spec/judge/expectation.hpp"
#include "scatterproof/spec/judge/judge.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"
#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::runner {

/// The longest that one call may be judged.
inline constexpr std::chrono::seconds longest_judging{60};

/// Verdict infra, for work on `what` that was given up. Only an interruption is passed on.
spec::Judgement given_up(const spec::LimitReached& why, const std::string& what);

/// What `judge` returns; or, when a limit is passed, a judgement that names it.
template <class Judge>
auto within_limits(const spec::Call& call, const Judge& judge) -> decltype(judge()) {
  try {
    const spec::WorkLimit limit("judging", longest_judging);
    return judge();
  } catch (const spec::LimitReached& why) {
    return given_up(why, spec::to_string(call));
  }
}

/// The release a spec is read for: the engine's, if it runs the spec's own framework, otherwise the newest.
spec::Target target_of(const spec::OpSpec& spec, const engines::EngineInfo& engine);

/// What the spec promises of the call on an engine: by its release, if it runs the spec's own framework, and
/// on its device. Errors: the spec cannot be executed.
spec::Result<spec::Expectation> expect(const spec::OpSpec& spec, const spec::Call& call,
                                       const engines::EngineInfo& engine);

/// The verdict by the spec's meaning and rules alone. `expectation` is the spec's expectation of the call for
/// this engine.
spec::Judgement judge_by_spec(const spec::OpSpec& spec, const spec::Call& call,
                              const spec::Expectation& expectation, const engines::EngineInfo& engine,
                              const spec::Outcome& outcome);

/// One call on one engine: what the documents promise of it, and the verdict on its outcome.
struct Trial {
  const spec::OpSpec* spec = nullptr;
  const spec::Call* call = nullptr;
  const engines::EngineInfo* engine = nullptr;
  const spec::Outcome* outcome = nullptr;  ///< all four outlive the trial
  /// For this engine; shared by those with one release and device. Null: there was no call to judge, or
  /// judging was given up.
  std::shared_ptr<const spec::Expectation> expectation = {};
  spec::Judgement judgement = {};
};

/// The verdict by the spec's meaning and rules. Errors: the spec cannot be executed.
spec::Result<Trial> judge_call(const spec::OpSpec& spec, const spec::Call& call,
                               const engines::EngineInfo& engine, const spec::Outcome& outcome);

/// The verdict by the spec's meaning and rules; then by what the case states on top (printed values, an
/// error, open). A case that contradicts its spec is disputed. Errors: the spec cannot be
/// executed.
spec::Result<Trial> judge_case(const spec::Case& one, const spec::OpSpec& spec,
                               const engines::EngineInfo& engine, const spec::Outcome& outcome);

/// What the engine did with a call that breaks rules, whatever the document says of it: `refused`,
/// `refused_after_writing`, a repair, `produced` where no repair explains the result, or how it crashed or
/// hung. `none` if no rule is broken, or if the engine was not asked.
spec::Diagnosis practice_of(const Trial& trial);

/// Writes which rules the call breaks into a record, and what the engine did with it.
void put_practice(const Trial& trial, spec::Record& record);

/// Writes a judgement into a record.
void put(const spec::Judgement& judgement, spec::Record& record);

/// Of dtype, shape and elements, as OutcomeSummary::digest.
std::string digest_of(const spec::Tensor& result);

/// Writes what happened into a record, with the elements of a small result.
void put(const spec::Outcome& outcome, spec::Record& record);

}  // namespace scatterproof::runner
