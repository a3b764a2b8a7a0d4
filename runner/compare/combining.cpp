// SPDX-License-Identifier: Apache-2.0
#include "combining.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace scatterproof::runner::compare {
namespace {

using spec::Bag;
using spec::Contribution;
using spec::Scalar;

bool is_nan(const Scalar& value) {
  return !value.is_integral() && (std::isnan(value.real()) || std::isnan(value.imag()));
}

/// A cell's start value, if it counts among what is combined, and its contributions.
struct Contributed {
  std::optional<Scalar> start;
  std::vector<Contribution> list;
};

/// The bag with each touched cell's contributions replaced; the start value is then one of them or does not
/// count.
Bag with_cells(const Bag& bag, const std::function<std::vector<Contribution>(const Contributed&)>& edit) {
  Bag other = bag;
  other.list.clear();
  other.offsets = {0};
  other.start_counts = false;
  for (std::size_t c = 0; c + 1 < bag.offsets.size(); ++c) {
    const auto first = bag.list.begin() + bag.offsets[c], last = bag.list.begin() + bag.offsets[c + 1];
    if (first != last) {
      Contributed cell{.start = {}, .list = {first, last}};
      if (bag.start && bag.start_counts && bag.combine != spec::Combiner::assign)
        cell.start = (*bag.start)[c];
      for (Contribution& one : edit(cell)) other.list.push_back(std::move(one));
    }
    other.offsets.push_back(static_cast<std::int64_t>(other.list.size()));
  }
  return other;
}

std::vector<Contribution> all_of(const Contributed& cell) {
  std::vector<Contribution> all;
  if (cell.start) all.push_back({.value = *cell.start, .origin = {}});
  all.insert(all.end(), cell.list.begin(), cell.list.end());
  return all;
}

Bag last(Bag bag) {
  bag.collisions = spec::Collisions::last;
  return bag;
}

Bag first(const Bag& bag) {
  return with_cells(bag,
                    [](const Contributed& cell) { return std::vector<Contribution>{cell.list.front()}; });
}

Bag added(Bag bag) {
  bag.combine = spec::Combiner::sum;
  bag.start_counts = false;
  return bag;
}

Bag nan_kept(Bag bag) {
  bag.nan = spec::NanPolicy::propagate;
  return bag;
}

Bag nan_ignored(Bag bag) {
  bag.nan = spec::NanPolicy::ignore;
  return bag;
}

/// A NaN among the contributions counts for nothing, one at the start is kept.
Bag nan_of_start_kept(const Bag& bag) {
  return nan_kept(with_cells(bag, [](const Contributed& cell) {
    std::vector<Contribution> all = all_of(cell);
    if (cell.start && is_nan(*cell.start)) return std::vector<Contribution>{all.front()};
    if (std::ranges::all_of(all, [](const auto& one) { return is_nan(one.value); })) return all;
    std::erase_if(all, [](const auto& one) { return is_nan(one.value); });
    return all;
  }));
}

/// A cell's values without the last NaN that another value follows, and without the values before it.
std::vector<Contribution> after_nan(const Contributed& cell) {
  std::vector<Contribution> all = all_of(cell);
  for (std::size_t i = all.size() - 1; i-- > 0;)
    if (is_nan(all[i].value)) {
      all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      break;
    }
  return all;
}

Bag nan_at_end(const Bag& bag) { return nan_kept(with_cells(bag, after_nan)); }

Bag nan_replaced(const Bag& bag) {
  return nan_kept(with_cells(bag, [](const Contributed& cell) {
    std::vector<Contribution> all = after_nan(cell);
    // A comparison with NaN is false: a NaN that comes last does not replace any value.
    if (all.size() > 1 && is_nan(all.back().value)) all.pop_back();
    return all;
  }));
}

Bag mean_floors(Bag bag) {
  bag.integer_mean = spec::IntegerMean::floor;
  return bag;
}

Bag mean_truncates(Bag bag) {
  bag.integer_mean = spec::IntegerMean::truncate;
  return bag;
}

Bag nothing(const Bag& bag) {
  return with_cells(bag, [](const Contributed&) { return std::vector<Contribution>{}; });
}

struct Combines {
  std::string_view word;  ///< of the schema
  Bag (*apply)(const Bag&);
};
template <Bag (*edit)(Bag)>
Bag by_value(const Bag& bag) {
  return edit(bag);
}
constexpr Combines ways[] = {{"last", by_value<last>},
                             {"first", first},
                             {"added", by_value<added>},
                             {"nan_kept", by_value<nan_kept>},
                             {"nan_ignored", by_value<nan_ignored>},
                             {"nan_of_start_kept", nan_of_start_kept},
                             {"nan_at_end", nan_at_end},
                             {"nan_replaced", nan_replaced},
                             {"mean_floors", by_value<mean_floors>},
                             {"mean_truncates", by_value<mean_truncates>},
                             {"nothing", nothing}};

}  // namespace

Bag combined(const Bag& bag, const std::string& word) {
  const auto found = std::ranges::find(ways, word, &Combines::word);
  if (found == std::end(ways)) throw std::logic_error("no way of combining is called " + word);
  return found->apply(bag);
}

}  // namespace scatterproof::runner::compare
