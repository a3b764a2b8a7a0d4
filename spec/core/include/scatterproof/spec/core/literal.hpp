// SPDX-License-Identifier: Apache-2.0
// Numbers as calls and case files have them.
#pragma once

#include <string>

#include "scatterproof/spec/core/scalar.hpp"

namespace scatterproof::spec {

/// As to_string, but with the sign of a NaN: `-nan`. Reading it as `dtype` gives the same number; of a NaN,
/// the same sign. Results are printed without it: no document promises the sign of a NaN.
std::string literal(const Scalar& value, DType dtype);
std::string literal(const Scalar& value);

}  // namespace scatterproof::spec
