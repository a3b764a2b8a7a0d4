// SPDX-License-Identifier: Apache-2.0
// One element's value, exactly: every value of every dtype fits without rounding.
#pragma once

#include <complex>
#include <cstdint>
#include <string>

#include "scatterproof/spec/core/dtype.hpp"

namespace scatterproof::spec {

/// A number as the documents mean it, free of dtype. Integers (and bool, as 0/1) are held in 64 bits, all
/// float dtypes exactly in a double, complex ones in a pair of doubles.
class Scalar {
 public:
  enum class Kind : std::uint8_t { boolean, integer, real, complex };

  constexpr Scalar() = default;
  static constexpr Scalar of_bool(bool v) { return {Kind::boolean, v ? 1 : 0, 0, 0}; }
  static constexpr Scalar of_int(std::int64_t v) { return {Kind::integer, v, 0, 0}; }
  static constexpr Scalar of_real(double v) { return {Kind::real, 0, v, 0}; }
  static constexpr Scalar of_complex(double re, double im) { return {Kind::complex, 0, re, im}; }

  constexpr Kind kind() const { return kind_; }
  constexpr bool is_integral() const { return kind_ == Kind::boolean || kind_ == Kind::integer; }
  constexpr std::int64_t integer() const { return integer_; }  ///< precondition: is_integral()
  /// The real part as a double; integers are converted (rounded above 2^53).
  constexpr double real() const { return is_integral() ? static_cast<double>(integer_) : real_; }
  constexpr double imag() const { return imag_; }

  /// Same kind and same value bit for bit, except that all NaNs are one; -0.0 and +0.0 differ.
  friend bool identical(const Scalar& a, const Scalar& b);

 private:
  constexpr Scalar(Kind k, std::int64_t i, double re, double im)
      : integer_(i), real_(re), imag_(im), kind_(k) {}
  std::int64_t integer_ = 0;
  double real_ = 0;
  double imag_ = 0;
  Kind kind_ = Kind::integer;
};

bool identical(const Scalar& a, const Scalar& b);

/// Shortest text that reads back to the same value: `7`, `-0.0`, `nan`, `inf`, `0.1`, `1+2j`, `true`.
/// With a float dtype, the shortest that reads back to the same value *in that dtype*.
std::string to_string(const Scalar& value);
std::string to_string(const Scalar& value, DType dtype);

/// Conversion into a dtype as C does it: floats round to nearest even (overflow to infinity), integers wrap,
/// real to integer truncates toward zero, anything non-zero becomes true. The result has the dtype's kind.
Scalar convert(const Scalar& value, DType dtype);

/// True when `convert` loses nothing: the value is representable in `dtype` (NaN counts as representable in
/// floats).
bool fits(const Scalar& value, DType dtype);

/// True when the dtype has the value, or one that it is rounded to. False for integers and bool beyond their
/// range or with a fraction, for finite numbers that overflow, and for an imaginary part in a real dtype.
bool in_range(const Scalar& value, DType dtype);

}  // namespace scatterproof::spec
