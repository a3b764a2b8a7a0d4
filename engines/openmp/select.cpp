// SPDX-License-Identifier: Apache-2.0
// Selects eight numbers at a time where the processor can compress a vector, otherwise one by one.
#include "select.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace scatterproof::engines::openmp {
namespace {

template <class I>
unsigned select_one_by_one(const I* numbers, unsigned count, std::int64_t first, std::int64_t begin,
                           std::int64_t end, std::int64_t* selected, std::int64_t* positions) {
  const auto width = static_cast<std::uint64_t>(end - begin);
  unsigned taken = 0;
  for (unsigned n = 0; n < count; ++n) {
    selected[taken] = numbers[n];
    positions[taken] = first + n;
    taken += static_cast<std::uint64_t>(numbers[n] - begin) < width;
  }
  return taken;
}

#if defined(__x86_64__)
__attribute__((target("avx512f"))) __m512i load_eight(const std::int64_t* numbers) {
  return _mm512_loadu_si512(numbers);
}
__attribute__((target("avx512f"))) __m512i load_eight(const std::int32_t* numbers) {
  return _mm512_cvtepi32_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(numbers)));
}

/// Vectors are compressed in a register and stored whole, which some processors do many times faster than
/// compressing into memory; the bytes after the selected ones are overwritten by the next vector.
template <class I>
__attribute__((target("avx512f,popcnt"))) unsigned select_by_eight(const I* numbers, unsigned count,
                                                                   std::int64_t first, std::int64_t begin,
                                                                   std::int64_t end, std::int64_t* selected,
                                                                   std::int64_t* positions) {
  const __m512i lowest = _mm512_set1_epi64(begin);
  const __m512i width = _mm512_set1_epi64(end - begin);
  __m512i position = _mm512_add_epi64(_mm512_set1_epi64(first), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
  unsigned taken = 0, n = 0;
  for (; n + 8 <= count; n += 8) {
    const __m512i eight = load_eight(numbers + n);
    const __mmask8 inside = _mm512_cmplt_epu64_mask(_mm512_sub_epi64(eight, lowest), width);
    _mm512_storeu_si512(selected + taken, _mm512_maskz_compress_epi64(inside, eight));
    _mm512_storeu_si512(positions + taken, _mm512_maskz_compress_epi64(inside, position));
    taken += static_cast<unsigned>(__builtin_popcount(inside));
    position = _mm512_add_epi64(position, _mm512_set1_epi64(8));
  }
  return taken + select_one_by_one(numbers + n, count - n, first + n, begin, end, selected + taken,
                                   positions + taken);
}

bool can_compress() {
  static const bool can = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("popcnt");
  return can;
}
#endif

template <class I>
unsigned select_any(const I* numbers, unsigned count, std::int64_t first, std::int64_t begin,
                    std::int64_t end, std::int64_t* selected, std::int64_t* positions) {
#if defined(__x86_64__)
  if (can_compress()) return select_by_eight(numbers, count, first, begin, end, selected, positions);
#endif
  return select_one_by_one(numbers, count, first, begin, end, selected, positions);
}

}  // namespace

unsigned select(const std::int64_t* numbers, unsigned count, std::int64_t first, std::int64_t begin,
                std::int64_t end, std::int64_t* selected, std::int64_t* positions) {
  return select_any(numbers, count, first, begin, end, selected, positions);
}

unsigned select(const std::int32_t* numbers, unsigned count, std::int64_t first, std::int64_t begin,
                std::int64_t end, std::int64_t* selected, std::int64_t* positions) {
  return select_any(numbers, count, first, begin, end, selected, positions);
}

}  // namespace scatterproof::engines::openmp
