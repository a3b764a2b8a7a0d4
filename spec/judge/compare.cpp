// SPDX-License-Identifier: Apache-2.0
#include "compare.hpp"

#include <algorithm>
#include <cmath>

#include "scatterproof/spec/core/work_limit.hpp"

namespace scatterproof::spec::judging {
namespace {

/// What the written cells could have shown: each is counted under the first reason that makes it dumb. After
/// one that is not dumb there is nothing to count.
struct Evidence {
  explicit Evidence(const Bag& bag) : zero(convert(Scalar::of_int(0), bag.dtype)) {}

  Scalar zero;
  std::size_t written = 0, free = 0, start_passes = 0, zero_passes = 0, blunt = 0;
  bool telling = false;

  /// A cell in which one value alone is right, bit for bit.
  void add(const Cell& cell, const Scalar& only) {
    if (telling) return;
    ++written;
    const bool start = cell.bag->start.has_value();
    if (!identical(only, start ? cell.start() : zero))
      telling = true;
    else
      ++(start ? start_passes : zero_passes);
  }

  void add(const Cell& cell, const Allowed& allowed) {
    if (telling) return;
    ++written;
    const Bag& bag = *cell.bag;
    if (allowed.free)
      ++free;
    else if (bag.start && allowed.holds(cell.start()))
      ++start_passes;
    else if (!bag.start && allowed.holds(zero))
      ++zero_passes;
    else if (allowed.sensitivity && *allowed.sensitivity < 1)
      ++blunt;
    else
      telling = true;
  }

  DiagnosisKind weakness() const {
    if (telling) return DiagnosisKind::none;
    if (written == 0) return DiagnosisKind::nothing_written;
    if (free == written) return DiagnosisKind::all_cells_free;
    if (free + start_passes == written) return DiagnosisKind::start_would_pass;
    if (free + zero_passes == written) return DiagnosisKind::zeros_would_pass;
    return DiagnosisKind::bound_too_wide;
  }
};

/// The value of an assignment that leaves no choice. It spares most cells of most calls the making of an
/// Allowed, which would say: mode exact, this value listed.
const Scalar* only_value(const Cell& cell) {
  if (cell.bag->combine != Combiner::assign) return nullptr;
  const bool one = cell.contributions.size() == 1 || cell.bag->collisions == Collisions::last;
  return one ? &cell.contributions.back().value : nullptr;
}

void widen(Comparison& comparison, const Allowed& allowed) {
  comparison.mode = std::max(comparison.mode, allowed.mode);
  if (allowed.bound && allowed.mode == ComparisonMode::bound)
    comparison.bound = std::max(comparison.bound.value_or(0), *allowed.bound);
  if (allowed.sensitivity && std::isfinite(*allowed.sensitivity))
    comparison.sensitivity =
        std::min(comparison.sensitivity.value_or(*allowed.sensitivity), *allowed.sensitivity);
}

}  // namespace

Comparison compare(const Bag& bag, const Elements& actual) {
  Comparison comparison;
  Evidence evidence(bag);
  for (std::size_t i = 0; i < actual.size(); ++i) {
    WorkLimit::step();
    const auto index = static_cast<std::int64_t>(i);
    const Cell cell = cell_at(bag, index);
    if (!cell.touched()) {
      if (!identical(cell.start(), actual[i])) comparison.failing.push_back(index);
      continue;
    }
    if (const Scalar* only = only_value(cell)) {
      evidence.add(cell, *only);
      if (!identical(*only, actual[i])) comparison.failing.push_back(index);
      continue;
    }
    const Allowed allowed = allowed_in(cell);
    evidence.add(cell, allowed);
    widen(comparison, allowed);
    if (!allowed.holds(actual[i])) comparison.failing.push_back(index);
  }
  comparison.weak = evidence.weakness();
  return comparison;
}

std::string place(std::string_view tensor, const Shape& shape, std::int64_t index) {
  if (shape.empty()) return std::string(tensor);
  std::string text;
  for (std::size_t d = shape.size(); d-- > 0;) {
    text = std::to_string(index % shape[d]) + (text.empty() ? "" : ",") + text;
    index /= shape[d];
  }
  return std::string(tensor) + "[" + text + "]";
}

}  // namespace scatterproof::spec::judging
