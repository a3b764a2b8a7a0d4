// SPDX-License-Identifier: Apache-2.0
// The shipped specs and cases, read once; and engines with drawn faults.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "scatterproof/engines/faulty/drawn.hpp"
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

/// The first `count` faults of seed 5, on one engine and on one each.
struct FaultsTogetherAndAlone {
  FaultsTogetherAndAlone(std::uint64_t count, bool gradients) : faults(drawn(count, gradients)) {
    for (const engines::DrawnFault& one : faults) {
      all.push_back(all.size());
      alone.push_back(engines::make_drawn(one, shipped().specs));
    }
  }

  static std::vector<engines::DrawnFault> drawn(std::uint64_t count, bool gradients) {
    std::vector<engines::DrawnFault> made;
    for (std::uint64_t n = 0; n < count; ++n) made.push_back(engines::draw_fault(5, n, gradients));
    return made;
  }

  const std::vector<engines::DrawnFault> faults;
  std::vector<std::size_t> all;  ///< their numbers
  engines::DrawnEngines together{faults, shipped().specs};
  std::vector<std::unique_ptr<engines::Engine>> alone;
};

}  // namespace scatterproof::runner::selftest
