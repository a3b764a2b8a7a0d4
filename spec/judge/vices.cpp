// SPDX-License-Identifier: Apache-2.0
// One small function per vice. It names what went wrong, or returns nothing when it does not explain every
// cell.
#include "vices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "changed_bag.hpp"
#include "place_vices.hpp"
#include "scatterproof/spec/core/work_limit.hpp"

namespace scatterproof::spec::judging {
namespace {

using Kind = DiagnosisKind;

Suspicion when(bool explained, Kind kind) { return explained ? Suspicion({.kind = kind}) : std::nullopt; }

bool is_all_zero(const Scalar& value) {
  return value.is_integral() ? value.integer() == 0 : value.real() == 0 && value.imag() == 0;
}

bool is_nan(const Scalar& value) {
  return !value.is_integral() && (std::isnan(value.real()) || std::isnan(value.imag()));
}

std::vector<Contribution> copy_of(const Cell& cell) {
  return {cell.contributions.begin(), cell.contributions.end()};
}

/// Largest and smallest only: a comparison with a NaN is false, so the next value takes its place.
Suspicion nan_forgotten(const Suspect& s) {
  if (s.bag.combine != Combiner::amax && s.bag.combine != Combiner::amin) return std::nullopt;
  const auto forgets = [&](std::int64_t index) {
    const FewScalars values = operands(cell_at(s.bag, index));
    return std::any_of(values.begin(), values.end(), is_nan);
  };
  if (!std::ranges::all_of(s.failing, forgets)) return std::nullopt;
  Bag forgetful = s.bag;
  forgetful.start_counts = false;
  forgetful = with_contributions(forgetful, [&](const Cell& cell) {
    std::vector<Contribution> all = copy_of(cell);
    if (cell.touched() && s.bag.start && s.bag.start_counts) all.insert(all.begin(), {cell.start(), {}, 0});
    // Up to the last value that another follows.
    const auto last =
        std::find_if(all.rbegin(), all.rend(), [](const auto& one) { return is_nan(one.value); });
    if (last == all.rend()) return all;
    all.erase(all.begin(), last == all.rbegin() ? last.base() - 1 : last.base());
    return all;
  });
  return when(explains(forgetful, s), Kind::nan_forgotten);
}

Suspicion start_unchanged(const Suspect& s) {
  const Bag none = with_contributions(s.bag, [](const Cell&) { return std::vector<Contribution>{}; });
  return when(explains(none, s), Kind::writes_lost);
}

Suspicion tail_left_out(const Suspect& s) { return tail_left_out(s, false); }

Suspicion all_zero(const Suspect& s) { return when(s.actual.all(is_all_zero), Kind::all_zero); }

Suspicion transposed(const Suspect& s) {
  Shape reversed(s.bag.shape.rbegin(), s.bag.shape.rend());
  return when(reversed == s.bag.shape && is_transposed(s.bag, reversed, s.actual), Kind::transposed);
}

Suspicion first_wins(const Suspect& s) {
  if (s.bag.combine != Combiner::assign) return std::nullopt;
  const Bag first = with_contributions(s.bag, [](const Cell& cell) {
    return cell.touched() ? std::vector<Contribution>{cell.contributions.front()}
                          : std::vector<Contribution>{};
  });
  return when(explains(first, s), Kind::first_wins);
}

/// What `x[index] += src` does: all are read before any is written. A lost update would keep others as well.
Suspicion one_alone(const Suspect& s) {
  if (!s.bag.start || !s.bag.start_counts || s.bag.combine == Combiner::assign) return std::nullopt;
  bool each_has_one = true;
  const auto kept_of = [&](const Cell& cell) -> std::vector<Contribution> {
    if (!each_has_one) return {};
    const Scalar actual = s.actual[static_cast<std::size_t>(cell.index)];
    for (const Contribution& one : cell.contributions) {
      WorkLimit::step();
      if (allowed_in({&s.bag, cell.index, {&one, 1}}).holds(actual)) return {one};
    }
    each_has_one = !cell.touched();
    return {};
  };
  const Bag kept = with_contributions(s.bag, kept_of);
  return when(each_has_one && explains(kept, s), Kind::one_alone);
}

/// Whether the judge knows the result of this combiner. A quotient of anything but real floats is free, a sum
/// over a root of integers, and bits of others: they would explain any value.
bool is_told(Combiner combiner, DType dtype) {
  if (combiner == Combiner::quotient) return is_float(dtype);
  const bool whole = is_integer(dtype) || dtype == DType::boolean;
  if (combiner == Combiner::sum_over_root) return !whole;
  if (is_bitwise(combiner)) return whole;
  return combiner != Combiner::mean || dtype != DType::boolean;
}

Suspicion other_combiner(const Suspect& s) {
  // An extreme of equal values is their mean too, and the likelier slip.
  constexpr std::array by_likelihood = {Combiner::assign,   Combiner::sum,           Combiner::prod,
                                        Combiner::amax,     Combiner::amin,          Combiner::mean,
                                        Combiner::quotient, Combiner::sum_over_root, Combiner::bit_and,
                                        Combiner::bit_or,   Combiner::bit_xor};
  static_assert(by_likelihood.size() == all_combiners.size());
  for (const Combiner combiner : by_likelihood) {
    if (combiner == s.bag.combine || !is_told(combiner, s.bag.dtype)) continue;
    Bag other = s.bag;
    other.combine = combiner;
    other.collisions = Collisions::any;
    if (!explains(other, s)) continue;
    if (combiner == Combiner::assign)
      return Diagnosis{.kind = Kind::assigned_instead_of_combined,
                       .subject = std::string(name(s.bag.combine))};
    return Diagnosis{.kind = Kind::other_combiner,
                     .subject = fmt::format("{}_instead_of_{}", name(combiner), name(s.bag.combine))};
  }
  return std::nullopt;
}

Suspicion start_misjudged(const Suspect& s) {
  if (!s.bag.start || s.bag.combine == Combiner::assign) return std::nullopt;
  Bag other = s.bag;
  other.start_counts = !s.bag.start_counts;
  return when(explains(other, s), s.bag.start_counts ? Kind::start_left_out : Kind::start_counted);
}

Suspicion doubled(const Suspect& s) {
  const Bag twice = with_contributions(s.bag, [](const Cell& cell) {
    std::vector<Contribution> all = copy_of(cell);
    all.insert(all.end(), cell.contributions.begin(), cell.contributions.end());
    return all;
  });
  return when(explains(twice, s), Kind::counted_twice);
}

/// Means only: an extra zero leaves the sum alone and raises the count; two values merged into one keep the
/// sum and lower the count.
Suspicion miscounted(const Suspect& s) {
  if (s.bag.combine != Combiner::mean) return std::nullopt;
  const Bag more = with_contributions(s.bag, [&](const Cell& cell) {
    std::vector<Contribution> all = copy_of(cell);
    if (cell.touched()) all.push_back({convert(Scalar::of_int(0), s.bag.dtype), {}, 0});
    return all;
  });
  if (explains(more, s)) return Diagnosis{.kind = Kind::mean_of_one_too_many};
  if (is_integer(s.bag.dtype)) return std::nullopt;
  bool merged_all = true;
  const Bag fewer = with_contributions(s.bag, [&](const Cell& cell) {
    std::vector<Contribution> all = copy_of(cell);
    if (all.empty()) return all;
    const bool with_start = cell.start_takes_part();
    if (!with_start && all.size() < 2) merged_all = false;
    if (!merged_all) return all;
    const Scalar other = with_start ? cell.start() : all.back().value;
    all.front().value = convert(
        Scalar::of_complex(all.front().value.real() + other.real(), all.front().value.imag() + other.imag()),
        s.bag.dtype);
    if (!with_start) all.pop_back();
    return all;
  });
  if (!merged_all) return std::nullopt;
  Bag judged = fewer;
  if (s.bag.start_counts) judged.start_counts = false;
  return when(explains(judged, s), Kind::mean_of_one_too_few);
}

Suspicion narrowed(const Suspect& s) {
  constexpr std::array<std::pair<DType, DType>, 9> narrower = {{{DType::f64, DType::f32},
                                                                {DType::f64, DType::f16},
                                                                {DType::f64, DType::bf16},
                                                                {DType::f32, DType::f16},
                                                                {DType::f32, DType::bf16},
                                                                {DType::c128, DType::c64},
                                                                {DType::i64, DType::i32},
                                                                {DType::i64, DType::i16},
                                                                {DType::i32, DType::i16}}};
  for (const auto& [wide, narrow] : narrower) {
    if (wide != s.bag.dtype) continue;
    if (!s.actual.all([&](const Scalar& v) { return fits(v, narrow); })) continue;
    const Bag rounded =
        with_values(s.bag, narrow, [&](const Scalar& value) { return convert(value, narrow); });
    if (explains(rounded, s)) return Diagnosis{.kind = Kind::narrowed, .subject = std::string(name(narrow))};
  }
  return std::nullopt;
}

/// Looks for one contribution in each failing cell whose loss, or whose double count, explains that cell.
Suspicion one_contribution(const Suspect& s, bool lost) {
  constexpr std::size_t most_tried = 64;
  for (const std::int64_t index : s.failing) {
    const Cell cell = cell_at(s.bag, index);
    const std::size_t count = cell.contributions.size();
    if (count == 0 || count > most_tried || (lost && count == 1 && !s.bag.start)) return std::nullopt;
    bool found = false;
    for (std::size_t k = 0; k < count && !found; ++k) {
      WorkLimit::step();
      std::vector<Contribution> edited = copy_of(cell);
      if (lost)
        edited.erase(edited.begin() + static_cast<std::ptrdiff_t>(k));
      else
        edited.push_back(edited[k]);
      found = allowed_in({&s.bag, index, edited}).holds(s.actual[static_cast<std::size_t>(index)]);
    }
    if (!found) return std::nullopt;
  }
  return Diagnosis{.kind = lost ? Kind::one_value_lost : Kind::one_value_counted_twice};
}
Suspicion one_lost(const Suspect& s) { return one_contribution(s, true); }
Suspicion one_doubled(const Suspect& s) { return one_contribution(s, false); }

bool is_subnormal(const Scalar& value, DType dtype) {
  if (value.is_integral()) return false;
  const double smallest = std::ldexp(1, float_format(dtype).min_exponent);
  const auto is_small = [&](double part) { return part != 0 && std::abs(part) < smallest; };
  return is_small(value.real()) || is_small(value.imag());
}

/// Floats: each wrong cell is zero where a subnormal number is due, or the result of operands that are
/// zero instead; of a comparison, that operand as it was.
Suspicion flushed(const Suspect& s) {
  if (!is_float(s.bag.dtype)) return std::nullopt;
  const bool compares = s.bag.combine == Combiner::amax || s.bag.combine == Combiner::amin;
  const Scalar zero = convert(Scalar::of_int(0), s.bag.dtype);
  const Bag flushed_bag = with_values(s.bag, s.bag.dtype, [&](const Scalar& value) {
    return is_subnormal(value, s.bag.dtype) ? zero : value;
  });
  const auto is_flushed = [&](std::int64_t index) {
    const Scalar value = s.actual[static_cast<std::size_t>(index)];
    const Cell cell = cell_at(s.bag, index);
    const Allowed due = cell.touched() ? allowed_in(cell) : Allowed{.listed = {cell.start()}};
    const auto& listed = due.listed;
    if (is_all_zero(value) &&
        std::ranges::any_of(listed, [&](const Scalar& one) { return is_subnormal(one, s.bag.dtype); }))
      return true;
    const FewScalars values = operands(cell);
    const auto is_value = [&](const Scalar& one) { return identical(one, value); };
    const bool is_kept =
        compares && is_subnormal(value, s.bag.dtype) && std::ranges::any_of(values, is_value);
    return std::ranges::any_of(values, [&](const Scalar& one) { return is_subnormal(one, s.bag.dtype); }) &&
           allowed_in(cell_at(flushed_bag, index)).holds(is_kept ? zero : value);
  };
  return when(std::ranges::all_of(s.failing, is_flushed), Kind::flushed_to_zero);
}

/// Largest and smallest of 64 bits: each wrong cell holds one that is extreme as far as 32 bits tell.
Suspicion compared_narrowly(const Suspect& s) {
  const bool largest = s.bag.combine == Combiner::amax;
  if (!largest && s.bag.combine != Combiner::amin) return std::nullopt;
  if (s.bag.dtype != DType::i64 && s.bag.dtype != DType::f64) return std::nullopt;
  const DType narrow = s.bag.dtype == DType::i64 ? DType::i32 : DType::f32;
  const auto narrowed = [&](const Scalar& value) {
    const Scalar one = convert(value, narrow);
    return one.is_integral() ? static_cast<double>(one.integer()) : one.real();
  };
  const auto is_extreme = [&](std::int64_t index) {
    const Scalar value = s.actual[static_cast<std::size_t>(index)];
    const FewScalars values = operands(cell_at(s.bag, index));
    const auto is_it = [&](const Scalar& one) { return identical(one, value); };
    return std::ranges::any_of(values, is_it) && std::ranges::all_of(values, [&](const Scalar& one) {
             return largest ? narrowed(one) <= narrowed(value) : narrowed(one) >= narrowed(value);
           });
  };
  if (!std::ranges::all_of(s.failing, is_extreme)) return std::nullopt;
  return Diagnosis{.kind = Kind::compared_narrowly, .subject = std::string(name(narrow))};
}

/// Means: a count of 8 or 16 bits begins again, and one in the data's own 16-bit dtype stops where adding one
/// changes nothing.
struct NarrowCount {
  std::string_view name;
  double (*count)(double right, DType dtype);  ///< 0: it does not apply
};
constexpr NarrowCount narrow_counts[] = {
    {"8_bits", [](double right, DType) { return std::fmod(right, 256); }},
    {"16_bits", [](double right, DType) { return std::fmod(right, 65536); }},
    {"the_own_dtype",
     [](double right, DType dtype) {
       const bool is_narrow = dtype == DType::f16 || dtype == DType::bf16;
       return is_narrow ? std::min(right, std::ldexp(1, float_format(dtype).precision)) : 0;
     }},
};

/// Whether a cell holds the sum divided by this count, and not by the right one.
bool is_divided_by(const Suspect& s, std::int64_t index, const NarrowCount& narrow) {
  const FewScalars values = operands(cell_at(s.bag, index));
  const auto right = static_cast<double>(values.size());
  const double wrong = narrow.count(right, s.bag.dtype);
  if (wrong < 1 || wrong >= right) return false;
  const auto divisor = [&](double count) {
    return s.bag.combine == Combiner::sum_over_root ? std::sqrt(count) : count;
  };
  const auto real = [](const Scalar& value) {
    return value.is_integral() ? static_cast<double>(value.integer()) : value.real();
  };
  double sum = 0;
  for (const Scalar& value : values) sum += real(value);
  const double found = real(s.actual[static_cast<std::size_t>(index)]), quotient = sum / divisor(wrong);
  const double error = is_float(s.bag.dtype)
                           ? 4 * std::abs(quotient) * std::ldexp(1, -float_format(s.bag.dtype).precision)
                           : 1;
  return std::abs(found - quotient) <= error && std::abs(found - sum / divisor(right)) > error;
}

Suspicion counted_narrowly(const Suspect& s) {
  const bool of_mean = s.bag.combine == Combiner::mean && is_integer(s.bag.dtype);
  const bool divides = s.bag.combine == Combiner::mean || s.bag.combine == Combiner::sum_over_root;
  if (!of_mean && !(divides && is_float(s.bag.dtype))) return std::nullopt;
  for (const NarrowCount& narrow : narrow_counts)
    if (std::ranges::all_of(s.failing, [&](std::int64_t cell) { return is_divided_by(s, cell, narrow); }))
      return Diagnosis{.kind = Kind::counted_narrowly, .subject = std::string(narrow.name)};
  return std::nullopt;
}

using Vice = Suspicion (*)(const Suspect&);
/// From the plainest to the most contrived: the first that fit are reported.
constexpr std::array vices = std::to_array<Vice>(
    {nan_forgotten,    start_unchanged, tail_left_out,  flushed,         compared_narrowly, all_zero,
     transposed,       first_wins,      other_combiner, one_alone,       start_misjudged,   doubled,
     counted_narrowly, miscounted,      wrong_axis,     written_one_off, read_one_off,      clamped,
     narrowed,         one_lost,        one_doubled});

}  // namespace

bool explains(const Bag& changed, const Suspect& s) {
  const Scalar zero = convert(Scalar::of_int(0), changed.dtype);
  const auto is_sharp = [&](std::int64_t index) {
    const Allowed allowed = allowed_in(cell_at(changed, index));
    return !allowed.region || !allowed.region->holds(zero);
  };
  return explains(changed, s.actual) && std::ranges::all_of(s.failing, is_sharp);
}

bool is_transposed(const Bag& bag, const Shape& actual_shape, const Elements& actual) {
  if (bag.shape.size() < 2 ||
      !std::equal(bag.shape.begin(), bag.shape.end(), actual_shape.rbegin(), actual_shape.rend()))
    return false;
  Tensor turned(bag.dtype, bag.shape);
  for (std::size_t i = 0; i < actual.size(); ++i) {
    Coords at = coords_of(static_cast<std::int64_t>(i), actual_shape);
    std::reverse(at.begin(), at.end());
    turned.set(at, actual[i]);
  }
  return explains(bag, Elements(turned));
}

bool is_written_by(const Suspect& suspect, const Shape& strides) {
  const std::int64_t cells = numel(suspect.bag.shape);
  const Bag moved =
      with_targets(suspect.bag, [&](std::int64_t cell, const Contribution&) -> std::optional<std::int64_t> {
        const Coords at = coords_of(cell, suspect.bag.shape);
        std::int64_t place = 0;
        for (std::size_t d = 0; d < at.size(); ++d) place += at[d] * strides[d];
        return place >= 0 && place < cells ? std::optional(place) : std::nullopt;
      });
  return explains(moved, suspect) && !start_unchanged(suspect);
}

std::vector<Diagnosis> wrong_meanings(const Suspect& suspect) {
  // Each vice copies the bag a few times: beyond this size a name is not worth the wait. The first one does
  // so only if every wrong cell has a NaN, which is then the likely cause.
  constexpr std::size_t most = 1u << 16, most_of_first = 1u << 22;
  const std::size_t size = suspect.bag.list.size() + suspect.actual.size();
  if (size > most_of_first) return {};
  std::vector<Diagnosis> found;
  for (const Vice vice : std::span(vices).first(size > most ? 1 : vices.size())) {
    if (auto suspicion = vice(suspect)) found.push_back(*std::move(suspicion));
    if (found.size() == 2) break;
  }
  if (found.empty() || found.front().kind != Kind::writes_lost) return found;
  if (auto tail = tail_left_out(suspect, true)) found.push_back(*std::move(tail));
  return found;
}

Diagnosis about_cells(const Suspect& suspect) {
  const auto all = [&](auto&& holds) {
    return std::ranges::all_of(suspect.failing, [&](std::int64_t index) {
      return holds(cell_at(suspect.bag, index), suspect.actual[static_cast<std::size_t>(index)]);
    });
  };
  if (all([](const Cell& cell, const Scalar&) { return !cell.touched(); }))
    return {.kind = Kind::cells_untouched};
  if (suspect.bag.start && all([](const Cell& cell, const Scalar& actual) {
        return cell.touched() && identical(cell.start(), actual);
      }))
    return {.kind = Kind::cells_kept_start};
  return {.kind = Kind::cells_other};
}

}  // namespace scatterproof::spec::judging
