// SPDX-License-Identifier: Apache-2.0
// Bags and outcomes built by hand, for the tests of the judge.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "scatterproof/spec/judge/bag.hpp"
#include "scatterproof/spec/judge/judge.hpp"

namespace scatterproof::spec {

// How gtest prints them.
inline void PrintTo(Verdict verdict, std::ostream* out) { *out << name(verdict); }
inline void PrintTo(ComparisonMode mode, std::ostream* out) { *out << name(mode); }
inline void PrintTo(const Diagnosis& diagnosis, std::ostream* out) { *out << to_string(diagnosis); }
inline void PrintTo(DType dtype, std::ostream* out) { *out << name(dtype); }

}  // namespace scatterproof::spec

namespace scatterproof::spec::testing {

using Values = std::vector<Scalar>;

/// The number in a dtype: its real part for a complex one, true for a bool unless it is 0.
Scalar num(DType dtype, double value);
Values nums(DType dtype, const std::vector<double>& values);

/// Start values, and what lands in which cell; contribution k of the whole bag comes from `src[k]`.
struct BagPlan {
  DType dtype = DType::f32;
  Combiner combine = Combiner::sum;
  Shape shape;
  std::optional<Values> start;
  std::map<std::int64_t, Values> writes = {};
};
Bag bag_of(const BagPlan& plan);

/// One cell, rank 0.
Bag one_cell(DType dtype, Combiner combine, std::optional<Scalar> start, Values contributions);

Outcome produced(const Bag& bag, const Values& values);
Judgement judged(const Bag& bag, const Values& values);
Judgement judged(const Bag& bag, const Scalar& value);  ///< of a one-cell bag

bool accepted(const Judgement& judgement);  ///< pass or weak

/// gtest's name of a dtype parameter.
std::string dtype_name(const ::testing::TestParamInfo<DType>& info);

}  // namespace scatterproof::spec::testing
