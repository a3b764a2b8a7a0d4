// SPDX-License-Identifier: Apache-2.0
// Faults that nobody chose: how many of those drawn from a seed generated calls catch.
#pragma once

#include "selftest.hpp"
#include "showing_call.hpp"

namespace scatterproof::runner::selftest {

struct TriedDrawn {
  engines::DrawnFault fault;
  std::optional<std::uint64_t> killed;  ///< calls made, the one that showed it included; empty: alive
  std::optional<Shown> shown;           ///< of a fault that is alive: the call that would have shown it
};

/// Faults 0 to `count` - 1 of the seed, on calls of all APIs in turn, as in try_faults. An engine forgets what came
/// before after each block of calls, so that any number of threads gives the same result.
std::vector<TriedDrawn> try_drawn(const spec::SpecLibrary& specs, std::uint64_t seed, std::uint64_t count,
                                  const Options& options);

/// The share killed within 10^3, 10^4, ... calls up to `cases`, by place and by kind of condition; then each fault that
/// is alive.
std::string summary(const std::vector<TriedDrawn>& tried, std::uint64_t cases);

/// Whether every fault that a call can show was killed.
bool all_killed(const std::vector<TriedDrawn>& tried);

}  // namespace scatterproof::runner::selftest
