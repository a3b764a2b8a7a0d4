// SPDX-License-Identifier: Apache-2.0
// What gradients can tell about a call: where values tie, factors are zero, elements meet or go nowhere.
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "scatterproof/runner/fuzz/statistics.hpp"
#include "scatterproof/spec/gradient/dependence.hpp"

namespace scatterproof::runner::fuzz {
namespace {

using spec::Combiner;

/// Of the cells of one call, what the most telling one has.
struct Seen {
  bool written = false;
  std::int64_t ties = 0;
  bool ties_with_start = false;
  bool ties_of_zeros = false;  ///< of both signs
  std::int64_t zeros = 0;      ///< factors, in one cell
  bool zero_in_start = false;
  bool start_left_out = false;
  std::int64_t writers = 0;  ///< of one assigned cell
};

std::string yes_or_no(bool value) { return value ? "yes" : "no"; }

class CellReader {
 public:
  explicit CellReader(const spec::Bag& bag) : bag_(bag) {}

  Seen read() {
    for (std::size_t c = 0; c + 1 < bag_.offsets.size(); ++c)
      if (bag_.offsets[c + 1] > bag_.offsets[c]) read_cell(c);
    return seen_;
  }

 private:
  void read_cell(std::size_t cell) {
    std::vector<double> values;
    for (auto i = bag_.offsets[cell]; i < bag_.offsets[cell + 1]; ++i)
      values.push_back(bag_.list[static_cast<std::size_t>(i)].value.real());
    seen_.written = true;
    const bool starts = bag_.start && bag_.start_counts && bag_.combine != Combiner::assign;
    seen_.start_left_out = seen_.start_left_out || (bag_.start && !starts);
    if (starts) values.push_back((*bag_.start)[cell].real());
    if (bag_.combine == Combiner::assign) seen_.writers = std::max(seen_.writers, std::ssize(values));
    if (bag_.combine == Combiner::prod) read_factors(values, starts);
    if (bag_.combine == Combiner::amax || bag_.combine == Combiner::amin) read_extreme(values, starts);
  }

  void read_factors(const std::vector<double>& values, bool starts) {
    seen_.zeros = std::max<std::int64_t>(seen_.zeros, std::ranges::count(values, 0.0));
    seen_.zero_in_start = seen_.zero_in_start || (starts && values.back() == 0);
  }

  void read_extreme(const std::vector<double>& values, bool starts) {
    if (std::ranges::any_of(values, [](double value) { return std::isnan(value); })) return;
    const double extreme =
        bag_.combine == Combiner::amax ? std::ranges::max(values) : std::ranges::min(values);
    const std::int64_t ties = std::ranges::count(values, extreme);
    seen_.ties = std::max(seen_.ties, ties);
    if (ties < 2) return;
    seen_.ties_with_start = seen_.ties_with_start || (starts && values.back() == extreme);
    std::set<bool> signs;
    for (const double value : values)
      if (value == 0) signs.insert(std::signbit(value));
    seen_.ties_of_zeros = seen_.ties_of_zeros || (extreme == 0 && signs.size() > 1);
  }

  const spec::Bag& bag_;
  Seen seen_;
};

/// Elements by the number of cells that they reach: whether some reach none, and whether some reach several.
std::pair<bool, bool> reach_of(const spec::Dependences& of) {
  std::vector<std::vector<int>> reached;
  for (const spec::Shape& shape : of.shapes)
    reached.emplace_back(static_cast<std::size_t>(spec::numel(shape)), 0);
  const auto count = [&](const std::vector<spec::Dependence>& all) {
    for (const spec::Dependence& one : all)
      if (one.argument >= 0)
        ++reached[static_cast<std::size_t>(one.argument)][static_cast<std::size_t>(one.element)];
  };
  count(of.starts);
  count(of.contributions);
  const auto any = [&](auto holds) {
    return std::ranges::any_of(reached,
                               [&](const auto& counts) { return std::ranges::any_of(counts, holds); });
  };
  return {any([](int cells) { return cells == 0; }), any([](int cells) { return cells > 1; })};
}

}  // namespace

Traits gradient_traits_of(const spec::OpSpec& spec, const spec::Call& call) {
  const auto dependences = spec::dependences_of(spec, call);
  if (!dependences) return {{"gradients", "none follow"}};
  const Combiner combine = dependences->bag.combine;
  const Seen seen = CellReader(dependences->bag).read();
  Traits traits{{"gradients", "judged"}};
  if (combine == Combiner::amax || combine == Combiner::amin) {
    traits.emplace_back("values that tie", seen.ties > 0  ? count_class(seen.ties)
                                           : seen.written ? "among NaN"
                                                          : "none");
    traits.emplace_back("a tie with the start", yes_or_no(seen.ties_with_start));
    traits.emplace_back("a tie of 0.0 and -0.0", yes_or_no(seen.ties_of_zeros));
  }
  if (combine == Combiner::prod) {
    traits.emplace_back("factors of 0", count_class(seen.zeros));
    traits.emplace_back("a start of 0", yes_or_no(seen.zero_in_start));
  }
  if (combine == Combiner::assign) traits.emplace_back("writers of one cell", count_class(seen.writers));
  const auto [unread, shared] = reach_of(*dependences);
  traits.emplace_back("a start that does not count", yes_or_no(seen.start_left_out));
  traits.emplace_back("an element of no cell", yes_or_no(unread));
  traits.emplace_back("an element of several cells", yes_or_no(shared));
  return traits;
}

}  // namespace scatterproof::runner::fuzz
