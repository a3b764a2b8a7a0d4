// SPDX-License-Identifier: Apache-2.0
// Values between the texts of a kernel entry and the kinds of a role.
#pragma once

#include <optional>
#include <string>

#include "scatterproof/spec/family/family.hpp"

namespace scatterproof::spec {

/// The value that a text of a kernel entry or a default denotes for a role of this kind; empty: none.
std::optional<Argument> role_value(Role::Kind kind, const std::string& text);
/// An argument's value converted for a role of this kind; empty: not possible.
std::optional<Argument> role_value(Role::Kind kind, const Argument& argument);
/// The types of a role in expressions.
language::Types types_of(const Role& role);

}  // namespace scatterproof::spec
