// SPDX-License-Identifier: Apache-2.0
// Elements as the fast kernels hold them, and how two of them combine. Compiles for the host and, under a
// CUDA compiler, for the device. The reference has its own arithmetic.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "scatterproof/spec/core/combiner.hpp"
#include "scatterproof/spec/core/dtype.hpp"

#ifdef __CUDACC__
#define SCATTERPROOF_HD __host__ __device__
#else
#define SCATTERPROOF_HD
#endif

namespace scatterproof::engines {

/// A truth value in one byte.
struct Truth {
  std::uint8_t byte;
};
/// IEEE 754 binary16.
struct Half {
  std::uint16_t bits;
};
/// The upper half of a binary32.
struct BFloat {
  std::uint16_t bits;
};
template <class T>
struct Complex {
  T re, im;
};

template <class To, class From>
SCATTERPROOF_HD inline To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

SCATTERPROOF_HD inline float to_float(BFloat value) {
  return bits_as<float>(static_cast<std::uint32_t>(value.bits) << 16);
}

/// The exponent is rebiased by a multiplication, which also normalises subnormals.
SCATTERPROOF_HD inline float to_float(Half value) {
  const std::uint32_t sign = static_cast<std::uint32_t>(value.bits & 0x8000u) << 16;
  const std::uint32_t magnitude = static_cast<std::uint32_t>(value.bits & 0x7fffu) << 13;
  constexpr std::uint32_t infinite = 0x7c00u << 13;
  if (magnitude >= infinite) return bits_as<float>(sign | 0x70000000u | magnitude);
  return bits_as<float>(sign | bits_as<std::uint32_t>(bits_as<float>(magnitude) * 0x1p112f));
}

/// Rounds to nearest, ties to even.
SCATTERPROOF_HD inline BFloat to_bfloat(float value) {
  const auto bits = bits_as<std::uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return {static_cast<std::uint16_t>((bits >> 16) | 0x40u)};
  return {static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16)};
}

/// Rounds to nearest, ties to even; from 65520 on to infinity.
SCATTERPROOF_HD inline Half to_half(float value) {
  const auto bits = bits_as<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  std::uint32_t half;
  if (magnitude > 0x7f800000u) {
    half = 0x7e00u;
  } else if (magnitude >= 0x477ff000u) {
    half = 0x7c00u;
  } else if (magnitude < 0x38800000u) {
    // Adding 1/2 puts a subnormal's bits, rounded by the adder, at the end of the significand.
    half = bits_as<std::uint32_t>(bits_as<float>(magnitude) + 0.5f) - 0x3f000000u;
  } else {
    half = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
  }
  return {static_cast<std::uint16_t>(sign | half)};
}

template <class T>
inline constexpr bool is_narrow_float = std::is_same_v<T, Half> || std::is_same_v<T, BFloat>;
template <class T>
inline constexpr bool is_complex_value = false;
template <class T>
inline constexpr bool is_complex_value<Complex<T>> = true;

template <class T>
SCATTERPROOF_HD T narrowed(float value) {
  if constexpr (std::is_same_v<T, Half>)
    return to_half(value);
  else
    return to_bfloat(value);
}

/// Combines two values into one, rounded or wrapped to their type. `mean` adds; the division comes at the
/// end. `assign` keeps the second. If either is NaN, the result is NaN, for the largest and smallest too. Of
/// equal values (zeros of both signs) the first is kept.
template <spec::Combiner combiner, class T>
SCATTERPROOF_HD T combine(T a, T b) {
  using spec::Combiner;
  constexpr bool adds = combiner == Combiner::sum || combiner == Combiner::mean;
  if constexpr (combiner == Combiner::assign) {
    return b;
  } else if constexpr (std::is_same_v<T, Truth>) {
    if constexpr (combiner == Combiner::prod || combiner == Combiner::amin)
      return {static_cast<std::uint8_t>(a.byte != 0 && b.byte != 0)};
    else
      return {static_cast<std::uint8_t>(a.byte != 0 || b.byte != 0)};
  } else if constexpr (is_narrow_float<T>) {
    return narrowed<T>(combine<combiner>(to_float(a), to_float(b)));
  } else if constexpr (is_complex_value<T>) {
    if constexpr (adds)
      return {a.re + b.re, a.im + b.im};
    else
      return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  } else if constexpr (combiner == Combiner::amax) {
    if constexpr (std::is_floating_point_v<T>)
      if (a != a || b != b) return std::numeric_limits<T>::quiet_NaN();
    return a < b ? b : a;
  } else if constexpr (combiner == Combiner::amin) {
    if constexpr (std::is_floating_point_v<T>)
      if (a != a || b != b) return std::numeric_limits<T>::quiet_NaN();
    return b < a ? b : a;
  } else if constexpr (std::is_integral_v<T>) {  // in unsigned arithmetic, which wraps
    const auto x = static_cast<std::uint64_t>(a);
    const auto y = static_cast<std::uint64_t>(b);
    return static_cast<T>(adds ? x + y : x * y);
  } else {
    return adds ? a + b : a * b;
  }
}

/// The value that combines with any value v to v, bit for bit. Exceptions: sums give +0 for a lone -0 (a row
/// that was zeroed first), and a product with a complex infinity has no identity (has_identity).
template <spec::Combiner combiner, class T>
SCATTERPROOF_HD T identity() {
  using spec::Combiner;
  constexpr bool adds = combiner == Combiner::sum || combiner == Combiner::mean;
  if constexpr (std::is_same_v<T, Truth>) {
    return {static_cast<std::uint8_t>(combiner == Combiner::prod || combiner == Combiner::amin)};
  } else if constexpr (is_complex_value<T>) {
    return adds ? T{0, 0} : T{1, 0};
  } else if constexpr (is_narrow_float<T>) {
    return narrowed<T>(identity<combiner, float>());
  } else if constexpr (combiner == Combiner::amax || combiner == Combiner::amin) {
    constexpr bool largest = combiner == Combiner::amin;
    if constexpr (std::is_floating_point_v<T>)
      return largest ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity();
    else
      return largest ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
  } else {
    return adds ? T(0) : T(1);
  }
}
template <spec::Combiner combiner, class T>
inline constexpr bool has_identity = !(combiner == spec::Combiner::prod && is_complex_value<T>);

/// A mean's sum over its count. Floats are divided in a type wide enough that rounding twice is rounding once
/// (Figueroa, "When is double rounding innocuous?", 1995: p' >= 2p + 2).
template <class T>
SCATTERPROOF_HD T divided(T sum, std::int64_t count, bool truncate) {
  const auto n = static_cast<double>(count);
  if constexpr (is_complex_value<T>) {
    using Part = decltype(sum.re);
    return {static_cast<Part>(sum.re / n), static_cast<Part>(sum.im / n)};
  } else if constexpr (is_narrow_float<T>) {
    return narrowed<T>(static_cast<float>(to_float(sum) / n));
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(sum / n);
  } else if constexpr (std::is_same_v<T, Truth>) {
    return sum;  // bool has no mean: refused beforehand
  } else {
    const auto total = static_cast<std::int64_t>(sum);
    const std::int64_t quotient = total / count;
    return static_cast<T>(!truncate && total < 0 && total % count != 0 ? quotient - 1 : quotient);
  }
}

/// Calls visit(std::type_identity<T>{}) with the type that holds elements of the dtype.
template <class Visit>
decltype(auto) visit_dtype(spec::DType dtype, Visit&& visit) {
  using spec::DType;
  switch (dtype) {
    case DType::boolean:
      return visit(std::type_identity<Truth>{});
    case DType::u8:
      return visit(std::type_identity<std::uint8_t>{});
    case DType::i8:
      return visit(std::type_identity<std::int8_t>{});
    case DType::i16:
      return visit(std::type_identity<std::int16_t>{});
    case DType::i32:
      return visit(std::type_identity<std::int32_t>{});
    case DType::i64:
      return visit(std::type_identity<std::int64_t>{});
    case DType::f16:
      return visit(std::type_identity<Half>{});
    case DType::bf16:
      return visit(std::type_identity<BFloat>{});
    case DType::f32:
      return visit(std::type_identity<float>{});
    case DType::f64:
      return visit(std::type_identity<double>{});
    case DType::c64:
      return visit(std::type_identity<Complex<float>>{});
    case DType::c128:
      break;
  }
  return visit(std::type_identity<Complex<double>>{});
}

/// Calls visit(std::integral_constant<Combiner, c>{}). No kernel call has a quotient.
template <class Visit>
decltype(auto) visit_combiner(spec::Combiner combiner, Visit&& visit) {
  using spec::Combiner;
  switch (combiner) {
    case Combiner::assign:
      return visit(std::integral_constant<Combiner, Combiner::assign>{});
    case Combiner::sum:
      return visit(std::integral_constant<Combiner, Combiner::sum>{});
    case Combiner::prod:
      return visit(std::integral_constant<Combiner, Combiner::prod>{});
    case Combiner::mean:
      return visit(std::integral_constant<Combiner, Combiner::mean>{});
    case Combiner::amax:
      return visit(std::integral_constant<Combiner, Combiner::amax>{});
    case Combiner::amin:
    case Combiner::quotient:
    case Combiner::sum_over_root:
    case Combiner::bit_and:
    case Combiner::bit_or:
    case Combiner::bit_xor:
      break;
  }
  return visit(std::integral_constant<Combiner, Combiner::amin>{});
}

/// Whether the combiner is defined for the type; if not, every plan refuses it.
template <spec::Combiner combiner, class T>
inline constexpr bool combines =
    !(is_complex_value<T> && (combiner == spec::Combiner::amax || combiner == spec::Combiner::amin)) &&
    !(std::is_same_v<T, Truth> && combiner == spec::Combiner::mean);

/// A type of the size of an element, to move elements whose values do not matter.
struct alignas(8) Bytes16 {
  std::uint64_t half[2];
};
/// Calls visit(std::type_identity<U>{}) with an unsigned type (or Bytes16) of this many bytes.
template <class Visit>
decltype(auto) visit_size(std::size_t bytes, Visit&& visit) {
  switch (bytes) {
    case 1:
      return visit(std::type_identity<std::uint8_t>{});
    case 2:
      return visit(std::type_identity<std::uint16_t>{});
    case 4:
      return visit(std::type_identity<std::uint32_t>{});
    case 8:
      return visit(std::type_identity<std::uint64_t>{});
    default:
      return visit(std::type_identity<Bytes16>{});
  }
}

}  // namespace scatterproof::engines
