// SPDX-License-Identifier: Apache-2.0
// What this machine can do at best, measured right before the rows: the rates that floors are computed with.
#pragma once

#include <span>

#include "scatterproof/spec/record/timing.hpp"

namespace scatterproof::runner::bench {

/// Measures for each number of threads, best of several:
///   copying 256 MiB to another 256 MiB, by memcpy in blocks that stay in cache or past the cache by
///   non-temporal stores, whichever is quicker; bytes read and bytes written both count reading one word of
///   lines at random in 512 MiB, fetched 128 ahead of their use, and adding to it
/// Each thread has its own part of the memory; pages of 2 MiB are asked for, as any program may. Lines that
/// the cache holds are not counted. `versions` is left empty. Takes about two seconds.
spec::MachineRecord measure_machine(std::span<const int> threads);

}  // namespace scatterproof::runner::bench
