// SPDX-License-Identifier: Apache-2.0
// The shipped specs and cases, read once.
#pragma once

#include <gtest/gtest.h>

#include "scatterproof/runner/catalogue/catalogue.hpp"

namespace scatterproof::runner::selftest {

inline const Catalogue& shipped() {
  static const Catalogue catalogue = [] {
    auto loaded = load_catalogue({}, {SCATTERPROOF_SOURCE_DIR, ""});
    if (!loaded) throw std::runtime_error(spec::to_string(loaded.errors()));
    return std::move(loaded).value();
  }();
  return catalogue;
}

}  // namespace scatterproof::runner::selftest
