// SPDX-License-Identifier: Apache-2.0
// Which comparison mode judges a cell: from the sharpest that applies to the widest.
#include "cell.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "comparison_modes.hpp"

namespace scatterproof::spec::judging {

Cell cell_at(const Bag& bag, std::int64_t index) {
  const auto at = static_cast<std::size_t>(index);
  const auto first = static_cast<std::size_t>(bag.offsets[at]);
  const auto last = static_cast<std::size_t>(bag.offsets[at + 1]);
  return {&bag, index, std::span(bag.list).subspan(first, last - first)};
}

FewScalars operands(const Cell& cell) {
  FewScalars all;
  all.reserve(cell.contributions.size() + 1);
  if (cell.start_takes_part()) all.push_back(cell.start());
  for (const Contribution& one : cell.contributions) all.push_back(one.value);
  return all;
}

bool same_value(const Scalar& a, const Scalar& b, bool zeros_alike) {
  if (identical(a, b)) return true;
  if (!zeros_alike || a.kind() != b.kind() || a.is_integral()) return false;
  return a.real() == b.real() && a.imag() == b.imag();  // unequal bits, equal numbers: zeros of two signs
}

bool Allowed::holds(const Scalar& value) const {
  if (free) return true;
  if (region) return region->holds(value);
  return std::any_of(listed.begin(), listed.end(),
                     [&](const Scalar& one) { return same_value(one, value, zeros_alike); });
}

Allowed allowed_in(const Cell& cell) {
  const Bag& bag = *cell.bag;
  if (!cell.touched()) return {.listed = {cell.start()}};
  if (bag.combine == Combiner::assign) return assigned(cell);
  const FewScalars all = operands(cell);
  const std::span<const Scalar> values = span_of(all);
  if (bag.combine == Combiner::quotient) return within_bound(bag, values, cell.contributions.size());
  if (is_bitwise(bag.combine) && bag.dtype != DType::boolean && !is_integer(bag.dtype)) return {.free = true};
  if (bag.dtype == DType::boolean) return combined_booleans(bag.combine, values);
  if (is_integer(bag.dtype)) return combined_integers(bag, values);
  if (bag.combine == Combiner::amax || bag.combine == Combiner::amin) return extreme_float(bag, values);
  if (auto exact = on_lattice(bag, values)) return *std::move(exact);
  return within_bound(bag, values, cell.contributions.size());
}

std::optional<std::string> unsound(const Bag& bag) {
  const auto cells = checked_numel(bag.shape);
  if (!cells) return "its shape is not sound";
  const auto count = static_cast<std::size_t>(*cells);
  if (bag.offsets.size() != count + 1 || bag.offsets.front() != 0 ||
      bag.offsets.back() != static_cast<std::int64_t>(bag.list.size()) ||
      !std::is_sorted(bag.offsets.begin(), bag.offsets.end()))
    return "its offsets do not cover its contributions";
  if (bag.start && bag.start->size() != count) return "it has not one start value a cell";
  if (bag.start) return std::nullopt;
  for (std::size_t i = 0; i < count; ++i)
    if (bag.offsets[i] == bag.offsets[i + 1])
      return fmt::format("cell {} has neither start nor contribution", i);
  return std::nullopt;
}

std::string describe(const Allowed& allowed, DType dtype) {
  if (allowed.free) return "anything";
  if (allowed.region) return allowed.region->describe(dtype);
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(allowed.listed.size(), most); ++i)
    text += (i == 0                           ? ""
             : i + 1 == allowed.listed.size() ? " or "
                                              : ", ") +
            to_string(allowed.listed[i], dtype);
  if (allowed.listed.size() > most) text += fmt::format(" or {} more", allowed.listed.size() - most);
  return text;
}

}  // namespace scatterproof::spec::judging
