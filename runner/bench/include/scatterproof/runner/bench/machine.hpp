// SPDX-License-Identifier: Apache-2.0
// The best rates of this machine, measured right before the rows: floors are computed from them.
#pragma once

#include <span>

#include "scatterproof/spec/record/timing.hpp"

namespace scatterproof::runner::bench {

/// Measures for each number of threads, best of several:
///   - copying 256 MiB to another 256 MiB: by memcpy in blocks that stay in cache, or past the cache by
///     non-temporal stores, whichever is faster; bytes read and bytes written both count;
///   - reading one word of random lines in 512 MiB, prefetched 128 ahead of their use;
///   - the same, and adding to the word.
/// Each thread has its own part of the memory. Pages of 2 MiB are requested, as any program may. Lines that
/// the cache holds are not counted. `versions` is left empty. Takes about two seconds.
spec::MachineRecord measure_machine(std::span<const int> threads);

}  // namespace scatterproof::runner::bench
