// SPDX-License-Identifier: Apache-2.0
// Combining into a cell that others combine into at the same time, on the host and on a CUDA device. No order
// among memory operations is promised beyond the cell itself.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "scatterproof/engines/native/arithmetic.hpp"

namespace scatterproof::engines {

/// Whether combine_into() supports the type: other elements do not fit into one word.
template <spec::Combiner combiner, class T>
inline constexpr bool has_atomic = !(combiner == spec::Combiner::prod && std::is_same_v<T, Complex<double>>);

#ifdef __CUDA_ARCH__

template <std::size_t bytes>
struct WordOf;
template <>
struct WordOf<2> {
  using type = unsigned short;
};
template <>
struct WordOf<4> {
  using type = unsigned int;
};
template <>
struct WordOf<8> {
  using type = unsigned long long;
};

/// One byte is exchanged as part of the word around it, which lies within the allocation (they are of whole
/// words).
template <class T, class Combine>
__device__ void exchange_byte(T* cell, Combine&& next) {
  const auto address = reinterpret_cast<std::uintptr_t>(cell);
  auto* word = reinterpret_cast<unsigned int*>(address & ~std::uintptr_t{3});
  const unsigned int shift = 8 * static_cast<unsigned int>(address & 3);
  unsigned int seen = *const_cast<volatile unsigned int*>(word);
  while (true) {
    const auto byte = static_cast<std::uint8_t>(seen >> shift);
    const auto wanted = bits_as<std::uint8_t>(next(bits_as<T>(byte)));
    if (wanted == byte) return;
    const unsigned int replaced = (seen & ~(0xffu << shift)) | (static_cast<unsigned int>(wanted) << shift);
    const unsigned int found = atomicCAS(word, seen, replaced);
    if (found == seen) return;
    seen = found;
  }
}

template <class T, class Combine>
__device__ void exchange(T* cell, Combine&& next) {
  if constexpr (sizeof(T) == 1) {
    exchange_byte(cell, next);
  } else {
    using Word = typename WordOf<sizeof(T)>::type;
    auto* word = reinterpret_cast<Word*>(cell);
    Word seen = *const_cast<volatile Word*>(word);
    while (true) {
      const auto wanted = bits_as<Word>(next(bits_as<T>(seen)));
      if (wanted == seen) return;
      const Word found = atomicCAS(word, seen, wanted);
      if (found == seen) return;
      seen = found;
    }
  }
}

/// The device's own addition; of f32 it flushes subnormals (PTX ISA, `atom.add`).
template <class T>
__device__ void add_into(T* cell, T value) {
  if constexpr (std::is_floating_point_v<T>) {
    atomicAdd(cell, value);
  } else {
    using Word = typename WordOf<sizeof(T)>::type;
    atomicAdd(reinterpret_cast<Word*>(cell), static_cast<Word>(value));
  }
}

__device__ inline std::uint32_t load_relaxed(const std::uint32_t* cell) {
  return *const_cast<const volatile std::uint32_t*>(cell);
}
__device__ inline void store_relaxed(std::uint32_t* cell, std::uint32_t value) {
  *const_cast<volatile std::uint32_t*>(cell) = value;
}
__device__ inline void raise_to(std::uint32_t* cell, std::uint32_t value) {
  if (load_relaxed(cell) < value) atomicMax(cell, value);
}

#else

template <class T, class Combine>
void exchange(T* cell, Combine&& next) {
  const std::atomic_ref<T> shared(*cell);
  T seen = shared.load(std::memory_order_relaxed);
  while (true) {
    const T wanted = next(seen);
    if (std::memcmp(&wanted, &seen, sizeof seen) == 0) return;
    if (shared.compare_exchange_weak(seen, wanted, std::memory_order_relaxed)) return;
  }
}

template <class T>
void add_into(T* cell, T value) {
  exchange(cell, [=](T seen) { return combine<spec::Combiner::sum>(seen, value); });
}

inline std::uint32_t load_relaxed(const std::uint32_t* cell) {
  return std::atomic_ref<std::uint32_t>(*const_cast<std::uint32_t*>(cell)).load(std::memory_order_relaxed);
}
inline void store_relaxed(std::uint32_t* cell, std::uint32_t value) {
  std::atomic_ref<std::uint32_t>(*cell).store(value, std::memory_order_relaxed);
}
/// The larger of cell and value into the cell.
inline void raise_to(std::uint32_t* cell, std::uint32_t value) {
  const std::atomic_ref<std::uint32_t> shared(*cell);
  std::uint32_t seen = shared.load(std::memory_order_relaxed);
  while (seen < value && !shared.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

#endif

template <class T>
inline constexpr bool has_own_addition = std::is_floating_point_v<T> ||
                                         (std::is_integral_v<T> && sizeof(T) >= 4);

/// *cell = combine(*cell, value) as one step.
template <spec::Combiner combiner, class T>
SCATTERPROOF_HD void combine_into(T* cell, T value) {
  constexpr bool adds = combiner == spec::Combiner::sum || combiner == spec::Combiner::mean;
  if constexpr (adds && is_complex_value<T>) {  // the parts have nothing to do with each other
    add_into(&cell->re, value.re);
    add_into(&cell->im, value.im);
  } else if constexpr (adds && has_own_addition<T>) {
    add_into(cell, value);
  } else {
    exchange(cell, [value](T seen) { return combine<combiner>(seen, value); });
  }
}

}  // namespace scatterproof::engines
