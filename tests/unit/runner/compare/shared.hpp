// SPDX-License-Identifier: Apache-2.0
// The shipped comparisons, read once, and short ways to say something.
#pragma once

#include "../relations/shipped.hpp"
#include "scatterproof/runner/compare/readings.hpp"

namespace scatterproof::runner::compare {

using relations::f32;
using relations::i64;
using relations::number;
using relations::shipped;

inline spec::FamilyComparison comparison_of(const std::string& family) {
  auto loaded = spec::load_comparison(relations::source.data + "/spec/data/comparisons", shipped().families,
                                      *shipped().families.find(family));
  EXPECT_TRUE(loaded) << (loaded ? "" : spec::to_string(loaded.errors()));
  return *std::move(loaded);
}

/// What is said, role by role; the others have their defaults.
inline spec::FamilyCall said(const spec::FamilyComparison& comparison,
                             const std::vector<std::pair<std::string, spec::Argument>>& roles) {
  return as_said(comparison, spec::Call{.api = comparison.meaning.api, .arguments = roles});
}

}  // namespace scatterproof::runner::compare
