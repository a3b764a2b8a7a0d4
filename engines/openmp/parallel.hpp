// SPDX-License-Identifier: Apache-2.0
// The engine's one parallel region: a team of threads, each told its number, joined at the end.
#pragma once

#include <cstdint>

#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#endif

namespace scatterproof::engines::openmp {

/// Part `thread` of [0, count) when it is shared out evenly: [begin, end).
struct Part {
  std::int64_t begin, end;
};
inline Part part_of(std::int64_t count, int thread, int threads) {
  return {count * thread / threads, count * (thread + 1) / threads};
}

#if defined(__SANITIZE_THREAD__)
// The thread sanitizer cannot see into libgomp, so it reports the region's own fork and join as races.
// Telling it about these two, and nothing else, lets it still find every race among the threads.
template <class Work>
__attribute__((no_sanitize("thread"))) void parallel(int threads, const Work& work) {
  static char fork, join;
  __tsan_release(&fork);
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
  for (int thread = 0; thread < threads; ++thread) {
    __tsan_acquire(&fork);
    work(thread);
    __tsan_release(&join);
  }
  __tsan_acquire(&join);
}
#else
/// Runs work(thread) for each thread in [0, threads), at the same time. `work` must not throw.
template <class Work>
void parallel(int threads, const Work& work) {
  if (threads == 1) return work(0);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int thread = 0; thread < threads; ++thread) work(thread);
}
#endif

}  // namespace scatterproof::engines::openmp
