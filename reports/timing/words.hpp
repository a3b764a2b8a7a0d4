// SPDX-License-Identifier: Apache-2.0
// Times, sizes and ratios in words, three digits each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ratios.hpp"
#include "scatterproof/reports/timing.hpp"

namespace scatterproof::reports {

/// Traffic, in powers of 1000: `2.28 GB`.
std::string bytes_words(double bytes);
/// A table's size, in powers of 1024: `256 MiB`.
std::string size_words(double bytes);
/// `16.8M`, `512`.
std::string count_words(double count);
/// Three digits, never an exponent: `0.054`, `2.10`, `12.9`, `1290`.
std::string digits(double value);

/// What goes before a figure that is not significant.
constexpr std::string_view unsure_mark = "~";
/// `2.10x`; `~2.10x` when not significant; `1.05/0.97`, minimum and median, when they lie on two sides of 1
/// or one repetition was far from all others.
std::string ratio_words(const Ratio& ratio);
/// `85 %`, `~85 %`; `85/40 %` when one repetition was far from all others.
std::string percent_words(const Ratio& ratio);
/// With the mark spelled out, for a ratio that stands alone: `~2.10x (not significant)`.
std::string spelled_out(const Ratio& ratio, std::string words);

}  // namespace scatterproof::reports
