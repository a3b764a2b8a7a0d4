// SPDX-License-Identifier: Apache-2.0
// Why there is a result where a rule is broken: the engine may have repaired the call instead of refusing it.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/spec/core/diagnosis.hpp"
#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::runner {

/// Whether this value of an argument is an index: of integers, where the spec has an index tensor.
bool is_index(const spec::OpSpec& op, const std::string& name, const spec::Argument& value);

/// The first argument with a repair that explains the result, and that repair; an index before all others.
/// `none` when no repair does.
/// - An index: values wrapped once, clamped, or taken modulo a size, so that the call obeys every rule and
///   its meaning allows the result; or writes dropped, or cells filled with one value, where the index is out
///   of range. If several of these explain the result, it is `index_ambiguous`.
/// - A whole number taken modulo a rank; a tensor converted, broadcast or cut to another's dtype or shape:
///   the first with which the call obeys every rule and its meaning allows the result.
spec::Diagnosis repair_of(const spec::OpSpec& op, const spec::Call& call, const spec::Target& target,
                          const spec::Outcome& outcome);

/// The repairs of the first index with some that explain the result: several where `repair_of` says
/// `index_ambiguous`.
std::vector<spec::Diagnosis> explaining_index_repairs(const spec::OpSpec& op, const spec::Call& call,
                                                      const spec::Target& target,
                                                      const spec::Outcome& outcome);

/// The repairs of an index, without numbers, with which an engine that makes them would take the call.
std::vector<spec::Diagnosis> mending_index_repairs(const spec::OpSpec& op, const spec::Call& call,
                                                   const spec::Target& target);

}  // namespace scatterproof::runner
