// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "scatterproof/spec/core/call.hpp"

namespace scatterproof::runner {

/// A number that two different calls hardly share: of the API and every argument; of tensors the dtype,
/// shape, strides, offset and the elements' bits. The same on every machine and in every release.
std::uint64_t hash_of(const spec::Call& call);

/// The hash of what `hash` stands for followed by `more`.
std::uint64_t mix(std::uint64_t hash, std::uint64_t more);

}  // namespace scatterproof::runner
