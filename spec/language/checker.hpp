// SPDX-License-Identifier: Apache-2.0
// The static check: names become slots, every node gets the set of types it can give.
#pragma once

#include "scatterproof/spec/language/ast.hpp"
#include "syntax.hpp"

namespace scatterproof::spec::language {

/// Fills in `slot`, `local` and `types` of the whole tree; adds one error for each thing wrong, at its place.
/// `expected` must overlap what the root gives.
void check(Node& root, const Text& source, const Scope& scope, Types expected, Errors& errors);

/// `a tuple`, `an integer or a tensor`: for messages.
std::string describe(Types types);

inline constexpr Types any_type = 255;
/// An integer is accepted where a number is expected.
bool overlap(Types given, Types wanted);

}  // namespace scatterproof::spec::language
