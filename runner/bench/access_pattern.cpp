// SPDX-License-Identifier: Apache-2.0
#include "access_pattern.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace scatterproof::runner::bench {
namespace {

using Numbers = std::vector<std::int64_t>;

constexpr std::int64_t longest = std::int64_t{1} << 20;   // of a pattern
constexpr std::int64_t farthest = std::int64_t{1} << 40;  // an offset
constexpr std::string_view forms =
    "UNIFORM:length:gap, MS1:length:places:gaps, LAPLACIAN:dimension:order:size, or offsets such as 0,1,4";

spec::Error wrong(std::string_view text, std::string what) {
  return {.what = fmt::format("pattern '{}': {}", text, what), .hint = std::string(forms)};
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end != std::string_view::npos) text.remove_prefix(end + 1);
  }
  return parts;
}

/// Numbers separated by commas; empty when one of them is invalid, negative or too large.
std::optional<Numbers> numbers(std::string_view text) {
  Numbers all;
  for (const std::string_view part : split(text, ',')) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc() || end != part.data() + part.size() || value < 0 || value > farthest)
      return std::nullopt;
    all.push_back(value);
  }
  return all;
}

Numbers uniform(std::int64_t length, std::int64_t gap) {
  Numbers offsets;
  for (std::int64_t i = 0; i < length; ++i) offsets.push_back(i * gap);
  return offsets;
}

/// Mostly stride 1: steps of 1, but of `gaps` at `places`; one gap serves for all places.
Numbers mostly_stride_one(std::int64_t length, const Numbers& places, const Numbers& gaps) {
  Numbers offsets;
  std::size_t next = 0;
  std::int64_t offset = -1;
  for (std::int64_t i = 0; i < length; ++i) {
    const bool jump = next < places.size() && places[next] == i;
    offset += jump ? gaps[gaps.size() > 1 ? next : 0] : 1;
    next += jump;
    offsets.push_back(offset);
  }
  return offsets;
}

/// A star stencil on a cube of `size`: branches of `order` points both ways along each dimension, from the
/// first point on.
std::optional<Numbers> laplacian(std::int64_t dimension, std::int64_t order, std::int64_t size) {
  Numbers branch;
  std::int64_t stride = 1;
  for (std::int64_t d = 0; d < dimension; ++d) {
    for (std::int64_t j = 1; j <= order; ++j) {
      if (j > farthest / stride) return std::nullopt;
      branch.push_back(j * stride);
    }
    if (size > 0 && stride > farthest / size) return std::nullopt;
    stride *= size;
  }
  const std::int64_t centre = branch.empty() ? 0 : branch.back();
  Numbers offsets;
  for (auto one = branch.rbegin(); one != branch.rend(); ++one) offsets.push_back(centre - *one);
  offsets.push_back(centre);
  for (const std::int64_t one : branch) offsets.push_back(centre + one);
  return offsets;
}

}  // namespace

spec::Result<Numbers> parse_pattern(std::string_view text) {
  std::vector<std::string_view> parts = split(text, ':');
  const std::string_view kind = parts.size() > 1 ? parts.front() : "";
  if (!kind.empty()) parts.erase(parts.begin());
  std::vector<Numbers> values;
  for (const std::string_view part : parts) {
    const auto list = numbers(part);
    if (!list) return wrong(text, fmt::format("invalid offset or number '{}'", part));
    values.push_back(*list);
  }
  if (kind.empty()) return values.front();
  const bool lengthy = kind != "LAPLACIAN" && values[0][0] > longest;
  if (values[0][0] < 1 || lengthy)
    return wrong(text, fmt::format("the length must be from 1 to {}", longest));
  if (kind == "UNIFORM" && values.size() == 2) {
    if (values[1][0] > farthest / values[0][0]) return wrong(text, "it reaches too far");
    return uniform(values[0][0], values[1][0]);
  }
  if (kind == "MS1" && values.size() == 3) {
    if (values[2].size() != 1 && values[2].size() != values[1].size())
      return wrong(text, "give one gap, or as many as places");
    Numbers offsets = mostly_stride_one(values[0][0], values[1], values[2]);
    if (offsets.front() < 0) return wrong(text, "a gap of 0 at place 0 points before the start");
    return offsets;
  }
  if (kind == "LAPLACIAN" && values.size() == 3) {
    if (values[1][0] > longest || values[0][0] > 16) return wrong(text, "it reaches too far");
    auto offsets = laplacian(values[0][0], values[1][0], values[2][0]);
    if (!offsets || offsets->front() < 0) return wrong(text, "it reaches too far, or before the start");
    return *std::move(offsets);
  }
  return wrong(text, "unknown form");
}

}  // namespace scatterproof::runner::bench
