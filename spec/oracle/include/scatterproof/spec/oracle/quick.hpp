// SPDX-License-Identifier: Apache-2.0
// Rules and meaning by the quick evaluator, for those who judge many small calls. Everything here gives what
// its plain counterpart gives, or says that the plain one must be asked; tests/opspec/quick_test.cpp holds
// them against each other on calls of all shipped specs.
#pragma once

#include <optional>

#include "scatterproof/spec/language/quick.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::spec {

/// The frame of `base_scope`, as make_frame: a let without a value is none there. False when the quick
/// evaluator cannot say. The call must outlive it.
bool fill_frame(language::QuickEvaluator& frame, const OpSpec& spec, const Call& call);

/// As `stand` of rules.hpp; empty: ask that.
std::optional<RuleState::Kind> stand(const Rule& rule, language::QuickEvaluator& frame);

/// The call's bag; empty: ask `execute`, which knows errors too. `frame` is that of fill_frame.
std::optional<Bag> execute_quickly(const OpSpec& spec, const Call& call, language::QuickEvaluator& frame);

}  // namespace scatterproof::spec
