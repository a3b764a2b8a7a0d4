// SPDX-License-Identifier: Apache-2.0
#include "changed_bag.hpp"

#include "scatterproof/spec/core/work_limit.hpp"

namespace scatterproof::spec::judging {
namespace {

Bag refilled(const Bag& bag, const std::vector<std::vector<Contribution>>& cells) {
  Bag changed = bag;
  changed.list.clear();
  changed.offsets.assign(1, 0);
  for (const auto& contributions : cells) {
    changed.list.insert(changed.list.end(), contributions.begin(), contributions.end());
    changed.offsets.push_back(static_cast<std::int64_t>(changed.list.size()));
  }
  return changed;
}

std::int64_t cell_count(const Bag& bag) { return static_cast<std::int64_t>(bag.offsets.size()) - 1; }

}  // namespace

Bag with_contributions(const Bag& bag,
                       const std::function<std::vector<Contribution>(const Cell& cell)>& edit) {
  std::vector<std::vector<Contribution>> cells;
  for (std::int64_t c = 0; c < cell_count(bag); ++c) {
    WorkLimit::step();
    cells.push_back(edit(cell_at(bag, c)));
  }
  return refilled(bag, cells);
}

Bag with_targets(
    const Bag& bag,
    const std::function<std::optional<std::int64_t>(std::int64_t cell, const Contribution& one)>& target) {
  std::vector<std::vector<Contribution>> cells(static_cast<std::size_t>(cell_count(bag)));
  for (std::int64_t c = 0; c < cell_count(bag); ++c)
    for (const Contribution& one : cell_at(bag, c).contributions) {
      WorkLimit::step();
      if (const auto to = target(c, one)) cells[static_cast<std::size_t>(*to)].push_back(one);
    }
  return refilled(bag, cells);
}

Bag with_values(const Bag& bag, DType dtype, const std::function<Scalar(const Scalar& value)>& edit) {
  Bag changed = bag;
  changed.dtype = dtype;
  for (Contribution& one : changed.list) one.value = edit(one.value);
  if (changed.start)
    for (Scalar& value : *changed.start) value = edit(value);
  return changed;
}

bool explains(const Bag& changed, const Elements& actual) {
  if (unsound(changed)) return false;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    WorkLimit::step();
    const Allowed allowed = allowed_in(cell_at(changed, static_cast<std::int64_t>(i)));
    // Forbidden collisions leave a cell free whatever the meaning; any other freedom explains nothing.
    if ((allowed.free && changed.combine != Combiner::assign) || !allowed.holds(actual[i])) return false;
  }
  return true;
}

std::int64_t index_of(const Coords& at, const Shape& shape) {
  std::int64_t index = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) index = index * shape[d] + at[d];
  return index;
}

}  // namespace scatterproof::spec::judging
