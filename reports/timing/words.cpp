// SPDX-License-Identifier: Apache-2.0
#include "words.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>

namespace scatterproof::reports {
namespace {

/// Three digits and the largest unit that leaves at least one of them before the point.
std::string scaled(double value, double base, std::span<const std::string_view> units) {
  std::size_t unit = 0;
  // 999.5 would be printed as 1000: it belongs to the next unit.
  while (unit + 1 < units.size() && std::abs(value) >= (base == 1000 ? 999.5 : base)) {
    value /= base;
    ++unit;
  }
  return digits(value) + std::string(units[unit]);
}

}  // namespace

std::string digits(double value) {
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size >= 99.95) return fmt::format("{:.0f}", value);
  if (size >= 9.995) return fmt::format("{:.1f}", value);
  if (size >= 0.0995) return fmt::format("{:.2f}", value);
  return fmt::format("{:.3f}", value);
}

std::string time_words(double seconds) {
  constexpr std::array<std::string_view, 4> units = {" ns", " us", " ms", " s"};
  return scaled(seconds * 1e9, 1000, units);
}

std::string bytes_words(double bytes) {
  constexpr std::array<std::string_view, 5> units = {" B", " kB", " MB", " GB", " TB"};
  return bytes < 999.5 ? fmt::format("{:.0f} B", bytes) : scaled(bytes, 1000, units);
}

std::string size_words(double bytes) {
  constexpr std::array<std::string_view, 5> units = {" B", " KiB", " MiB", " GiB", " TiB"};
  const std::string words = scaled(bytes, 1024, units);
  // Table sizes are mostly round: 256 MiB, not 256.00.
  const std::size_t unit = words.find(' ');
  if (words.find('.') == std::string::npos) return words;
  const std::size_t last = words.find_last_not_of('0', unit - 1);
  return words.substr(0, words[last] == '.' ? last : last + 1) + words.substr(unit);
}

std::string count_words(double count) {
  constexpr std::array<std::string_view, 4> units = {"", "k", "M", "G"};
  return count < 10000 ? fmt::format("{:.0f}", count) : scaled(count, 1000, units);
}

std::string threads_words(int threads) {
  return fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
}

std::string ratio_words(const Ratio& ratio) {
  std::string words = digits(ratio.by_minimum);
  words += ratio.sides_differ() || ratio.has_lucky_minimum() ? "/" + digits(ratio.by_median) : "x";
  return ratio.significant ? words : std::string(unsure_mark) + words;
}

std::string percent_words(const Ratio& ratio) {
  const auto percent = [](double share) {
    return fmt::format("{:.{}f}", 100 * share, share < 0.0995 ? 1 : 0);
  };
  return fmt::format("{}{}{} %", ratio.significant ? "" : unsure_mark, percent(ratio.by_minimum),
                     ratio.has_lucky_minimum() ? "/" + percent(ratio.by_median) : "");
}

std::string spelled_out(const Ratio& ratio, std::string words) {
  return ratio.significant ? words : words + " (not significant)";
}

}  // namespace scatterproof::reports
