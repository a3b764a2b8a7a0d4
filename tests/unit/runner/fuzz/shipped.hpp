// SPDX-License-Identifier: Apache-2.0
// The shipped specs, for tests that hold for each.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::fuzz {

inline const spec::SpecLibrary& shipped_specs() {
  static const spec::SpecLibrary loaded = [] {
    auto result = spec::SpecLibrary::load(std::string(SCATTERPROOF_SOURCE_DIR) + "/spec/data/ops");
    if (!result) throw std::runtime_error(spec::to_string(result.errors()));
    return std::move(result).value();
  }();
  return loaded;
}

/// Those with a spec of their own: the calls of a variant are its spec's.
inline std::vector<std::string> shipped_apis() {
  std::vector<std::string> apis;
  for (const spec::OpSpec& op : shipped_specs().all())
    if (op.variant_of.empty()) apis.push_back(op.api);
  return apis;
}

inline std::string name_of_api(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

}  // namespace scatterproof::runner::fuzz
