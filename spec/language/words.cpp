// SPDX-License-Identifier: Apache-2.0
// An expression as an English sentence.
#include <fmt/format.h>

#include "print.hpp"

namespace scatterproof::spec::language {

std::string in_words(const Expression& expression) { return print(expression.root()); }

}  // namespace scatterproof::spec::language
