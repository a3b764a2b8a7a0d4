// SPDX-License-Identifier: Apache-2.0
#include "explain.hpp"

#include <fmt/format.h>

#include <cctype>

namespace scatterproof::spec::judging {
namespace {

std::string origin_text(const Bag& bag, const Contribution& one) {
  const std::string value = to_string(one.value, bag.dtype);
  const auto argument = static_cast<std::size_t>(one.origin.argument);
  if (one.origin.argument < 0 || argument >= bag.origins.size()) return value;
  const auto& [name, shape] = bag.origins[argument];
  if (one.origin.coords < 0) return fmt::format("{} = {}", name, value);
  return fmt::format("{} = {}", place(name, shape, one.origin.coords), value);
}

std::string contributions_text(const Cell& cell) {
  constexpr std::size_t most = 6;
  const std::size_t count = cell.contributions.size(), shown = count > most ? most - 1 : count;
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == count;
    text += (i == 0 ? "" : last ? " and " : ", ") + origin_text(*cell.bag, cell.contributions[i]);
  }
  if (shown < count) text += fmt::format(" and {} more", count - shown);
  return text + (count == 1 ? " lands here" : count == 2 ? " both land here" : " all land here");
}

std::string start_text(const Cell& cell) {
  const Bag& bag = *cell.bag;
  const std::string value = to_string(cell.start(), bag.dtype);
  const bool named =
      !bag.start_name.empty() && (std::isalpha(static_cast<unsigned char>(bag.start_name[0])) != 0);
  return named ? fmt::format("{} = {}", place(bag.start_name, bag.shape, cell.index), value) : value;
}

std::string collision_text(const Bag& bag) {
  switch (bag.collisions) {
    case Collisions::last:
      return "the last one wins";
    case Collisions::forbidden:
      return "the document forbids such a collision and promises nothing";
    case Collisions::any:
      break;
  }
  return "any of them may win";
}

}  // namespace

std::string describe_cell(const Cell& cell) {
  const Bag& bag = *cell.bag;
  if (!cell.touched()) return fmt::format("nothing lands here, so the cell keeps {}", start_text(cell));
  std::string text = contributions_text(cell);
  if (bag.combine == Combiner::assign) {
    if (cell.contributions.size() > 1) text += "; " + collision_text(bag);
    return bag.start ? text + fmt::format("; before, the cell held {}", start_text(cell)) : text;
  }
  text += fmt::format(", combined by {}", name(bag.combine));
  if (!bag.start) return text;
  return text + (bag.start_counts ? " with the start value " + start_text(cell)
                                  : fmt::format("; the start value {} does not count", start_text(cell)));
}

std::string explain_mismatch(const Bag& bag, const Elements& actual, const Comparison& comparison,
                             const std::string& because) {
  const std::int64_t index = comparison.failing.front();
  const Cell cell = cell_at(bag, index);
  const Allowed allowed = cell.touched() ? allowed_in(cell) : Allowed{.listed = {cell.start()}};
  std::string text = fmt::format("{} is {}, expected {}\n{}\n", place("out", bag.shape, index),
                                 to_string(actual[static_cast<std::size_t>(index)], bag.dtype),
                                 describe(allowed, bag.dtype), describe_cell(cell));
  if (!because.empty()) text += "because " + because + "\n";
  return text + fmt::format("{} of {} cells {}", comparison.failing.size(), actual.size(),
                            comparison.failing.size() == 1 ? "differs" : "differ");
}

}  // namespace scatterproof::spec::judging
