// SPDX-License-Identifier: Apache-2.0
// Faults in how a start value and arrivals make one number.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "fault.hpp"

namespace scatterproof::engines::faulty {
namespace {

using Cells = std::vector<Cell>;

bool is_mean(const Combining& terms) { return terms.combine == Combiner::mean; }
bool is_extreme(const Combining& terms) {
  return terms.combine == Combiner::amax || terms.combine == Combiner::amin;
}

bool is_nan(const Scalar& value) { return !value.is_integral() && std::isnan(value.real()); }

/// Puts one more value before what a touched cell receives, instead of its start.
void begin_with(Cells& cells, Combining& terms, const Scalar& value) {
  if (terms.include_start) return;
  for (Cell& cell : cells)
    if (!cell.received.empty())
      cell.received.insert(cell.received.begin(), spec::convert(value, terms.dtype));
}

/// The correct step, on numbers that are changed first.
template <class Change>
Scalar step_of(const Scalar& a, const Scalar& b, const Combining& terms, Change change) {
  return plain_step(change(a), change(b), terms);
}

double smallest_normal(DType dtype) { return std::ldexp(1.0, spec::float_format(dtype).min_exponent); }

double greatest(DType dtype) {
  const auto format = spec::float_format(dtype);
  return std::ldexp(2.0 - std::ldexp(1.0, 1 - format.precision), format.max_exponent);
}

/// The sum or product without the wrap: at the end of the range it stays there.
Scalar saturating(const Scalar& a, const Scalar& b, const Combining& terms) {
  if (!spec::is_integer(terms.dtype)) return plain_step(a, b, terms);
  const auto range = spec::integer_range(terms.dtype);
  const bool multiplies = terms.combine == Combiner::prod;
  const double wide = multiplies ? a.real() * b.real() : a.real() + b.real();
  if (is_extreme(terms)) return plain_step(a, b, terms);
  if (wide > static_cast<double>(range.highest)) return Scalar::of_int(range.highest);
  if (wide < static_cast<double>(range.lowest)) return Scalar::of_int(range.lowest);
  return plain_step(a, b, terms);
}

Scalar rounded_up(const Scalar& sum, std::int64_t count, const Combining& terms) {
  if (!spec::is_integer(terms.dtype) || count == 0) return plain_divide(sum, count, terms);
  return Scalar::of_int(sum.integer() / count + (sum.integer() % count > 0 ? 1 : 0));
}

/// A mean that divides by its count as this type, or a counter that stays at a limit, holds it.
template <class Count>
Scalar divided_by(const Scalar& sum, std::int64_t count, const Combining& terms) {
  return plain_divide(sum, static_cast<Count>(count), terms);
}
template <std::int64_t most>
Scalar divided_by_at_most(const Scalar& sum, std::int64_t count, const Combining& terms) {
  return plain_divide(sum, std::min(count, most), terms);
}

/// What NaN is when numbers are compared as integers of the same bits.
bool is_negative_nan(const Scalar& value) { return is_nan(value) && std::signbit(value.real()); }

constexpr Fault arithmetic_table[] = {
    in_combine("start-ignored", "The start value is left out of a touched cell though it counts.",
               [](Cells&, Combining& terms) { terms.include_start = false; }),
    in_combine("start-counted", "The start value takes part in a touched cell though it does not count.",
               [](Cells&, Combining& terms) { terms.include_start = true; }),
    in_combine("start-inverted", "Whether the start value counts is read the wrong way round.",
               [](Cells&, Combining& terms) { terms.include_start = !terms.include_start; }),
    in_combine("start-for-duplicates-only", "The start value counts only where several values arrive.",
               [](Cells& cells, Combining& terms) {
                 if (!terms.include_start || terms.combine == Combiner::assign) return;
                 terms.include_start = false;
                 for (Cell& cell : cells)
                   if (cell.received.size() > 1) cell.received.insert(cell.received.begin(), cell.start);
               }),
    in_combine("start-for-single-values-only", "The start value counts only where one value arrives.",
               [](Cells& cells, Combining& terms) {
                 if (!terms.include_start || terms.combine == Combiner::assign) return;
                 terms.include_start = false;
                 for (Cell& cell : cells)
                   if (cell.received.size() == 1) cell.received.insert(cell.received.begin(), cell.start);
               }),
    in_combine("start-counted-twice", "The start value takes part twice.",
               [](Cells& cells, Combining& terms) {
                 if (terms.include_start)
                   for (Cell& cell : cells)
                     if (!cell.received.empty()) cell.received.push_back(cell.start);
               }),
    in_combine("prod-begins-at-zero", "A product without a start value begins at 0.",
               [](Cells& cells, Combining& terms) {
                 if (terms.combine == Combiner::prod) begin_with(cells, terms, Scalar::of_int(0));
               }),
    in_combine("sum-begins-at-one", "A sum without a start value begins at 1.",
               [](Cells& cells, Combining& terms) {
                 if (terms.combine == Combiner::sum) begin_with(cells, terms, Scalar::of_int(1));
               }),
    in_combine("max-begins-at-zero", "A maximum without a start value begins at 0.",
               [](Cells& cells, Combining& terms) {
                 if (terms.combine == Combiner::amax) begin_with(cells, terms, Scalar::of_int(0));
               }),
    in_combine("min-begins-at-zero", "A minimum without a start value begins at 0.",
               [](Cells& cells, Combining& terms) {
                 if (terms.combine == Combiner::amin) begin_with(cells, terms, Scalar::of_int(0));
               }),
    in_combine("max-begins-at-smallest-positive", "A maximum of floats begins at the smallest normal number.",
               [](Cells& cells, Combining& terms) {
                 if (terms.combine == Combiner::amax && spec::is_float(terms.dtype))
                   begin_with(cells, terms, Scalar::of_real(smallest_normal(terms.dtype)));
               }),
    in_combine("max-begins-at-lowest-finite",
               "A maximum of floats begins at the lowest finite number, not at -inf.",
               [](Cells& cells, Combining& terms) {
                 if (terms.combine == Combiner::amax && spec::is_float(terms.dtype))
                   begin_with(cells, terms, Scalar::of_real(-greatest(terms.dtype)));
               }),
    in_combine("identity-leaks",
               "Without start values in touched cells, untouched ones get the identity: -inf, inf, 0 or 1.",
               [](Cells& cells, Combining& terms) {
                 if (terms.include_start || !spec::is_float(terms.dtype)) return;
                 const double infinity = std::numeric_limits<double>::infinity();
                 const double identity = terms.combine == Combiner::amax   ? -infinity
                                         : terms.combine == Combiner::amin ? infinity
                                         : terms.combine == Combiner::prod ? 1
                                                                           : 0;
                 for (Cell& cell : cells)
                   if (cell.received.empty()) cell.start = Scalar::of_real(identity);
               }),
    in_combine("mean-counts-start-always",
               "A mean's count includes the start value even where its sum does not.",
               [](Cells&, Combining& terms) { terms.count_surplus = terms.include_start ? 0 : 1; }),
    in_combine("mean-never-counts-start", "A mean's count leaves out the start value that its sum includes.",
               [](Cells&, Combining& terms) { terms.count_surplus = terms.include_start ? -1 : 0; }),
    in_combine("mean-count-one-more", "A mean divides by one too many.",
               [](Cells&, Combining& terms) { terms.count_surplus = 1; }),
    in_combine("mean-count-in-8-bits", "A mean counts in 8 bits: 256 is 0.",
               [](Cells&, Combining& terms) { terms.divide = divided_by<std::uint8_t>; }),
    in_combine("mean-count-in-16-bits", "A mean counts in 16 bits: 65,536 is 0.",
               [](Cells&, Combining& terms) { terms.divide = divided_by<std::uint16_t>; }),
    in_combine("mean-count-in-bf16", "A mean counts in bf16, in which 256 and 1 are 256.",
               [](Cells&, Combining& terms) { terms.divide = divided_by_at_most<256>; }),
    in_combine("mean-count-in-f16", "A mean counts in f16, in which 2,048 and 1 are 2,048.",
               [](Cells&, Combining& terms) { terms.divide = divided_by_at_most<2048>; }),
    in_combine("mean-not-divided", "A mean is left a sum.",
               [](Cells&, Combining& terms) {
                 if (is_mean(terms)) terms.combine = Combiner::sum;
               }),
    in_combine("mean-of-the-last-two",
               "A mean is taken step by step: the mean so far and the next value, halved.",
               [](Cells&, Combining& terms) {
                 if (!is_mean(terms)) return;
                 terms.step = [](const Scalar& a, const Scalar& b, const Combining& t) {
                   return spec::convert(plain_divide(plain_step(a, b, t), 2, t), t.dtype);
                 };
                 terms.divide = [](const Scalar& sum, std::int64_t, const Combining&) { return sum; };
               }),
    in_combine("mean-truncates", "The mean of integers is cut off toward zero.",
               [](Cells&, Combining& terms) { terms.integer_mean = spec::IntegerMean::truncate; }),
    in_combine("mean-rounds-up", "The mean of integers is rounded up.",
               [](Cells&, Combining& terms) { terms.divide = rounded_up; }),
    in_combine("f32-in-f16", "f32 is accumulated in f16.",
               [](Cells&, Combining& terms) {
                 if (terms.dtype == DType::f32) terms.accumulator = DType::f16;
               }),
    in_combine("f64-in-f32", "f64 is accumulated in f32.",
               [](Cells&, Combining& terms) {
                 if (terms.dtype == DType::f64) terms.accumulator = DType::f32;
               }),
    in_combine("f16-in-bf16", "f16 is accumulated in bf16, which has three bits less.",
               [](Cells&, Combining& terms) {
                 if (terms.dtype == DType::f16) terms.accumulator = DType::bf16;
               }),
    in_combine("c128-in-c64", "c128 is accumulated in c64.",
               [](Cells&, Combining& terms) {
                 if (terms.dtype == DType::c128) terms.accumulator = DType::c64;
               }),
    in_combine("i64-in-i32", "i64 is accumulated in 32 bits.",
               [](Cells&, Combining& terms) {
                 if (terms.dtype == DType::i64) terms.accumulator = DType::i32;
               }),
    in_combine("i32-in-i16", "i32 is accumulated in 16 bits.",
               [](Cells&, Combining& terms) {
                 if (terms.dtype == DType::i32) terms.accumulator = DType::i16;
               }),
    in_combine("i64-in-double", "i64 is accumulated in a double, exact to 53 bits only.",
               [](Cells&, Combining& terms) {
                 if (terms.dtype == DType::i64) terms.accumulator = DType::f64;
               }),
    in_combine("integer-saturates", "Integers stay at the end of their range instead of wrapping.",
               [](Cells&, Combining& terms) { terms.step = saturating; }),
    in_combine("u8-signed", "u8 is compared and divided as if it were signed.",
               [](Cells&, Combining& terms) {
                 if (terms.dtype == DType::u8) terms.accumulator = DType::i8;
                 if (terms.dtype != DType::u8 || !is_extreme(terms)) return;
                 terms.step = [](const Scalar& a, const Scalar& b, const Combining& t) {
                   return step_of(a, b, t, [](const Scalar& x) { return spec::convert(x, DType::i8); });
                 };
               }),
    in_combine("signed-compared-unsigned", "Signed integers are compared as if they had no sign.",
               [](Cells&, Combining& terms) {
                 if (!spec::is_integer(terms.dtype) || !is_extreme(terms)) return;
                 terms.step = [](const Scalar& a, const Scalar& b, const Combining& t) {
                   const bool less =
                       static_cast<std::uint64_t>(a.integer()) < static_cast<std::uint64_t>(b.integer());
                   return less == (t.combine == Combiner::amax) ? b : a;
                 };
               }),
    in_combine("bool-sum-as-integer", "Truth values are added in one bit: true and true is false.",
               [](Cells&, Combining& terms) {
                 if (terms.dtype != DType::boolean || terms.combine != Combiner::sum) return;
                 terms.step = [](const Scalar& a, const Scalar& b, const Combining&) {
                   return Scalar::of_bool((a.integer() != 0) != (b.integer() != 0));
                 };
               }),
    in_combine("complex-conjugated", "Each factor of a complex product after the first is conjugated.",
               [](Cells&, Combining& terms) {
                 if (!spec::is_complex(terms.dtype) || terms.combine != Combiner::prod) return;
                 terms.step = [](const Scalar& a, const Scalar& b, const Combining& t) {
                   return plain_step(a, Scalar::of_complex(b.real(), -b.imag()), t);
                 };
               }),
    in_combine("complex-multiplied-by-parts",
               "A complex product multiplies real and imaginary parts each by each.",
               [](Cells&, Combining& terms) {
                 if (!spec::is_complex(terms.dtype) || terms.combine != Combiner::prod) return;
                 terms.step = [](const Scalar& a, const Scalar& b, const Combining&) {
                   return Scalar::of_complex(a.real() * b.real(), a.imag() * b.imag());
                 };
               }),
    in_settle("imaginary-dropped", "The imaginary part is lost on the way.",
              [](Scalar& cell, const Combining& terms) {
                if (spec::is_complex(terms.dtype)) cell = Scalar::of_complex(cell.real(), 0);
              }),
    in_combine("nan-blind", "A maximum or minimum passes over NaN, and gives what it held before.",
               [](Cells&, Combining& terms) {
                 if (!is_extreme(terms) || !spec::is_float(terms.dtype)) return;
                 terms.step = [](const Scalar& a, const Scalar& b, const Combining& t) {
                   if (is_nan(b)) return a;
                   return is_nan(a) ? b : plain_step(a, b, t);
                 };
               }),
    in_combine("nan-forgotten", "A maximum or minimum that holds NaN takes the next number for it.",
               [](Cells&, Combining& terms) {
                 if (!is_extreme(terms) || !spec::is_float(terms.dtype)) return;
                 terms.step = [](const Scalar& a, const Scalar& b, const Combining& t) {
                   return is_nan(a) ? b : plain_step(a, b, t);
                 };
               }),
    in_combine("negative-nan-lowest",
               "A maximum or minimum takes NaN with its sign bit set for less than every number.",
               [](Cells&, Combining& terms) {
                 if (!is_extreme(terms) || !spec::is_float(terms.dtype)) return;
                 terms.step = [](const Scalar& a, const Scalar& b, const Combining& t) {
                   const bool highest = t.combine == Combiner::amax;
                   if (is_negative_nan(a)) return highest ? b : a;
                   if (is_negative_nan(b)) return highest ? a : b;
                   return plain_step(a, b, t);
                 };
               }),
    in_combine("nan-is-zero", "A NaN that arrives is taken for 0.",
               [](Cells& cells, Combining& terms) {
                 if (!spec::is_float(terms.dtype) || terms.combine == Combiner::assign) return;
                 for (Cell& cell : cells)
                   for (Scalar& value : cell.received)
                     if (is_nan(value)) value = Scalar::of_real(0);
               }),
    in_settle("infinity-clipped", "An infinity becomes the greatest finite number.",
              [](Scalar& cell, const Combining& terms) {
                if (spec::is_float(terms.dtype) && std::isinf(cell.real()))
                  cell = Scalar::of_real(std::copysign(greatest(terms.dtype), cell.real()));
              }),
    in_settle("zero-sign-lost", "A zero of negative sign, -0, becomes +0.",
              [](Scalar& cell, const Combining& terms) {
                if (spec::is_float(terms.dtype) && cell.real() == 0) cell = Scalar::of_real(0);
              }),
    in_settle("flush-to-zero", "A subnormal number becomes 0.",
              [](Scalar& cell, const Combining& terms) {
                if (spec::is_float(terms.dtype) && std::fabs(cell.real()) < smallest_normal(terms.dtype))
                  cell = Scalar::of_real(std::copysign(0.0, cell.real()));
              }),
    in_settle("last-bit-lost", "f32 loses the last bit of its significand on the way.",
              [](Scalar& cell, const Combining& terms) {
                if (terms.dtype != DType::f32 || !std::isfinite(cell.real())) return;
                const double shrunk = spec::convert(Scalar::of_real(cell.real()), DType::f32).real();
                int exponent = 0;
                const double significand = std::frexp(shrunk, &exponent);
                cell = Scalar::of_real(std::ldexp(std::trunc(std::ldexp(significand, 23)), exponent - 23));
              }),
    in_settle("through-f32", "i64 passes through an f32 on its way.",
              [](Scalar& cell, const Combining& terms) {
                if (terms.dtype == DType::i64)
                  cell = spec::convert(spec::convert(Scalar::of_real(cell.real()), DType::f32), DType::i64);
              }),
    in_settle("i32-through-f32", "i32 passes through an f32 on its way.",
              [](Scalar& cell, const Combining& terms) {
                if (terms.dtype == DType::i32)
                  cell = spec::convert(spec::convert(Scalar::of_real(cell.real()), DType::f32), DType::i32);
              }),
    in_settle("i64-through-f64", "i64 passes through an f64 on its way.",
              [](Scalar& cell, const Combining& terms) {
                if (terms.dtype == DType::i64) cell = spec::convert(Scalar::of_real(cell.real()), DType::i64);
              }),
    in_combine("max-is-min", "The maximum is a minimum.",
               [](Cells&, Combining& terms) {
                 if (terms.combine == Combiner::amax) terms.combine = Combiner::amin;
               }),
    in_combine("max-by-magnitude", "A maximum or minimum compares without signs.",
               [](Cells&, Combining& terms) {
                 if (!is_extreme(terms) || spec::is_complex(terms.dtype)) return;
                 terms.step = [](const Scalar& a, const Scalar& b, const Combining& t) {
                   if (is_nan(a) || is_nan(b)) return plain_step(a, b, t);
                   return (std::fabs(a.real()) < std::fabs(b.real())) == (t.combine == Combiner::amax) ? b
                                                                                                       : a;
                 };
               }),
    in_combine("prod-adds", "A product is a sum.",
               [](Cells&, Combining& terms) {
                 if (terms.combine == Combiner::prod) terms.combine = Combiner::sum;
               }),
};

}  // namespace

std::span<const Fault> arithmetic_faults() { return arithmetic_table; }

}  // namespace scatterproof::engines::faulty
