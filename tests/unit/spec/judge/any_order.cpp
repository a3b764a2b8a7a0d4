// SPDX-License-Identifier: Apache-2.0
// Data of every kind, and an engine that combines it correctly in a random way. Knows nothing of the judge.
#include <algorithm>
#include <limits>

#include "trials.hpp"

namespace scatterproof::spec::testing {
namespace {

double real(DType dtype, double value) {
  const DType part = dtype == DType::c64 ? DType::f32 : dtype == DType::c128 ? DType::f64 : dtype;
  return convert(Scalar::of_real(value), part).real();
}

double draw_real(Random& random, DType dtype, int kind) {
  const FloatFormat format = float_format(dtype);
  const double sign = coin(random) ? 1 : -1;
  const auto scaled = [&](std::int64_t low, std::int64_t high) {
    return real(dtype,
                sign * std::ldexp(uniform(random, 1, 2), static_cast<int>(integer(random, low, high))));
  };
  switch (kind) {
    case 0:
      return static_cast<double>(integer(random, -9, 9));
    case 1:
      return real(dtype, uniform(random, -1, 1));
    case 2:
      return real(dtype, uniform(random, 0, 1));
    case 3:
      return scaled(-12, 12);
    case 4:
      return scaled(format.max_exponent - 3, format.max_exponent);
    case 5:
      return scaled(format.min_exponent - format.precision, format.min_exponent + 2);
    case 6:
      return scaled(format.min_exponent - 2, format.max_exponent);
    case 7:
      return real(dtype,
                  sign * (1 + std::ldexp(static_cast<double>(integer(random, -4, 4)), -format.precision)));
    case 8:
      return coin(random) ? sign * 0.0 : scaled(-2, 2);
    default: {
      constexpr double inf = std::numeric_limits<double>::infinity();
      const double specials[] = {inf, -inf, std::nan(""), 0.0, -0.0, 1, -3};
      return specials[integer(random, 0, 6)];
    }
  }
}

/// How the engine computes: every operation rounds to `step`, and again to the dtype if it is told to; the
/// end result is rounded to the dtype.
struct Machine {
  enum class Step { own, f32, f64, extended } step = Step::own;
  DType dtype = DType::f32;
  bool rounds_each = false;  ///< a wide operation, rounded back at once
  bool flushes = false;      ///< subnormal operands and results become zero
  bool reciprocal = false;   ///< divides by multiplying

  double flushed(double value) const {
    const double smallest = std::ldexp(1.0, float_format(dtype).min_exponent);
    return flushes && std::abs(value) < smallest ? std::copysign(0.0, value) : value;
  }
  double stepped(long double value) const {
    switch (step) {
      case Step::f32:
        return static_cast<double>(static_cast<float>(value));
      case Step::own:
        return flushed(real(dtype, static_cast<double>(value)));
      default:
        return static_cast<double>(value);
    }
  }
  /// One operation. A double holds every wide result but the extended one, which is only ever rounded at
  /// once.
  /// '+', '*' or '/'; or 'r', the square root of a.
  template <class Number>
  static Number exact(char op, Number a, Number b) {
    return op == '+' ? a + b : op == '*' ? a * b : op == '/' ? a / b : std::sqrt(a);
  }

  double operate(char op, double a, double b) const {
    a = flushed(a);
    b = flushed(b);
    if (step == Step::extended) return flushed(static_cast<double>(exact<long double>(op, a, b)));
    const double result = stepped(exact(op, a, b));
    return rounds_each ? flushed(real(dtype, result)) : result;
  }
};

Machine draw_machine(Random& random, DType dtype, bool wide_only) {
  Machine machine;
  machine.dtype = dtype;
  const bool sixteen = dtype == DType::f16 || dtype == DType::bf16;
  const bool largest = dtype == DType::f64 || dtype == DType::c128;
  if (sixteen && (wide_only || coin(random)))
    machine.step = coin(random) ? Machine::Step::f32 : Machine::Step::f64;
  else if (!largest && coin(random))
    machine.step = Machine::Step::f64;
  else if (largest && coin(random))
    machine.step = Machine::Step::extended;
  machine.rounds_each = !wide_only && coin(random);
  machine.flushes = dtype != DType::f16 && integer(random, 0, 3) == 0;
  machine.reciprocal = coin(random);
  return machine;
}

/// Combines a shuffled list pairwise in a random tree.
template <class Value, class Operation>
Value in_random_tree(Random& random, std::vector<Value> values, const Operation& operation) {
  std::shuffle(values.begin(), values.end(), random);
  const bool sequential = coin(random);
  while (values.size() > 1) {
    const auto last = static_cast<std::int64_t>(values.size()) - 2;
    const auto at = static_cast<std::ptrdiff_t>(sequential ? 0 : integer(random, 0, last));
    values[static_cast<std::size_t>(at)] =
        operation(values[static_cast<std::size_t>(at)], values[static_cast<std::size_t>(at) + 1]);
    values.erase(values.begin() + at + 1);
  }
  return values.front();
}

/// A sum, and perhaps what it is divided by.
double divided_sum(Random& random, const Machine& machine, Combiner combine, std::vector<double> values) {
  const bool divides = combine != Combiner::sum;
  double divisor = static_cast<double>(values.size());
  if (combine == Combiner::sum_over_root) divisor = machine.operate('r', divisor, divisor);
  if (coin(random)) values.push_back(0);  // an engine may start from zero
  double total = in_random_tree(random, std::move(values),
                                [&](double a, double b) { return machine.operate('+', a, b); });
  if (divides && coin(random)) total = real(machine.dtype, total);  // it may round before it divides
  if (divides && machine.reciprocal) total = machine.operate('*', total, machine.operate('/', 1, divisor));
  if (divides && !machine.reciprocal) total = machine.operate('/', total, divisor);
  return machine.flushed(real(machine.dtype, total));
}

double product(Random& random, const Machine& machine, std::vector<double> values) {
  if (coin(random)) values.push_back(1);
  const double result = in_random_tree(random, std::move(values),
                                       [&](double a, double b) { return machine.operate('*', a, b); });
  return machine.flushed(real(machine.dtype, result));
}

/// The first value divided by each of the others: one after the other, by products of some, or by their
/// reciprocals.
double quotient(Random& random, const Machine& machine, std::vector<double> values) {
  double result = values.front();
  values.erase(values.begin());
  std::shuffle(values.begin(), values.end(), random);
  while (!values.empty()) {
    const double divisor = values.back();
    values.pop_back();
    if (const auto way = integer(random, 0, 2); way == 0 && !values.empty())
      values.back() = machine.operate('*', values.back(), divisor);
    else if (way == 1)
      result = machine.operate('*', result, machine.operate('/', 1, divisor));
    else
      result = machine.operate('/', result, divisor);
  }
  return machine.flushed(real(machine.dtype, result));
}

Scalar complex_product(Random& random, const Machine& machine, const Values& values) {
  const Scalar result = in_random_tree(random, values, [&](const Scalar& a, const Scalar& b) {
    const auto times = [&](double x, double y) { return machine.operate('*', x, y); };
    const double re = machine.operate('+', times(a.real(), b.real()), -times(a.imag(), b.imag()));
    const double im = machine.operate('+', times(a.real(), b.imag()), times(a.imag(), b.real()));
    return Scalar::of_complex(re, im);
  });
  return convert(result, machine.dtype);
}

double extreme(Random& random, bool largest, NanPolicy nan, std::vector<double> values) {
  const bool ignore = nan == NanPolicy::ignore;
  return in_random_tree(random, std::move(values), [&](double a, double b) {
    if (nan == NanPolicy::open && (std::isnan(a) || std::isnan(b))) return coin(random) ? a : b;
    if (std::isnan(a) || std::isnan(b)) return ignore ? (std::isnan(a) ? b : a) : std::nan("");
    return (largest ? a > b : a < b) ? a : b;
  });
}

std::vector<double> part(const Values& values, bool imaginary) {
  std::vector<double> numbers;
  for (const Scalar& value : values) numbers.push_back(imaginary ? value.imag() : value.real());
  return numbers;
}

}  // namespace

Values draw_values(Random& random, DType dtype, std::size_t count) {
  const int kind = static_cast<int>(integer(random, 0, 10));  // 10: every value of its own kind
  Values values;
  for (std::size_t i = 0; i < count; ++i) {
    const auto draw = [&] {
      return draw_real(random, dtype, kind < 10 ? kind : static_cast<int>(integer(random, 0, 8)));
    };
    const double re = draw();
    values.push_back(is_complex(dtype) ? Scalar::of_complex(re, draw()) : Scalar::of_real(re));
    // Now and then a value that takes the last one back.
    if (integer(random, 0, 5) == 0 && i > 0)
      values.back() = is_complex(dtype) ? Scalar::of_complex(-values[i - 1].real(), -values[i - 1].imag())
                                        : Scalar::of_real(-values[i - 1].real());
  }
  return values;
}

Scalar combine_somehow(Random& random, DType dtype, Combiner combine, NanPolicy nan, bool wide_only,
                       const Values& values) {
  const Machine machine = draw_machine(random, dtype, wide_only);
  if (combine == Combiner::amax || combine == Combiner::amin)
    return Scalar::of_real(extreme(random, combine == Combiner::amax, nan, part(values, false)));
  if (combine == Combiner::quotient) return Scalar::of_real(quotient(random, machine, part(values, false)));
  if (combine == Combiner::prod)
    return is_complex(dtype) ? complex_product(random, machine, values)
                             : Scalar::of_real(product(random, machine, part(values, false)));
  const double re = divided_sum(random, machine, combine, part(values, false));
  if (!is_complex(dtype)) return Scalar::of_real(re);
  return Scalar::of_complex(re, divided_sum(random, machine, combine, part(values, true)));
}

}  // namespace scatterproof::spec::testing
