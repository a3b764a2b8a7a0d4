// SPDX-License-Identifier: Apache-2.0
// A whole result against its bag: which cells differ, by which comparison mode, and how much agreement would
// prove.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cell.hpp"
#include "scatterproof/spec/core/diagnosis.hpp"

namespace scatterproof::spec::judging {

struct Comparison {
  std::vector<std::int64_t> failing;            ///< cells that hold what they may not
  ComparisonMode mode = ComparisonMode::exact;  ///< the widest used
  std::optional<double> bound;
  std::optional<double> sensitivity;
  DiagnosisKind weak = DiagnosisKind::none;  ///< why agreement proves little; none: it proves something
};

/// Preconditions: the bag is sound; `actual` has a value for each cell, in row-major order.
Comparison compare(const Bag& bag, const Elements& actual);

/// Row updates that collide: whether every row came whole from one update.
struct RowReport {
  bool whole = true;
  std::string sentence;  ///< names a mixed row
};
/// Empty when no row is written twice, or when collisions do not leave a choice.
std::optional<RowReport> whole_rows(const Bag& bag, const Elements& actual);

/// The position of cell `index` as `out[3,0]`; `out` alone when the shape has no dimensions.
std::string place(std::string_view tensor, const Shape& shape, std::int64_t index);

}  // namespace scatterproof::spec::judging
