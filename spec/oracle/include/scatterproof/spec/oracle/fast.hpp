// SPDX-License-Identifier: Apache-2.0
// Rules and meaning by the fast evaluator, for judging many small calls. Every function gives the same result
// as its counterpart on the reference evaluator, or says that the counterpart must be used.
// tests/unit/spec/oracle/fast_test.cpp compares them on calls of all shipped specs.
#pragma once

#include <optional>

#include "scatterproof/spec/language/fast_evaluator.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::spec {

/// The frame of `base_scope`, as make_frame: a let without a value becomes none. False when the fast
/// evaluator is unsure. The call must outlive it.
bool fill_frame(language::FastEvaluator& frame, const OpSpec& spec, const Call& call);

/// As `stand` of rules.hpp; empty: use that instead.
std::optional<RuleState::Kind> stand(const Rule& rule, language::FastEvaluator& frame);

/// One rule's standing for a call, by whichever evaluator can tell.
RuleState::Kind stand(const OpSpec& spec, const Rule& rule, const Call& call);

/// The call's bag; empty: use `execute`, which also reports errors. `frame` is that of fill_frame.
std::optional<Bag> execute_fast(const OpSpec& spec, const Call& call, language::FastEvaluator& frame);

}  // namespace scatterproof::spec
