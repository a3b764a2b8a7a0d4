// SPDX-License-Identifier: Apache-2.0
// Cuts sizes: dimensions that belong together have the same size, so ranges are cut out of any dimensions of
// one size together.
#include <algorithm>
#include <bit>
#include <map>
#include <optional>

#include "scatterproof/runner/calls/tensor_edits.hpp"
#include "scatterproof/runner/trial/repair.hpp"
#include "steps.hpp"

namespace scatterproof::runner::shrink {
namespace {

using spec::Argument;
using spec::Scalar;
using spec::Tensor;

/// Where a size stands: dimension d of a tensor, entry d of a list, or an integer (an output's size).
struct Place {
  std::size_t argument;
  std::size_t d;
};
using Places = std::vector<Place>;

constexpr std::int64_t most_ranges = 1024;  // of one length: longer dimensions are first cut in larger pieces
constexpr std::size_t most_at_once = 6;  // up to this number of places with one size, every subset is tried

std::size_t columns_of(const Tensor& index) {
  return index.rank() == 0 ? 0 : static_cast<std::size_t>(index.shape().back());
}

bool is_integer(const spec::OpSpec& op, const std::string& name, const Argument& value) {
  const spec::ArgumentDecl* declared = op.argument(name);
  return declared && declared->kind == spec::ArgumentKind::integer && std::holds_alternative<Scalar>(value);
}

std::map<std::int64_t, Places, std::greater<>> places_by_size(const spec::OpSpec& op,
                                                              const spec::Call& call) {
  std::map<std::int64_t, Places, std::greater<>> groups;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const auto& [name, value] = call.arguments[i];
    spec::Shape sizes;
    if (const auto* tensor = std::get_if<Tensor>(&value)) sizes = tensor->shape();
    if (const auto* list = std::get_if<spec::Shape>(&value)) sizes = *list;
    if (is_integer(op, name, value)) sizes = {std::get<Scalar>(value).integer()};
    for (std::size_t d = 0; d < sizes.size(); ++d)
      if (sizes[d] > 0) groups[sizes[d]].push_back({i, d});
  }
  return groups;
}

/// Subsets of places, the largest first: all of them, or where these are too many the whole, pairs and single
/// ones.
std::vector<Places> subsets(const Places& places) {
  std::vector<Places> all;
  if (places.size() > most_at_once) {
    all.push_back(places);
    for (std::size_t i = 0; i < places.size(); ++i)
      for (std::size_t j = i + 1; j < places.size(); ++j) all.push_back({places[i], places[j]});
    for (const Place& one : places) all.push_back({one});
    return all;
  }
  for (unsigned mask = 1; mask < 1u << places.size(); ++mask) {
    all.emplace_back();
    for (std::size_t i = 0; i < places.size(); ++i)
      if (mask >> i & 1) all.back().push_back(places[i]);
  }
  std::ranges::stable_sort(all, std::ranges::greater{}, &Places::size);
  return all;
}

struct Range {
  std::int64_t first, count;
};

/// All but one position, then halves, quarters ... single positions, then all.
std::vector<Range> ranges_of(std::int64_t size) {
  std::vector<Range> ranges;
  if (size > 2) ranges = {{1, size - 1}, {0, size - 1}};
  for (std::int64_t count = size / 2; count >= 1 && size / count <= most_ranges; count /= 2)
    for (std::int64_t last = size - count; last >= 0; last -= count) ranges.push_back({last, count});
  ranges.push_back({0, size});
  return ranges;
}

Argument without(const Argument& value, std::size_t d, const Range& range) {
  if (const auto* tensor = std::get_if<Tensor>(&value))
    return without_range(*tensor, d, range.first, range.count);
  if (const auto* number = std::get_if<Scalar>(&value))
    return Scalar::of_int(number->integer() - range.count);
  spec::Shape sizes = std::get<spec::Shape>(value);
  sizes[d] -= range.count;
  return sizes;
}

spec::Call cut(const spec::Call& call, const Places& places, const Range& range) {
  spec::Call made = call;
  for (const Place& place : places) {
    Argument& value = made.arguments[place.argument].second;
    value = without(value, place.d, range);
  }
  return made;
}

spec::Call with_indices_following(const spec::OpSpec& op, spec::Call call, std::int64_t size,
                                  const Range& range, std::optional<std::size_t> column) {
  for (auto& [name, value] : call.arguments) {
    const auto* index = std::get_if<Tensor>(&value);
    if (!is_index(op, name, value) || (column && *column >= columns_of(*index))) continue;
    value = following(*index, size, range.first, range.count, column);
  }
  return call;
}

/// Which entries of the indices follow a cut: all, or those of one column where the last dimension may hold
/// tuples.
std::vector<std::optional<std::size_t>> columns_that_follow(const spec::OpSpec& op, const spec::Call& call) {
  std::size_t columns = 0;
  for (const auto& [name, value] : call.arguments)
    if (is_index(op, name, value)) columns = std::max(columns, columns_of(std::get<Tensor>(value)));
  std::vector<std::optional<std::size_t>> followers = {std::nullopt};
  for (std::size_t column = 0; column < columns && columns <= most_columns; ++column)
    followers.emplace_back(column);
  return followers;
}

}  // namespace

void add_size_steps(const spec::OpSpec& op, const spec::Call& call, std::vector<Step>& steps) {
  const auto columns = columns_that_follow(op, call);
  for (const auto& [size, places] : places_by_size(op, call))
    for (const Range& range : ranges_of(size))
      for (const Places& together : subsets(places)) {
        steps.push_back([&call, together, range] { return cut(call, together, range); });
        for (const auto& column : columns)
          steps.push_back([&op, &call, together, range, column, size = size] {
            return with_indices_following(op, cut(call, together, range), size, range, column);
          });
      }
}

}  // namespace scatterproof::runner::shrink
