// SPDX-License-Identifier: Apache-2.0
// Values between the texts of a kernel entry and the kinds of a role.
#pragma once

#include <optional>
#include <string>

#include "scatterproof/spec/family/family.hpp"

namespace scatterproof::spec {

/// What a text of a kernel entry or a default is for a role of this kind; empty: no such thing.
std::optional<Argument> role_value(Role::Kind kind, const std::string& text);
/// An argument's value as one of a role of this kind; empty: no such thing.
std::optional<Argument> role_value(Role::Kind kind, const Argument& argument);
/// What a role of this kind is to expressions.
language::Types types_of(Role::Kind kind);

}  // namespace scatterproof::spec
