// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/core/stable_hash.hpp"

#include <bit>

namespace scatterproof::spec {

std::uint64_t stable_hash(std::string_view text, std::uint64_t seed) {
  std::uint64_t hash = 0xcbf29ce484222325u ^ (seed * 0x9e3779b97f4a7c15u);
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

TextHash hash_of(std::string_view text) { return hash_of(text, ""); }

TextHash hash_of(std::string_view one, std::string_view other) {
  // Two hashes of different kinds, updated in turn a byte at a time. 256 is not a byte value: it ends the
  // first text.
  TextHash hash{0xcbf29ce484222325u, 0x9e3779b97f4a7c15u};
  const auto add = [&hash](std::uint64_t byte) {
    hash.first = (hash.first ^ byte) * 0x100000001b3u;
    hash.second = (std::rotl(hash.second, 23) + byte) * 0xff51afd7ed558ccdu;
  };
  for (const char c : one) add(static_cast<unsigned char>(c));
  add(256);
  for (const char c : other) add(static_cast<unsigned char>(c));
  hash.second ^= hash.second >> 32;  // its low bits depend on few of the text's
  return hash;
}

}  // namespace scatterproof::spec
