// SPDX-License-Identifier: Apache-2.0
// Names of every type, as expressions and formulas of specs use them.
#pragma once

#include "scatterproof/spec/language/language.hpp"

namespace scatterproof::parsers {

inline const spec::language::Scope& names() {
  static const auto scope = [] {
    using spec::language::Type;
    spec::language::Scope made;
    for (const char* tensor : {"input", "self", "index", "indices", "src", "data", "updates", "out", "x"})
      made.declare(tensor, Type::tensor | Type::tensor);
    for (const char* integer : {"dim", "axis", "batch_dims"})
      made.declare(integer, Type::integer | Type::integer);
    made.declare("reduce", Type::word | Type::none);
    made.declare("include_self", Type::boolean | Type::boolean);
    made.declare("value", Type::number | Type::tensor);
    made.declare("p", Type::tuple | Type::tuple);
    return made;
  }();
  return scope;
}

}  // namespace scatterproof::parsers
