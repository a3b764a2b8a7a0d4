// SPDX-License-Identifier: Apache-2.0
// The readings of a family, carried out: on what a call says, and on the meaning of that.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "scatterproof/spec/family/comparison.hpp"
#include "scatterproof/spec/judge/bag.hpp"

namespace scatterproof::runner::compare {

using Readings = std::span<const spec::CallReading* const>;

/// The value of a role by its name; null when the family has no such role.
const spec::Argument* role(const spec::FamilyComparison& comparison, const spec::FamilyCall& said,
                           std::string_view name);

/// The family's meaning as a call of it: what is said, argument by argument.
spec::Call as_call(const spec::FamilyComparison& comparison, const spec::FamilyCall& said);
/// The reverse; roles that the meaning lacks have their defaults.
spec::FamilyCall as_said(const spec::FamilyComparison& comparison, const spec::Call& call);

/// What is said once the readings have changed it; those that change only the meaning or how values are
/// combined change nothing here. Empty if a change cannot be made: a size or an index has no value.
std::optional<spec::FamilyCall> changed(const spec::FamilyComparison& comparison,
                                        const spec::FamilyCall& said, Readings readings);

/// With each index that is out of range moved by this many places. Empty where an index is not of integers,
/// or a size has no value.
std::optional<spec::FamilyCall> with_far_indices_moved(const spec::FamilyComparison& comparison,
                                                       const spec::FamilyCall& said, std::int64_t by);

/// Whether the meaning's result is small, or it gives none: a call may name the sizes of its result.
bool result_fits(const spec::FamilyComparison& comparison, const spec::FamilyCall& said);

/// What the family's meaning gives for a call that is read in these ways. Empty when it gives nothing, or too
/// much, or when one of the readings changes nothing that matters.
std::optional<spec::Bag> read(const spec::FamilyComparison& comparison, const spec::FamilyCall& said,
                              Readings readings);

/// Whether some place of the result receives several values; an index out of range counts as its remainder.
bool collides(const spec::FamilyComparison& comparison, const spec::FamilyCall& said);

}  // namespace scatterproof::runner::compare
