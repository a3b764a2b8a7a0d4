// SPDX-License-Identifier: Apache-2.0
// What `fuzz` says last.
#pragma once

#include <string>
#include <vector>

#include "fuzz_flags.hpp"
#include "scatterproof/reports/counts.hpp"
#include "scatterproof/runner/fuzz/driver.hpp"

namespace scatterproof::runner::cli {

/// The calls that were skipped after time-outs, for the trailer; and the chosen APIs that had no call.
std::vector<spec::Skipped> skipped_in(const fuzz::FuzzResult& fuzzed);
std::vector<std::string> unreached_by(const fuzz::FuzzResult& fuzzed, const fuzz::Campaign& campaign);

/// Prints how many calls were made, how many of them were judged, and why they are fewer than requested.
/// `saved`: failing calls. `replayed`: calls that were saved before, with which the totals agree with the
/// report's.
struct Replayed {
  std::size_t calls = 0;
  reports::CallCounts counts;
};
void say_totals(const FuzzFlags& flags, const fuzz::FuzzResult& fuzzed, std::size_t saved,
                const fuzz::Campaign& campaign, const Replayed& replayed);

}  // namespace scatterproof::runner::cli
