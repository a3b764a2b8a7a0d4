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

/// A claim about two calls in turn, ONNX's: what is scattered, a gather at the same places gives back.
/// `gives` is an element of what the gather must give.
inline std::string file_in_turn(const std::string& gives, const std::string& when) {
  return R"(title: toys
sources:
  page: {title: a page}
claims:
  - id: T-3
    source: page
    says: ScatterND is the inverse of GatherND
    a: onnx.ScatterND
    b:
      api: onnx.GatherND
      arguments: {data: $result, indices: $indices}
    gives: {sizes: shape(updates), dtype: dtype(updates), each: ")" +
         gives + "\"}\n    when: >-\n      " + when + "\n";
}

/// A claim that prints two calls of torch.gather: the first gives `values`, and the second, whose index is
/// `index`, gives an error.
inline std::string file_that_prints(const std::string& values, const std::string& index) {
  return R"(title: toys
sources:
  page: {title: a page}
claims:
  - id: T-4
    source: page
    says: what gather gives
    prints:
      - api: torch.gather
        call: {input: {dtype: i64, values: [5, 6]}, dim: 0, index: {dtype: i64, values: [1, 0]}}
        gives: {dtype: i64, values: )" +
         values + R"(}
      - api: torch.gather
        call: {input: {dtype: i64, values: [5, 6]}, dim: 0, index: {dtype: i64, values: [)" +
         index + "]}}\n        gives: error\n";
}

/// The calls of ScatterND that assign, each place once.
inline const std::string assigns_once =
    "reduction == \"none\" and size(indices, -1) > 0 and (unique i in positions(shape(indices)[:-1]): "
    "wrap(tuple(indices[i]), shape(data)[:size(indices, -1)]))";

inline MappingClaim claim_of(const std::string& text) {
  auto file = load_claims_text("t.yaml", text, specs());
  EXPECT_TRUE(file) << (file ? "" : spec::to_string(file.errors()));
  return file->claims.front();
}

}  // namespace scatterproof::runner::claims
