// SPDX-License-Identifier: Apache-2.0
// Elements made plainer, in one tensor at a time. Equal elements also move together, so that what depends on
// their being equal stays.
#include <algorithm>
#include <numeric>

#include "measure.hpp"
#include "plainer.hpp"
#include "scatterproof/runner/calls/tensor_edits.hpp"
#include "steps.hpp"

namespace scatterproof::runner::shrink {
namespace {

using spec::Scalar;
using spec::Tensor;
using Elements = std::vector<std::size_t>;  ///< in row-major order

// up to this number of different values in a tensor, each moves with its equals
constexpr std::size_t most_distinct = 256;

/// The elements that are moved together, each group a step for every way to be plainer: all, blocks of half,
/// a quarter ... of them, equal ones, single ones.
std::vector<Elements> groups_of(const std::vector<Scalar>& values) {
  std::vector<Elements> groups;
  Elements all(values.size());
  std::iota(all.begin(), all.end(), 0);
  for (std::size_t size = all.size(); size > 1; size = (size + 1) / 2)
    for (std::size_t first = 0; first < all.size(); first += size) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
      groups.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(std::min(size, all.size() - first)));
    }
  std::vector<Elements> equal;
  for (const std::size_t i : all) {
    const auto same = [&](const Elements& group) { return identical(values[group.front()], values[i]); };
    const auto group = std::ranges::find_if(equal, same);
    if (group != equal.end())
      group->push_back(i);
    else if (equal.size() < most_distinct)
      equal.push_back({i});
  }
  for (Elements& group : equal)
    if (group.size() > 1) groups.push_back(std::move(group));
  for (const std::size_t i : all) groups.push_back({i});
  return groups;
}

spec::Call with_plainer(const spec::Call& call, std::size_t argument, const Elements& elements,
                        Plainer plainer) {
  const auto& tensor = std::get<Tensor>(call.arguments[argument].second);
  std::vector<Scalar> values = tensor.values();
  for (const std::size_t i : elements) values[i] = plainer(values[i], tensor.dtype());
  spec::Call made = call;
  made.arguments[argument].second = with_values(tensor, values);
  return made;
}

}  // namespace

void add_value_steps(const spec::OpSpec&, const spec::Call& call, std::vector<Step>& steps) {
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const auto* tensor = std::get_if<Tensor>(&call.arguments[i].second);
    if (!tensor) continue;
    const std::vector<Scalar> values = tensor->values();
    for (const Elements& elements : groups_of(values))
      for (const Plainer plainer : ways_to_plainer()) {
        const auto moves = [&](std::size_t e) {
          return !identical(plainer(values[e], tensor->dtype()), values[e]);
        };
        if (std::ranges::any_of(elements, moves))
          steps.push_back([&call, i, elements, plainer] { return with_plainer(call, i, elements, plainer); });
      }
  }
}

}  // namespace scatterproof::runner::shrink
