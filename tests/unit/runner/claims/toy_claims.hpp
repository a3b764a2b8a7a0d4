// SPDX-License-Identifier: Apache-2.0
// Claims about shipped APIs, which the reference engine executes on both sides.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "scatterproof/runner/catalogue/catalogue.hpp"
#include "scatterproof/runner/claims/claim.hpp"
#include "scatterproof/spec/family/comparison.hpp"

namespace scatterproof::runner::claims {

inline const engines::Places source{SCATTERPROOF_SOURCE_DIR, ""};

inline const spec::SpecLibrary& specs() {
  static const spec::SpecLibrary library = *load_specs("", source);
  return library;
}

/// Of the family in which calls of the API are said; null: there is none.
inline const spec::FamilyComparison* comparison_of(const spec::OpSpec& op) {
  static const spec::FamilyLibrary families = *spec::FamilyLibrary::load(source.data + "/spec/data/families");
  static std::map<const spec::Family*, spec::FamilyComparison> loaded;
  const spec::Family* family = families.said_in(op);
  if (!family) return nullptr;
  if (!loaded.contains(family)) {
    auto one = spec::load_comparison(source.data + "/spec/data/comparisons", families, *family);
    EXPECT_TRUE(one) << (one ? "" : spec::to_string(one.errors()));
    loaded.emplace(family, *std::move(one));
  }
  return &loaded.at(family);
}

/// A file with one claim: torch.gather is paddle.take_along_axis, with more lines of the claim behind it.
inline std::string file_with(const std::string& broadcast, const std::string& more = "") {
  return R"(title: toys
sources:
  page: {title: a page}
claims:
  - id: T-1
    source: page
    says: gather(x,d,i) -> take_along_axis(x,i,d)
    a: torch.gather
    b:
      api: paddle.take_along_axis
      arguments:
        arr: $input
        indices: $index
        axis: $dim
        broadcast: )" +
         broadcast + "\n" + more;
}

inline MappingClaim claim_of(const std::string& text) {
  auto file = load_claims_text("t.yaml", text, specs());
  EXPECT_TRUE(file) << (file ? "" : spec::to_string(file.errors()));
  return file->claims.front();
}

}  // namespace scatterproof::runner::claims
