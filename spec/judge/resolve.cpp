// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/judge/resolve.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <span>

#include "bounds.hpp"
#include "cell.hpp"
#include "explain.hpp"

namespace scatterproof::spec {
namespace {

/// Whether `b` takes the place of `a` in a maximum or minimum.
bool replaces(const Bag& bag, double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return bag.nan == NanPolicy::ignore ? std::isnan(a) : std::isnan(b);
  return bag.combine == Combiner::amax ? b > a : b < a;
}

Scalar combined(const Bag& bag, const Scalar& a, const Scalar& b) {
  if (bag.combine == Combiner::amax || bag.combine == Combiner::amin) {
    if (a.is_integral()) return (bag.combine == Combiner::amax) == (b.integer() > a.integer()) ? b : a;
    return replaces(bag, a.real(), b.real()) ? b : a;
  }
  // The running value stays an integer of 64 bits; bool and narrow dtypes are converted once, at the end.
  if (a.is_integral() && b.is_integral())
    return Scalar::of_int(judging::bits_combined(bag.combine, a.integer(), b.integer()));
  if (a.kind() == Scalar::Kind::complex) {
    const std::complex<double> x(a.real(), a.imag());
    const std::complex<double> y(b.real(), b.imag());
    const std::complex<double> z = bag.combine == Combiner::prod ? x * y : x + y;
    return Scalar::of_complex(z.real(), z.imag());
  }
  if (bag.combine == Combiner::quotient) return Scalar::of_real(a.real() / b.real());
  return Scalar::of_real(bag.combine == Combiner::prod ? a.real() * b.real() : a.real() + b.real());
}

/// Means, and sums over a root: no document says what these are of integers.
std::vector<Scalar> divided(const Bag& bag, const Scalar& sum, std::int64_t count) {
  const bool root = bag.combine == Combiner::sum_over_root;
  const double n = root ? std::sqrt(static_cast<double>(count)) : static_cast<double>(count);
  if (sum.kind() == Scalar::Kind::complex)
    return {convert(Scalar::of_complex(sum.real() / n, sum.imag() / n), bag.dtype)};
  if (!sum.is_integral()) return {convert(Scalar::of_real(sum.real() / n), bag.dtype)};
  if (root) return {};
  const std::int64_t total = convert(sum, bag.dtype).integer();
  const std::int64_t truncated = total / count;
  const std::int64_t floored = truncated - (total % count < 0 ? 1 : 0);
  std::vector<Scalar> values;
  if (bag.integer_mean != IntegerMean::truncate)
    values.push_back(convert(Scalar::of_int(floored), bag.dtype));
  if (bag.integer_mean == IntegerMean::truncate ||
      (bag.integer_mean == IntegerMean::open && truncated != floored))
    values.push_back(convert(Scalar::of_int(truncated), bag.dtype));
  return values;
}

std::vector<Scalar> assigned(const Bag& bag, std::span<const Contribution> written) {
  if (bag.collisions == Collisions::forbidden && written.size() > 1) return {};
  if (bag.collisions == Collisions::last) return {written.back().value};
  const judging::FewScalars values = judging::distinct_values(written);
  return {values.begin(), values.end()};
}

}  // namespace

std::vector<Scalar> allowed_values(const Bag& bag, std::int64_t cell) {
  const auto c = static_cast<std::size_t>(cell);
  const std::span<const Contribution> written(bag.list.data() + bag.offsets[c],
                                              static_cast<std::size_t>(bag.offsets[c + 1] - bag.offsets[c]));
  if (written.empty()) return {(*bag.start)[c]};
  if (bag.combine == Combiner::assign) return assigned(bag, written);
  const bool from_start = bag.start && bag.start_counts;
  const bool from_one = bag.combine == Combiner::quotient && !from_start;
  if (bag.combine == Combiner::quotient && is_integer(bag.dtype)) {
    const judging::FewScalars all = judging::operands(judging::cell_at(bag, cell));
    const auto exact = judging::quotient_of_integers(bag, judging::span_of(all), written.size());
    return exact ? std::vector{*exact} : std::vector<Scalar>{};
  }
  if (bag.combine == Combiner::quotient && !is_float(bag.dtype)) return {};
  if (is_bitwise(bag.combine) && !written.front().value.is_integral()) return {};
  Scalar value = from_start ? (*bag.start)[c] : from_one ? Scalar::of_real(1) : written.front().value;
  for (const Contribution& one : written.subspan(from_start || from_one ? 0 : 1))
    value = combined(bag, value, one.value);
  if (bag.combine == Combiner::mean || bag.combine == Combiner::sum_over_root)
    return divided(bag, value, static_cast<std::int64_t>(written.size()) + (from_start ? 1 : 0));
  return {convert(value, bag.dtype)};
}

std::string disagreement(const Bag& bag, const Tensor& actual) {
  if (actual.shape() != bag.shape)
    return fmt::format("the shape is {}, the meaning says {}", to_string(actual.shape()),
                       to_string(bag.shape));
  const std::vector<Scalar> values = actual.values();
  for (std::size_t c = 0; c < values.size(); ++c) {
    const std::vector<Scalar> allowed = allowed_values(bag, static_cast<std::int64_t>(c));
    const Scalar came = convert(values[c], bag.dtype);
    if (allowed.empty() ||
        std::ranges::any_of(allowed, [&](const Scalar& one) { return identical(one, came); }))
      continue;
    std::vector<std::string> words;
    for (const Scalar& one : allowed) words.push_back(to_string(one, bag.dtype));
    const auto cell = static_cast<std::int64_t>(c);
    return fmt::format("{} holds {}, the meaning says {}: {}", judging::place("out", bag.shape, cell),
                       to_string(came, bag.dtype), fmt::join(words, " or "),
                       judging::describe_cell(judging::cell_at(bag, cell)));
  }
  return {};
}

std::optional<Tensor> only_result(const Bag& bag) {
  std::vector<Scalar> values;
  for (std::int64_t c = 0; c < numel(bag.shape); ++c) {
    const std::vector<Scalar> allowed = allowed_values(bag, c);
    if (allowed.size() != 1) return std::nullopt;
    values.push_back(allowed.front());
  }
  return Tensor(bag.dtype, bag.shape, values);
}

std::string to_string(const Bag& bag) {
  std::vector<std::string> cells;
  for (std::int64_t c = 0; c < numel(bag.shape); ++c) {
    std::vector<std::string> words;
    for (const Scalar& one : allowed_values(bag, c)) words.push_back(to_string(one, bag.dtype));
    cells.push_back(words.empty() ? "anything" : fmt::format("{}", fmt::join(words, " or ")));
  }
  return fmt::format("{}{} with cells {}", name(bag.dtype), to_string(bag.shape), fmt::join(cells, ", "));
}

}  // namespace scatterproof::spec
