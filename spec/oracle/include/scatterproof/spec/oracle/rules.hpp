// SPDX-License-Identifier: Apache-2.0
// Which targets a statement holds for, and whether rules are obeyed in a frame that already exists.
#pragma once

#include <string_view>

#include "scatterproof/spec/opspec/frame.hpp"
#include "scatterproof/spec/oracle/fast.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::spec {

/// Whether a statement of the spec's documents holds for the target. A target of another framework, or with
/// no version, is read as the newest release.
bool holds_for(const Applies& applies, const OpSpec& spec, const Target& target);

/// Whether one rule is obeyed, ignoring release and device; without the sentence, which takes time to make.
RuleState::Kind stand(const Rule& rule, const language::Frame& frame);

/// Whether every rule is obeyed, in a frame of fill_frame; `usable`: what fill_frame returned.
std::vector<RuleState::Kind> rule_kinds(const OpSpec& spec, const Call& call, const Target& target,
                                        language::FastEvaluator& frame, bool usable);

/// Whether one rule is obeyed, ignoring release and device. `scope` is the spec's base scope.
RuleState check_rule(const Rule& rule, const CallFrame& frame, const language::Scope& scope);

}  // namespace scatterproof::spec
