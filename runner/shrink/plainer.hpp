// SPDX-License-Identifier: Apache-2.0
// Ways to make one number plainer.
#pragma once

#include <span>

#include "scatterproof/spec/core/scalar.hpp"

namespace scatterproof::runner::shrink {

/// Gives a number of the dtype; the one it got where this way does not apply or would not lower its cost.
using Plainer = spec::Scalar (*)(const spec::Scalar& value, spec::DType dtype);

/// From the boldest to the most careful. A number that no way makes plainer is 0.
std::span<const Plainer> ways_to_plainer();

/// The dtype that holds a lone number exactly.
spec::DType dtype_of(const spec::Scalar& value);

}  // namespace scatterproof::runner::shrink
