// SPDX-License-Identifier: Apache-2.0
// The last step of reading an expression, shared by expressions and formulas.
#pragma once

#include "scatterproof/spec/language/ast.hpp"

namespace scatterproof::spec::language {

/// Checks the tree and makes an Expression of it; null after an error. `mark` may annotate the checked tree.
std::shared_ptr<const Expression> finish(Node root, std::string text, const Text& source, const Scope& scope,
                                         Types expected, Errors& errors,
                                         const std::function<void(Node&)>& mark = {});

}  // namespace scatterproof::spec::language
