// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace scatterproof::spec {

/// FNV-1a, 64 bits (Fowler, Noll, Vo): stable across machines and releases, unlike std::hash.
std::uint64_t stable_hash(std::string_view text, std::uint64_t seed = 0);

}  // namespace scatterproof::spec
