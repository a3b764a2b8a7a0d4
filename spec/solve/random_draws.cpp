// SPDX-License-Identifier: Apache-2.0
#include "random_draws.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "scatterproof/spec/language/selection.hpp"

namespace scatterproof::spec::solve {
namespace {

bool is_prime(std::int64_t number) {
  for (std::int64_t divisor = 2; divisor * divisor <= number; ++divisor)
    if (number % divisor == 0) return false;
  return number >= 2;
}

}  // namespace

std::int64_t small_size(bool may_be_zero, Dice& dice) {
  if (dice.one_in(3) && may_be_zero) return 0;
  if (dice.one_in(6)) return 1;
  return dice.one_in(6) ? dice.in(6, 9) : dice.in(2, 5);
}

std::int64_t boundary_size(std::int64_t most, Dice& dice) {
  const std::int64_t any = dice.in((most + 1) / 2, most);
  std::int64_t size = any;
  // Few sizes are as large as what 16 bits count: there it is the power of two that tells.
  const bool is_largest = most >= std::int64_t{1} << 16;
  switch (is_largest && dice.one_in(2) ? 0 : dice.below(6)) {
    case 0:
      size = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(is_largest ? most : any))) +
             dice.in(-1, 1);
      break;
    case 1: {
      std::int64_t block = std::int64_t{8} << dice.below(6);
      while (block > any && block > 8) block /= 2;
      size = any / block * block + dice.in(-1, 1);
      break;
    }
    case 2:
      while (size > 2 && !is_prime(size)) --size;
      break;
    default:
      break;
  }
  return std::clamp<std::int64_t>(size, 1, most);
}

DType draw_dtype(bool index, Dice& dice) {
  if (index && !dice.one_in(5)) return dice.one_in(3) ? DType::i32 : DType::i64;
  constexpr DType usual[] = {DType::f64, DType::i32, DType::i64, DType::f16};
  if (!index && dice.one_in(5)) return DType::f32;
  if (!index && dice.one_in(3)) return usual[dice.below(std::ssize(usual))];
  return dice.pick(all_dtypes);
}

DType draw_usual_dtype(Dice& dice) {
  constexpr DType usual[] = {DType::f32, DType::f64, DType::i32, DType::i64};
  return dice.one_in(2) ? dice.pick(usual) : dice.pick(all_dtypes);
}

namespace {

std::string draw_number(Dice& dice) { return std::to_string(dice.in(-3, 3)); }

std::string draw_slice(Dice& dice) {
  std::string text = dice.one_in(2) ? "" : draw_number(dice);
  text += ":" + (dice.one_in(2) ? "" : draw_number(dice));
  if (!dice.one_in(3)) return text;
  const std::int64_t step = dice.in(1, 3);
  return text + ":" + std::to_string(dice.one_in(2) ? step : -step);
}

std::string draw_part(bool may_have_ellipsis, Dice& dice) {
  switch (dice.below(8)) {
    case 0:
      return dice.one_in(2) ? "True" : dice.one_in(4) ? "False" : "None";
    case 1:
      return "None";
    case 2:
      return may_have_ellipsis ? "..." : ":";
    case 3:
    case 4:
      return draw_number(dice);
    default:
      return draw_slice(dice);
  }
}

}  // namespace

std::string draw_selection(const std::string& like, Dice& dice) {
  const auto selection = language::parse_selection(like);
  std::vector<std::string> parts(selection ? selection->arrays() : 0, "$");
  bool has_ellipsis = false;
  for (std::int64_t others = dice.below(4); others > 0; --others) {
    const std::string part = draw_part(!has_ellipsis, dice);
    has_ellipsis = has_ellipsis || part == "...";
    parts.insert(parts.begin() + dice.below(std::ssize(parts) + 1), part);
  }
  return parts.empty() ? "()" : fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace scatterproof::spec::solve
