// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/language/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace scatterproof::spec::language {
namespace {

using Kind = SelectionPart::Kind;

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

bool read_number(std::string_view text, std::int64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

/// "1:-1:2", with any of the numbers left out.
std::optional<SelectionPart> parse_slice(std::string_view text) {
  SelectionPart slice;
  for (std::optional<std::int64_t>* const bound : {&slice.start, &slice.stop, &slice.step}) {
    const std::size_t colon = text.find(':');
    const std::string_view number = trimmed(text.substr(0, colon));
    if (!number.empty() && !read_number(number, bound->emplace())) return std::nullopt;
    if (colon == std::string_view::npos) return slice;
    text.remove_prefix(colon + 1);
  }
  return std::nullopt;  // a third colon
}

std::optional<SelectionPart> parse_part(std::string_view text) {
  if (text.ends_with('!')) {
    auto part = parse_part(text.substr(0, text.size() - 1));
    if (!part || part->first || (part->kind != Kind::integer && part->kind != Kind::array))
      return std::nullopt;
    part->first = true;
    return part;
  }
  if (text == "$") return SelectionPart{.kind = Kind::array};
  if (text == "...") return SelectionPart{.kind = Kind::ellipsis};
  if (text == "None") return SelectionPart{.kind = Kind::newaxis};
  if (text == "True" || text == "False") return SelectionPart{.kind = Kind::truth, .number = text == "True"};
  if (!text.empty() && text.size() <= max_rank && text.find_first_not_of('?') == std::string_view::npos)
    return SelectionPart{.kind = Kind::mask, .number = static_cast<std::int64_t>(text.size())};
  if (text.find(':') != std::string_view::npos) return parse_slice(text);
  SelectionPart integer{.kind = Kind::integer};
  if (!read_number(text, integer.number)) return std::nullopt;
  return integer;
}

std::string to_string(const SelectionPart& part) {
  const auto number = [](const std::optional<std::int64_t>& bound) {
    return bound ? std::to_string(*bound) : std::string();
  };
  switch (part.kind) {
    case Kind::integer:
      return std::to_string(part.number) + (part.first ? "!" : "");
    case Kind::ellipsis:
      return "...";
    case Kind::newaxis:
      return "None";
    case Kind::truth:
      return part.number != 0 ? "True" : "False";
    case Kind::array:
      return part.first ? "$!" : "$";
    case Kind::mask:
      return std::string(part.dimensions(), '?');
    case Kind::slice:
      break;
  }
  return number(part.start) + ":" + number(part.stop) + (part.step ? ":" + number(part.step) : "");
}

/// Of the dimensions of x that its parts take, an ellipsis aside.
std::size_t dimensions_taken(const Selection& selection) {
  std::size_t taken = 0;
  for (const SelectionPart& part : selection.all()) taken += part.dimensions();
  return taken;
}

/// Goes through the parts of a selection that has a dimension for each of them. The dimensions of the arrays
/// come first until all parts are there.
class Planning {
 public:
  Planning(std::span<const std::int64_t> sizes, std::span<const std::int64_t> arrays) : sizes_(sizes) {
    std::ranges::copy(arrays, made_.sizes.begin());
    made_.dims = made_.common = arrays.size();
  }

  /// With a truth, x[True] has a dimension of size 1 where the arrays are, and x[False] one of size 0. False:
  /// that and the arrays have no common shape.
  bool broadcast_truth(std::int64_t truth) {
    if (made_.common == 0) made_.sizes[made_.common++] = 1;
    made_.dims = made_.common;
    std::int64_t& last = made_.sizes[made_.common - 1];
    if (truth == 0 && last > 1) return false;
    if (truth == 0) last = 0;
    return true;
  }

  /// With arrays, an integer is one without dimensions.
  void meet(bool is_advanced) {
    if (is_advanced && state_ == Advanced::not_yet) ahead_ = made_.dims - made_.common;
    if (is_advanced)
      state_ = state_ == Advanced::over || state_ == Advanced::apart ? Advanced::apart : Advanced::now;
    else if (state_ == Advanced::now)
      state_ = Advanced::over;
  }

  void take(const SelectionPart& part, std::size_t dimensions_of_ellipsis) {
    switch (part.kind) {
      case Kind::integer:
        made_.sources[made_.rank++] = {.part = &part};
        return;
      case Kind::array:
        made_.sources[made_.rank++] = {.part = &part, .place = arrays_++};
        return;
      case Kind::mask:
        for (std::int64_t d = 0; d < part.number; ++d)
          made_.sources[made_.rank++] = {.part = &part, .place = arrays_, .start = d};
        ++arrays_;
        return;
      case Kind::newaxis:
        made_.sizes[made_.dims++] = 1;
        return;
      case Kind::truth:
        return;
      case Kind::ellipsis:
        return take_whole(dimensions_of_ellipsis);
      case Kind::slice: {
        const auto [start, count] = part.places(sizes_[made_.rank]);
        made_.sources[made_.rank++] = {
            .part = &part, .place = made_.dims, .start = start, .step = part.step.value_or(1)};
        made_.sizes[made_.dims++] = count;
      }
    }
  }

  void take_whole(std::size_t dimensions) {
    for (; dimensions > 0; --dimensions) {
      made_.sources[made_.rank] = {.place = made_.dims};
      made_.sizes[made_.dims++] = sizes_[made_.rank++];
    }
  }

  /// Arrays next to each other put their dimensions where they are, others put them first.
  SelectionPlan finished() {
    take_whole(sizes_.size() - made_.rank);
    if (state_ == Advanced::now || state_ == Advanced::over) move_common();
    return made_;
  }

 private:
  void move_common() {
    const auto begin = made_.sizes.begin();
    std::rotate(begin, begin + static_cast<std::ptrdiff_t>(made_.common),
                begin + static_cast<std::ptrdiff_t>(made_.common + ahead_));
    made_.first = ahead_;
    for (SelectionPlan::Source& source : std::span(made_.sources.data(), made_.rank))
      if (const bool from_result = !source.part || source.part->kind == Kind::slice;
          from_result && source.place < made_.common + ahead_)
        source.place -= made_.common;
  }

  std::span<const std::int64_t> sizes_;
  SelectionPlan made_;
  std::size_t arrays_ = 0;
  std::size_t ahead_ = 0;  ///< the other dimensions of the result before the first array
  enum class Advanced : std::uint8_t { not_yet, now, over, apart } state_ = Advanced::not_yet;
};

}  // namespace

std::pair<std::int64_t, std::int64_t> SelectionPart::places(std::int64_t size) const {
  const std::int64_t by = step.value_or(1), lowest = by > 0 ? 0 : -1, highest = by > 0 ? size : size - 1;
  const auto bound = [&](const std::optional<std::int64_t>& given, std::int64_t otherwise) {
    if (!given) return otherwise;
    if (*given < 0) return *given < -size ? lowest : *given + size;  // -1 + size may be lowest too
    return std::min(*given, highest);
  };
  const std::int64_t from = bound(start, by > 0 ? lowest : highest),
                     to = bound(stop, by > 0 ? highest : lowest);
  const std::int64_t width = by > 0 ? to - from : from - to;
  if (width <= 0) return {from, 0};
  const std::uint64_t stride = by > 0 ? static_cast<std::uint64_t>(by) : -static_cast<std::uint64_t>(by);
  return {from, static_cast<std::int64_t>((static_cast<std::uint64_t>(width) - 1) / stride + 1)};
}

std::size_t Selection::arrays() const {
  return static_cast<std::size_t>(std::ranges::count_if(all(), &SelectionPart::is_item));
}

const SelectionPart* Selection::array(std::size_t n) const {
  for (const SelectionPart& part : all())
    if (part.is_item() && n-- == 0) return &part;
  return nullptr;
}

bool Selection::has_firsts() const { return std::ranges::any_of(all(), &SelectionPart::first); }

Selection numbers_first(Selection selection, std::span<const std::span<const std::int64_t>> items) {
  std::size_t n = 0;
  for (SelectionPart& part : std::span(selection.parts.data(), selection.count)) {
    const bool is_point = part.kind == Kind::array && n < items.size() && items[n].empty();
    part.first = part.kind == Kind::integer || is_point;
    n += part.is_item() ? 1 : 0;
  }
  return selection;
}

std::optional<std::int64_t> Selection::count_of(std::string_view kind) const {
  constexpr std::string_view names[] = {"integer", "slice", "ellipsis", "newaxis", "truth", "array", "mask"};
  if (kind == "masked") {
    std::int64_t dimensions = 0;
    for (const SelectionPart& part : all()) dimensions += part.kind == Kind::mask ? part.number : 0;
    return dimensions;
  }
  const auto name = std::ranges::find(names, kind);
  if (name == std::end(names) && kind != "false" && kind != "zero_step" && kind != "negative_step")
    return std::nullopt;
  return std::ranges::count_if(all(), [&](const SelectionPart& part) {
    if (name != std::end(names)) return part.kind == static_cast<Kind>(name - std::begin(names));
    if (kind == "false") return part.kind == Kind::truth && part.number == 0;
    return part.step && (kind == "zero_step" ? *part.step == 0 : *part.step < 0);
  });
}

std::optional<Selection> parse_selection(std::string_view text) {
  Selection made;
  text = trimmed(text);
  if (text == "()") return made;
  do {
    const std::size_t comma = text.find(',');
    const auto part = parse_part(trimmed(text.substr(0, comma)));
    if (!part || made.count == Selection::most) return std::nullopt;
    made.parts[made.count++] = *part;
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  } while (!trimmed(text).empty());
  return made;
}

std::string to_string(const Selection& selection) {
  if (selection.count == 0) return "()";
  std::string text;
  for (const SelectionPart& part : selection.all()) text += (text.empty() ? "" : ", ") + to_string(part);
  return text;
}

std::optional<SelectionPlan> plan(const Selection& selection, std::span<const std::int64_t> sizes,
                                  std::span<const std::int64_t> arrays, std::string_view* why) {
  const auto none = [&](std::string_view reason) {
    if (why) *why = reason;
    return std::nullopt;
  };
  const std::size_t taken = dimensions_taken(selection);
  if (taken > sizes.size() || sizes.size() > max_rank) return none("it takes more dimensions than there are");
  if (selection.count_of("ellipsis") > 1) return none("it has two ellipses");
  if (selection.count_of("zero_step") > 0) return none("it has a step of 0");
  if (arrays.size() + selection.count + sizes.size() - taken > Selection::most)
    return none("the result has too many dimensions");
  Planning planning(sizes, arrays);
  bool advanced = false;
  for (const SelectionPart& part : selection.all()) {
    advanced = advanced || (part.is_item() && !part.first) || part.kind == Kind::truth;
    if (part.kind == Kind::truth && !planning.broadcast_truth(part.number))
      return none("False and arrays have no common shape");
  }
  for (const SelectionPart& part : selection.all()) {
    if (!part.first)
      planning.meet(advanced && (part.is_item() || part.kind == Kind::truth || part.kind == Kind::integer));
    planning.take(part, sizes.size() - taken);
  }
  const SelectionPlan made = planning.finished();
  if (made.dims > max_rank) return none("the result has too many dimensions");
  return made;
}

namespace {

/// Whether each part has a dimension of its own.
bool has_places(const Selection& selection, std::size_t rank) {
  return dimensions_taken(selection) <= rank && selection.count_of("ellipsis") <= 1;
}

/// Calls `visit` with each part that takes dimensions, and the first of them.
template <class Visit>
void each_dimension(const Selection& selection, std::size_t rank, Visit&& visit) {
  std::size_t d = 0;
  for (const SelectionPart& part : selection.all()) {
    if (part.dimensions() > 0) visit(part, d);
    d += part.kind == Kind::ellipsis ? rank - dimensions_taken(selection) : part.dimensions();
  }
}

}  // namespace

std::optional<std::int64_t> axis_of(const Selection& selection, std::int64_t n, std::size_t rank) {
  std::optional<std::int64_t> axis;
  if (!has_places(selection, rank)) return axis;
  each_dimension(selection, rank, [&](const SelectionPart& part, std::size_t d) {
    if (part.is_item() && n-- == 0) axis = static_cast<std::int64_t>(d);
  });
  return axis;
}

std::optional<bool> numbers_within(const Selection& selection, std::span<const std::int64_t> sizes) {
  if (!has_places(selection, sizes.size())) return std::nullopt;
  bool within = true;
  each_dimension(selection, sizes.size(), [&](const SelectionPart& part, std::size_t d) {
    if (part.kind == Kind::integer) within = within && -sizes[d] <= part.number && part.number < sizes[d];
  });
  return within;
}

std::optional<bool> masks_fit(const Selection& selection, std::span<const std::int64_t> sizes,
                              std::span<const std::span<const std::int64_t>> items) {
  if (!has_places(selection, sizes.size()) || items.size() < selection.arrays()) return std::nullopt;
  bool fit = true;
  std::size_t n = 0;
  each_dimension(selection, sizes.size(), [&](const SelectionPart& part, std::size_t d) {
    if (part.kind == Kind::mask)
      fit = fit && std::ranges::equal(items[n], sizes.subspan(d, part.dimensions()));
    n += part.is_item() ? 1 : 0;
  });
  return fit;
}

std::vector<std::string> usual_selections(std::size_t most_arrays) {
  constexpr std::string_view all[] = {
      "()", "$", "$, $", "$, $, $", "$, $, $, $", "$, $, $, $, $",
      // without arrays
      ":", "0", "...", "1:", "::2", "::-1", "-1", "0, 0", ":, 0", "..., 0", "0, ...", "None", ":, None",
      "1:-1", "-2:, 1:", "..., None, ::-1", "True", "False", "True, 0", ":, True", "0, None, ::-2",
      "0, 1, -1", "4", "..., ...", "::0",
      // with one
      "$, :", ":, $", "..., $", "$, ...", "$, 0", "0, $", "$, None", "None, $", ":, $, 1:", "$, ::-1",
      "0, :, $", "$, :, 0", ":, 0, $", "$, None, 0", "True, $", "$, :, True", "False, $", "$, -4",
      "..., $, ...", "$, ::0",
      // with several
      "$, :, $", ":, $, $", "$, 0, $", "$, None, $", "$, ..., $", "..., $, $", "$, $, ::-1", "0, $, $",
      "$, :, $, 0", ":, $, :, $", "$, $, :, $", ":, $, $, $", "$, ..., $, $", "$, :, $, $, $",
      "..., $, $, $, $"};
  std::vector<std::string> chosen;
  for (const std::string_view text : all)
    if (parse_selection(text)->arrays() <= most_arrays) chosen.emplace_back(text);
  return chosen;
}

std::vector<std::string> plainer_selections(const Selection& selection) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < selection.count; ++i) {
    const SelectionPart& part = selection.parts[i];
    if (part.is_item()) continue;
    Selection without = selection;
    std::copy(selection.parts.begin() + i + 1, selection.parts.begin() + selection.count,
              without.parts.begin() + i);
    --without.count;
    texts.push_back(to_string(without));
    if (part.kind == Kind::integer || part.kind == Kind::slice) {
      Selection plain = selection;
      plain.parts[i] = {.kind = part.kind};
      texts.push_back(to_string(plain));
    }
  }
  return texts;
}

}  // namespace scatterproof::spec::language
