// SPDX-License-Identifier: Apache-2.0
// The shipped specs, cases and families, read once, and short ways to write calls.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scatterproof/runner/catalogue/catalogue.hpp"
#include "scatterproof/runner/relations/relations.hpp"

namespace scatterproof::runner::relations {

struct Shipped {
  Catalogue catalogue;
  spec::FamilyLibrary families;
};

inline const engines::Places source{SCATTERPROOF_SOURCE_DIR, ""};

inline const Shipped& shipped() {
  static const Shipped data = [] {
    auto catalogue = load_catalogue({}, source);
    EXPECT_TRUE(catalogue) << (catalogue ? "" : spec::to_string(catalogue.errors()));
    auto families = spec::FamilyLibrary::load(source.data + "/spec/data/families");
    EXPECT_TRUE(families) << (families ? "" : spec::to_string(families.errors()));
    return Shipped{*std::move(catalogue), *std::move(families)};
  }();
  return data;
}

inline spec::Tensor tensor(spec::DType dtype, spec::Shape shape, const std::vector<double>& values) {
  std::vector<spec::Scalar> scalars;
  for (const double value : values) scalars.push_back(spec::Scalar::of_real(value));
  return {dtype, std::move(shape), scalars};
}
inline spec::Tensor f32(spec::Shape shape, const std::vector<double>& values) {
  return tensor(spec::DType::f32, std::move(shape), values);
}
inline spec::Tensor i64(spec::Shape shape, const std::vector<double>& values) {
  return tensor(spec::DType::i64, std::move(shape), values);
}
inline spec::Scalar number(std::int64_t value) { return spec::Scalar::of_int(value); }

inline std::string told(const Answer& answer) {
  if (const auto* why = std::get_if<NotApplicable>(&answer)) return "not applicable: " + why->reason;
  const auto* violated = std::get_if<Violated>(&answer);
  if (!violated) return "holds";
  return violated->sentence + "\n" + spec::to_string(violated->first) + " -> " +
         spec::to_string(violated->first_outcome) + "\n" + spec::to_string(violated->second) + " -> " +
         spec::to_string(violated->second_outcome);
}

}  // namespace scatterproof::runner::relations
