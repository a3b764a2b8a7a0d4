// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "scatterproof/spec/call.hpp"

namespace scatterproof::runner::shrink {

/// Of the API and every argument: dtype, shape, strides, offset and values of tensors. The same on every
/// machine and in every release.
std::uint64_t hash_of(const spec::Call& call);

}  // namespace scatterproof::runner::shrink
