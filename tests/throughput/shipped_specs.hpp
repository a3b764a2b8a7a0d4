// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/runner/catalogue/catalogue.hpp"

namespace scatterproof {

/// Loaded once. Throws when they cannot be read.
inline const spec::SpecLibrary& shipped_specs() {
  static const spec::SpecLibrary loaded = [] {
    auto result = runner::load_specs("", engines::find_places());
    if (!result) throw std::runtime_error(spec::to_string(result.errors()));
    return std::move(result).value();
  }();
  return loaded;
}

}  // namespace scatterproof
