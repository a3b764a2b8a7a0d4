// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/core/stable_hash.hpp"

namespace scatterproof::spec {

std::uint64_t stable_hash(std::string_view text, std::uint64_t seed) {
  std::uint64_t hash = 0xcbf29ce484222325u ^ (seed * 0x9e3779b97f4a7c15u);
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace scatterproof::spec
