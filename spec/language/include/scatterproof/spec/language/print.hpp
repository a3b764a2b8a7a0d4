// SPDX-License-Identifier: Apache-2.0
// Trees back in the language's notation, wholly or with some nodes replaced.
#pragma once

#include <functional>
#include <optional>

#include "scatterproof/spec/language/ast.hpp"

namespace scatterproof::spec::language {

/// What to write for a node instead of its own notation.
using Replace = std::function<std::optional<std::string>(const Node&)>;

std::string print(const Node& node, const Replace& replace);

}  // namespace scatterproof::spec::language
