// SPDX-License-Identifier: Apache-2.0
// What is known of an expression before any call.
#pragma once

#include "scatterproof/spec/language/ast.hpp"

namespace scatterproof::spec::language {

Constancy constancy_of(const Node& root);

}  // namespace scatterproof::spec::language
