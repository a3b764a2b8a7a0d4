// SPDX-License-Identifier: Apache-2.0
// Arithmetic with numbers that are not integers, for both evaluators.
#pragma once

#include "scatterproof/spec/language/ast.hpp"

namespace scatterproof::spec::language {

/// `a op b` in doubles, or pairs of them. Throws NotEvaluable for `//` and `%`.
Scalar inexact(const Scalar& a, Operator op, const Scalar& b);
/// `-a`, of a real or complex number.
Scalar negated(const Scalar& a);

}  // namespace scatterproof::spec::language
