// SPDX-License-Identifier: Apache-2.0
// Prints trees in the language's notation, with some nodes replaced if wanted.
#pragma once

#include <functional>
#include <optional>

#include "scatterproof/spec/language/ast.hpp"

namespace scatterproof::spec::language {

/// What to write for a node instead of its own notation.
using Replace = std::function<std::optional<std::string>(const Node&)>;

std::string print(const Node& node, const Replace& replace);

}  // namespace scatterproof::spec::language
