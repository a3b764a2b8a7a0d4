// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace scatterproof::spec {

/// FNV-1a, 64 bits (Fowler, Noll, Vo): stable across machines and releases, unlike std::hash.
std::uint64_t stable_hash(std::string_view text, std::uint64_t seed = 0);

/// A 128-bit hash that distinguishes millions of texts: a collision is not to be expected.
struct TextHash {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  friend auto operator<=>(const TextHash&, const TextHash&) = default;
};
TextHash hash_of(std::string_view text);
/// Of a text that is made of two.
TextHash hash_of(std::string_view one, std::string_view other);

}  // namespace scatterproof::spec

template <>
struct std::hash<scatterproof::spec::TextHash> {
  std::size_t operator()(const scatterproof::spec::TextHash& text) const noexcept { return text.first; }
};
