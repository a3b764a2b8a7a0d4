// SPDX-License-Identifier: Apache-2.0
// Random faults: how many of those drawn from a seed generated calls catch.
#pragma once

#include "scatterproof/runner/selftest/selftest.hpp"
#include "scatterproof/runner/selftest/showing_call.hpp"

namespace scatterproof::runner::selftest {

/// A drawn fault in the kernel of one API: people write kernels one by one, and a fault of assigning shows in
/// few of them.
struct TriedDrawn {
  engines::DrawnFault fault;
  std::optional<TellingCall> shown =
      {};  ///< the API, and a built call of it that shows the fault; empty: no API has one
  std::optional<std::uint64_t> killed =
      {};                    ///< calls of that API, the one that showed it included; empty: alive
  std::uint64_t struck = 0;  ///< calls of that API that met the fault's condition
};

/// Faults 0 to `count` - 1 of the seed. The seed also draws the API of each, among those in which a built
/// call shows it; `options.cases` is the number of calls of that API. Any number of threads gives the same
/// result. `gradients`: faults of gradients instead.
std::vector<TriedDrawn> try_drawn(const spec::SpecLibrary& specs, std::uint64_t seed, std::uint64_t count,
                                  const Options& options, bool gradients = false);

/// The share killed within 10^3, 10^4, ... calls up to `cases`, by place and by kind of condition; then each
/// fault that is alive.
std::string summary(const std::vector<TriedDrawn>& tried, std::uint64_t cases);

/// Whether every fault that a call can show was killed.
bool all_killed(const std::vector<TriedDrawn>& tried);

}  // namespace scatterproof::runner::selftest
