// SPDX-License-Identifier: Apache-2.0
// Numbers as calls and case files have them.
#pragma once

#include <string>

#include "scatterproof/spec/core/scalar.hpp"

namespace scatterproof::spec {

/// As to_string, but with the sign and the fraction of a NaN: `-nan`, `nan(0x.4)`. Reading it as `dtype`
/// gives the same bits. Results are printed without them: no document promises which NaN a result is.
std::string literal(const Scalar& value, DType dtype);
std::string literal(const Scalar& value);

}  // namespace scatterproof::spec
