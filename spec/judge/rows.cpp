// SPDX-License-Identifier: Apache-2.0
// Row updates that collide are judged element by element; whether rows arrived whole is reported in addition.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "compare.hpp"
#include "scatterproof/spec/core/work_limit.hpp"

namespace scatterproof::spec::judging {
namespace {

struct Element {
  std::int64_t group;
  std::int64_t cell;
  const Scalar* value;
};

/// The elements of each update; the first cell an update writes names its row.
using Update = std::span<const Element>;
using Rows = std::map<std::int64_t, std::vector<Update>>;

std::vector<Element> elements_by_update(const Bag& bag) {
  std::vector<Element> all;
  all.reserve(bag.list.size());
  for (std::size_t c = 0; c + 1 < bag.offsets.size(); ++c)
    for (const Contribution& one : cell_at(bag, static_cast<std::int64_t>(c)).contributions)
      all.push_back({one.group, static_cast<std::int64_t>(c), &one.value});
  std::stable_sort(all.begin(), all.end(), [](const Element& a, const Element& b) {
    WorkLimit::step();
    return a.group < b.group;
  });
  return all;
}

Rows rows_of(const std::vector<Element>& elements) {
  Rows rows;
  for (auto first = elements.begin(); first != elements.end();) {
    const auto last =
        std::find_if(first, elements.end(), [&](const Element& e) { return e.group != first->group; });
    rows[first->cell].push_back(Update(first, last));  // cells ascend within an update
    first = last;
  }
  return rows;
}

bool arrived_whole(Update update, const Elements& actual) {
  return std::all_of(update.begin(), update.end(), [&](const Element& e) {
    return identical(*e.value, actual[static_cast<std::size_t>(e.cell)]);
  });
}

/// Rows that collide share their first cell.
bool any_cell_collides(const Bag& bag) {
  for (std::size_t c = 0; c + 1 < bag.offsets.size(); ++c)
    if (bag.offsets[c + 1] - bag.offsets[c] > 1) return true;
  return false;
}

}  // namespace

std::optional<RowReport> whole_rows(const Bag& bag, const Elements& actual) {
  if (!bag.rows || bag.combine != Combiner::assign || bag.collisions != Collisions::any) return std::nullopt;
  if (!any_cell_collides(bag)) return std::nullopt;
  const std::vector<Element> elements = elements_by_update(bag);
  std::optional<RowReport> report;
  for (const auto& [cell, updates] : rows_of(elements)) {
    if (updates.size() < 2) continue;
    if (!report) report.emplace();
    if (!report->whole ||
        std::any_of(updates.begin(), updates.end(), [&](Update u) { return arrived_whole(u, actual); }))
      continue;
    std::vector<std::int64_t> groups;
    for (const Update& update : updates) groups.push_back(update.front().group);
    report->whole = false;
    report->sentence = fmt::format(
        "the row that begins at {} mixes updates {}: each element is allowed, but no update arrived whole",
        place("out", bag.shape, cell), fmt::join(groups, ", "));
  }
  return report;
}

}  // namespace scatterproof::spec::judging
