// SPDX-License-Identifier: Apache-2.0
// What a call of one family says, said in another.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "scatterproof/spec/family/family.hpp"

namespace scatterproof::runner::relations {

/// Roles of the other family, and their values.
using RoleChanges = std::vector<std::pair<std::string, spec::Argument>>;

/// What a role is in a call. Precondition: the family has the role.
const spec::Argument& value_of(const spec::Family& family, const spec::FamilyCall& said,
                               std::string_view role);
spec::Argument& value_of(const spec::Family& family, spec::FamilyCall& said, std::string_view role);

/// Updates that every member accepts, neither cut off nor stretched by the API itself. Empty where there are
/// none: an index without elements may accept any. Precondition: the family has updates.
std::optional<spec::Argument> fitted_updates(const spec::Family& family, const spec::FamilyCall& said);

/// What another family's call says: its roles come from `changes`, the given call or the defaults. A string:
/// why none says it.
std::variant<spec::FamilyCall, std::string> said_in(const spec::Family& from, const spec::FamilyCall& said,
                                                    const spec::Family& to, const RoleChanges& changes);

/// The same by a relation `by: restate`, whose `when` the caller has checked. Throws
/// spec::language::NotEvaluable if an expression has no value.
std::variant<spec::FamilyCall, std::string> restated(const spec::Relation& relation, const spec::Family& from,
                                                     const spec::FamilyCall& said, const spec::Family& to);

}  // namespace scatterproof::runner::relations
