// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/core/version.hpp"

#include <charconv>
#include <cstdint>

namespace scatterproof::spec {
namespace {

/// Takes the first dotted part's leading number off `version`.
std::int64_t next_part(std::string_view& version) {
  const std::size_t dot = version.find('.');
  const std::string_view part = version.substr(0, dot);
  version = dot == std::string_view::npos ? std::string_view() : version.substr(dot + 1);
  std::int64_t number = 0;
  std::from_chars(part.data(), part.data() + part.size(), number);
  return number;
}

}  // namespace

int compare_versions(std::string_view a, std::string_view b) {
  while (!a.empty() || !b.empty()) {
    const std::int64_t left = next_part(a);
    const std::int64_t right = next_part(b);
    if (left != right) return left < right ? -1 : 1;
  }
  return 0;
}

}  // namespace scatterproof::spec
