// SPDX-License-Identifier: Apache-2.0
// What is known of an expression before any call.
#pragma once

#include "ast.hpp"

namespace scatterproof::spec::language {

Constancy constancy_of(const Node& root);

}  // namespace scatterproof::spec::language
