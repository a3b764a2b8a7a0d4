// SPDX-License-Identifier: Apache-2.0
#include "printed.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace scatterproof::spec {
namespace {

struct NumberList {
  std::string_view text;  ///< as printed, with its brackets
  std::vector<double> numbers;
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::vector<double> numbers_in(std::string_view text) {
  std::vector<double> found;
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    double number = 0;
    const auto read = std::from_chars(at, end, number);
    if (read.ec == std::errc{}) found.push_back(number);
    at = read.ec == std::errc{} ? read.ptr : at + 1;
  }
  return found;
}

/// The position of the bracket that closes the one at `open`, if only numbers stand between them, and the `#`
/// or `>>> #` of a comment that goes on; npos otherwise.
std::size_t end_of_list(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '[') ++depth;
    if (c == ']' && --depth == 0) return at;
    if (!std::isdigit(static_cast<unsigned char>(c)) &&
        std::string_view("[]+-.eE,#> ").find(c) == std::string_view::npos)
      return text.npos;
  }
  return text.npos;
}

/// The lists of numbers that are not subscripts.
std::vector<NumberList> lists_in(std::string_view text) {
  std::vector<NumberList> found;
  for (std::size_t open = text.find('['); open != text.npos; open = text.find('[', open)) {
    const std::size_t end = end_of_list(text, open);
    const bool subscript = open > 0 && (is_word(text[open - 1]) || text[open - 1] == ']');
    if (end == text.npos) {
      ++open;
      continue;
    }
    const std::string_view list = text.substr(open, end - open + 1);
    if (auto numbers = numbers_in(list); !numbers.empty() && !subscript)
      found.push_back({list, std::move(numbers)});
    open = end + 1;
  }
  return found;
}

/// Documents print four decimals unless more are needed.
bool prints_as(double printed, double value) {
  return std::abs(printed - value) <= 5e-5 + 1e-6 * std::abs(value);
}

bool holds(const Shape& list, const std::vector<double>& numbers) {
  return std::ranges::equal(list, numbers,
                            [](auto item, double n) { return static_cast<double>(item) == n; });
}

bool holds(const Tensor& tensor, const std::vector<double>& numbers) {
  const std::vector<Scalar> values = tensor.values();
  const auto same = [](const Scalar& value, double printed) { return prints_as(printed, value.real()); };
  return std::ranges::equal(values, numbers, same) || holds(tensor.shape(), numbers);
}

/// A formula without blanks.
std::string squeezed(std::string_view text) {
  std::string made;
  for (const char c : text)
    if (c != ' ' && c != '\n') made += c;
  return made;
}

}  // namespace

bool has_numbers(std::string_view printed) { return !lists_in(printed).empty(); }

std::string missing_numbers(std::string_view printed, const std::vector<const Tensor*>& tensors,
                            const std::vector<const Shape*>& lists) {
  for (const NumberList& list : lists_in(printed)) {
    const auto has_it = [&](const auto* one) { return holds(*one, list.numbers); };
    if (std::ranges::none_of(tensors, has_it) && std::ranges::none_of(lists, has_it))
      return std::string(list.text);
  }
  return {};
}

std::string without_formulas(std::string_view printed, const std::vector<std::string_view>& reads) {
  std::string rest = squeezed(printed);
  const auto take_out = [&](const std::string& formula) {
    const std::size_t at = formula.empty() ? rest.npos : rest.find(formula);
    if (at != rest.npos) rest.erase(at, formula.size());
    return at != rest.npos;
  };
  for (const std::string_view formula : reads) {
    if (take_out(squeezed(formula))) continue;
    for (std::size_t at = 0; at < formula.size();) {
      const std::size_t end = std::min(formula.find('\n', at), formula.size());
      take_out(squeezed(formula.substr(at, end - at)));
      at = end + 1;
    }
  }
  return rest;
}

}  // namespace scatterproof::spec
