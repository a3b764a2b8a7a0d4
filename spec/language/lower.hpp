// SPDX-License-Identifier: Apache-2.0
// Lowers a parsed text to a tree of the language.
#pragma once

#include "scatterproof/spec/language/ast.hpp"
#include "syntax.hpp"

namespace scatterproof::spec::language {

/// The notation of a text: our own, or one of those that documents print (docs/formats/spec-language.md
/// §1.4).
enum class Notation { ours, subscripts, numpy };

/// Names are not resolved yet. Adds to `errors` what the notation lacks (the node is then useless).
Node lower(const Syntax& syntax, const Text& source, Notation notation, Errors& errors);

/// The modules whose functions documents print: np, numpy, and paddle, whose zeros and copies are numpy's.
bool is_array_module(std::string_view name);

/// The words that are values: true, false, none, inf, nan and the dtypes; in Python also True, False, None.
bool is_value_word(std::string_view word);

}  // namespace scatterproof::spec::language
