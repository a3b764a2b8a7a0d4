// SPDX-License-Identifier: Apache-2.0
// Selections: what stands between the brackets of x[..], as numpy's page on indexing defines it
// (https://numpy.org/doc/stable/user/basics.indexing.html). `$` stands for the next array of a list, and `?`
// for the next one where that is a mask, once for each dimension of it: "$, 1:3", "..., None", "??, :, $". A
// number or array with `!` is taken before the others, as where numbers_first has been at work.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::spec::language {

struct SelectionPart {
  enum class Kind : std::uint8_t { integer, slice, ellipsis, newaxis, truth, array, mask };
  Kind kind = Kind::slice;
  std::int64_t number = 0;  ///< of an integer; of a truth: 0 or 1; of a mask: its dimensions
  std::optional<std::int64_t> start = {}, stop = {}, step = {};  ///< of a slice
  bool first = false;  ///< it does not count among the arrays that are side by side or apart

  bool is_item() const { return kind == Kind::array || kind == Kind::mask; }  ///< of the list
  /// How many dimensions of x it takes, an ellipsis aside.
  std::size_t dimensions() const {
    if (kind == Kind::mask) return static_cast<std::size_t>(number);
    return kind == Kind::integer || kind == Kind::slice || kind == Kind::array ? 1 : 0;
  }
  /// Of a slice of a dimension of this size, where the step is not 0: the first place, and how many.
  std::pair<std::int64_t, std::int64_t> places(std::int64_t size) const;
};

struct Selection {
  static constexpr std::size_t most = 2 * max_rank;
  std::array<SelectionPart, most> parts;
  std::size_t count = 0;

  std::span<const SelectionPart> all() const { return {parts.data(), count}; }
  /// How many parts are of this kind: a name of Kind; `false` (truths); `zero_step` or `negative_step`
  /// (slices); `masked`: the dimensions of masks. Empty: there is no such kind.
  std::optional<std::int64_t> count_of(std::string_view kind) const;
  std::size_t arrays() const;                       ///< items of the list: masks too
  const SelectionPart* array(std::size_t n) const;  ///< item n of the list; null: there are fewer
  bool has_firsts() const;                          ///< whether any part is taken before the others
};

/// Empty: the text is none, or has more than `most` parts. "()" is the selection without parts.
std::optional<Selection> parse_selection(std::string_view text);
std::string to_string(const Selection& selection);  ///< as people write it

/// Where the elements of x[selection] lie in x.
struct SelectionPlan {
  struct Source {
    const SelectionPart* part = nullptr;  ///< of the selection; null: the whole dimension
    std::size_t place = 0;                ///< of an array or a mask: which; else the dimension of the result
    std::int64_t start = 0,
                 step = 1;  ///< from the coordinate in the result to that in x; of a mask, start is
                            ///< the dimension of it
  };
  std::array<Source, max_rank> sources;             ///< by dimension of x
  std::size_t rank = 0;                             ///< of x
  std::array<std::int64_t, Selection::most> sizes;  ///< of the result
  std::size_t dims = 0;
  std::size_t first = 0, common = 0;  ///< the dimensions of the result to which arrays are broadcast

  std::span<const std::int64_t> shape() const { return {sizes.data(), dims}; }
  std::span<const std::int64_t> in_arrays(std::span<const std::int64_t> position) const {
    return position.subspan(first, common);
  }
};

/// `arrays`: the shape to which the arrays are broadcast; a mask is as many arrays as it has dimensions, each
/// of shape (number of true elements). The selection must outlive the plan. It is not asked whether numbers
/// lie within their dimensions. Empty, and `why` says why: x has fewer dimensions, there are two ellipses, a
/// step is 0, truths do not broadcast, the result has too many dimensions.
std::optional<SelectionPlan> plan(const Selection& selection, std::span<const std::int64_t> sizes,
                                  std::span<const std::int64_t> arrays, std::string_view* why = nullptr);

/// The selection where numbers, and those of its arrays that have no dimensions, are taken before the others.
Selection numbers_first(Selection selection, std::span<const std::span<const std::int64_t>> items);

/// The dimension of a tensor of this rank that array n of the selection indexes, of a mask the first one;
/// empty: there is none.
std::optional<std::int64_t> axis_of(const Selection& selection, std::int64_t n, std::size_t rank);

/// Whether each integer lies in [-s, s-1] of its dimension; empty: there are too few dimensions, or two
/// ellipses.
std::optional<bool> numbers_within(const Selection& selection, std::span<const std::int64_t> sizes);

/// Whether each mask has the sizes of the dimensions that it takes; `items`: the shapes of the list's. Empty:
/// as for numbers_within, or there are fewer items.
std::optional<bool> masks_fit(const Selection& selection, std::span<const std::int64_t> sizes,
                              std::span<const std::span<const std::int64_t>> items);

/// Selections without masks and with at most this many arrays that differ in what matters, plain ones first.
std::vector<std::string> usual_selections(std::size_t most_arrays);

/// What is left without one part, or with a plainer one in its place; arrays stay.
std::vector<std::string> plainer_selections(const Selection& selection);

}  // namespace scatterproof::spec::language
