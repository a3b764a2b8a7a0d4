// SPDX-License-Identifier: Apache-2.0
// Comparison modes exact and member: cells whose allowed values can be listed.
#include <algorithm>
#include <bit>
#include <cmath>

#include "comparison_modes.hpp"
#include "scatterproof/spec/core/hash_index.hpp"
#include "scatterproof/spec/core/work_limit.hpp"

namespace scatterproof::spec::judging {
namespace {

Allowed list_of(std::span<const Scalar> values, bool zeros_alike) {
  FewScalars distinct;
  for (const Scalar& value : values)
    if (std::none_of(distinct.begin(), distinct.end(),
                     [&](const Scalar& d) { return same_value(d, value, zeros_alike); }))
      distinct.push_back(value);
  Allowed allowed;
  allowed.mode = distinct.size() == 1 ? ComparisonMode::exact : ComparisonMode::member;
  allowed.listed = std::move(distinct);
  allowed.zeros_alike = zeros_alike;
  return allowed;
}

/// Of 64 bits, whose low ones those of a narrower dtype are. Precondition: values is not empty.
std::uint64_t combined_bits(Combiner combine, std::span<const Scalar> values) {
  std::int64_t result = values.front().integer();
  for (const Scalar& value : values.subspan(1)) result = bits_combined(combine, result, value.integer());
  return static_cast<std::uint64_t>(result);
}

__extension__ using Wide = __int128;

Wide floor_division(Wide a, Wide b) { return a / b - ((a % b != 0 && a < 0) ? 1 : 0); }

/// The documents do not say in what width the sum is kept before it is divided: both the sum wrapped in the
/// dtype and the true sum are right.
Allowed integer_mean(const Bag& bag, std::span<const Scalar> values) {
  Wide exact = 0;
  for (const Scalar& value : values) exact += value.integer();
  const Wide wrapped =
      convert(Scalar::of_int(static_cast<std::int64_t>(combined_bits(Combiner::sum, values))), bag.dtype)
          .integer();
  const auto count = static_cast<Wide>(values.size());
  FewScalars candidates;
  for (const Wide sum : {exact, wrapped}) {
    if (bag.integer_mean != IntegerMean::truncate)
      candidates.push_back(Scalar::of_int(static_cast<std::int64_t>(floor_division(sum, count))));
    if (bag.integer_mean != IntegerMean::floor)
      candidates.push_back(Scalar::of_int(static_cast<std::int64_t>(sum / count)));
  }
  return list_of(span_of(candidates), false);
}

bool contains(std::span<const Scalar> values, const Scalar& value) {
  return std::ranges::any_of(values, [&](const Scalar& one) { return identical(one, value); });
}

/// Equal for identical values.
std::uint64_t hash_of(const Scalar& value) {
  const auto bits = [](double number) {
    return std::isnan(number) ? ~std::uint64_t{0} : std::bit_cast<std::uint64_t>(number);
  };
  const std::uint64_t words[] = {
      value.is_integral() ? static_cast<std::uint64_t>(value.integer()) : bits(value.real()),
      bits(value.imag())};
  return hash_of_words(words);
}

template <class One, class ValueOf>
FewScalars distinct(std::span<const One> all, ValueOf value_of) {
  constexpr std::size_t few = 16;  // are compared in turn; when there are more, they are looked up
  FewScalars values;
  HashIndex index;
  std::size_t indexed = 0;
  const auto is_new = [&](const Scalar& value) {
    return index.add(hash_of(value), [&](std::size_t i) { return identical(values[i], value); });
  };
  for (const One& one : all) {
    WorkLimit::step();
    const Scalar& value = value_of(one);
    if (values.size() < few) {
      if (!contains(span_of(values), value)) values.push_back(value);
      continue;
    }
    for (; indexed < few; ++indexed) is_new(values[indexed]);
    if (is_new(value)) values.push_back(value);
  }
  return values;
}

}  // namespace

std::int64_t bits_combined(Combiner combine, std::int64_t a, std::int64_t b) {
  const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  const std::uint64_t both = combine == Combiner::prod      ? x * y
                             : combine == Combiner::bit_and ? x & y
                             : combine == Combiner::bit_or  ? x | y
                             : combine == Combiner::bit_xor ? x ^ y
                                                            : x + y;
  return static_cast<std::int64_t>(both);
}

FewScalars distinct_values(std::span<const Contribution> contributions) {
  return distinct(contributions, [](const Contribution& one) -> const Scalar& { return one.value; });
}

Allowed assigned(const Cell& cell) {
  if (cell.contributions.size() == 1) return {.listed = {cell.contributions[0].value}};
  switch (cell.bag->collisions) {
    case Collisions::last:
      return {.listed = {cell.contributions.back().value}};
    case Collisions::forbidden:
      return {.free = true};
    case Collisions::any:
      break;
  }
  return {.mode = ComparisonMode::member, .listed = distinct_values(cell.contributions)};
}

Allowed combined_booleans(Combiner combine, std::span<const Scalar> values) {
  if (combine == Combiner::mean || combine == Combiner::sum_over_root) return {.free = true};
  const auto is_true = [](const Scalar& value) { return value.integer() != 0; };
  if (combine == Combiner::bit_xor)
    return {.listed = {Scalar::of_bool(std::ranges::count_if(values, is_true) % 2 == 1)}};
  const bool any = combine == Combiner::sum || combine == Combiner::amax || combine == Combiner::bit_or;
  return {.listed = {Scalar::of_bool(any ? std::any_of(values.begin(), values.end(), is_true)
                                         : std::all_of(values.begin(), values.end(), is_true))}};
}

Allowed combined_integers(const Bag& bag, std::span<const Scalar> values) {
  const auto less = [](const Scalar& a, const Scalar& b) { return a.integer() < b.integer(); };
  switch (bag.combine) {
    case Combiner::mean:
      return integer_mean(bag, values);
    case Combiner::sum_over_root:
      return {.free = true};
    case Combiner::amax:
      return {.listed = {*std::max_element(values.begin(), values.end(), less)}};
    case Combiner::amin:
      return {.listed = {*std::min_element(values.begin(), values.end(), less)}};
    default:
      const auto bits = static_cast<std::int64_t>(combined_bits(bag.combine, values));
      return {.listed = {convert(Scalar::of_int(bits), bag.dtype)}};
  }
}

Allowed extreme_float(const Bag& bag, std::span<const Scalar> values) {
  if (is_complex(bag.dtype)) return {.free = true};
  std::optional<Scalar> extreme;
  bool nan = false;
  for (const Scalar& value : values) {
    if (std::isnan(value.real())) {
      nan = true;
    } else if (!extreme || (bag.combine == Combiner::amax ? value.real() > extreme->real()
                                                          : value.real() < extreme->real())) {
      extreme = value;
    }
  }
  // A comparison with a NaN may yield either side, in any order of the values: any of them may remain.
  if (extreme && nan && bag.nan == NanPolicy::open)
    return {.mode = ComparisonMode::member,
            .listed = distinct(values, [](const Scalar& value) -> const Scalar& { return value; }),
            .zeros_alike = true};
  FewScalars candidates;
  if (extreme && !(nan && bag.nan == NanPolicy::propagate)) candidates.push_back(*extreme);
  if (nan && !(extreme && bag.nan == NanPolicy::ignore)) candidates.push_back(Scalar::of_real(std::nan("")));
  return list_of(span_of(candidates), true);
}

}  // namespace scatterproof::spec::judging
