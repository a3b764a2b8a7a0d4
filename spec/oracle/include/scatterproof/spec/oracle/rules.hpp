// SPDX-License-Identifier: Apache-2.0
// For whom a statement holds, and how rules stand in a frame that is already made.
#pragma once

#include <string_view>

#include "scatterproof/spec/opspec/frame.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"
#include "scatterproof/spec/oracle/quick.hpp"

namespace scatterproof::spec {

/// Whether a statement of the spec's documents holds for the target. A target of another framework, or with
/// no version, is read as the newest release.
bool holds_for(const Applies& applies, const OpSpec& spec, const Target& target);

/// How one rule stands, the release and device apart, without a sentence: for those who ask often.
RuleState::Kind stand(const Rule& rule, const language::Frame& frame);

/// How every rule stands, in a frame of fill_frame; `usable`: what that gave.
std::vector<RuleState::Kind> rule_kinds(const OpSpec& spec, const Call& call, const Target& target,
                                        language::QuickEvaluator& frame, bool usable);

/// How one rule stands, the release and device apart. `scope` is the spec's base scope.
RuleState check_rule(const Rule& rule, const CallFrame& frame, const language::Scope& scope);

}  // namespace scatterproof::spec
