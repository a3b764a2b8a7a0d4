// SPDX-License-Identifier: Apache-2.0
// What `fuzz` says last.
#pragma once

#include "fuzz_flags.hpp"
#include "scatterproof/runner/fuzz/driver.hpp"

namespace scatterproof::runner::cli {

/// Prints how many calls were made, how many of them were judged, and why they are fewer than requested.
/// `saved`: failing calls.
void say_totals(const FuzzFlags& flags, const fuzz::FuzzResult& fuzzed, std::size_t saved,
                const fuzz::Campaign& campaign);

}  // namespace scatterproof::runner::cli
