// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "scatterproof/spec/core/call.hpp"

namespace scatterproof::runner {

/// A hash of the API, every argument, and which arguments are left out; for tensors, of the dtype, shape,
/// strides, offset and the bits of the elements. The same on every machine and in every release.
std::uint64_t hash_of(const spec::Call& call);

/// A hash of a tensor's dtype, shape and elements, whatever its layout; all NaNs count as equal. The same on
/// every machine and in every release.
std::uint64_t hash_of(const spec::Tensor& tensor);

/// The hash of the hashed input followed by `more`.
std::uint64_t mix(std::uint64_t hash, std::uint64_t more);

}  // namespace scatterproof::runner
