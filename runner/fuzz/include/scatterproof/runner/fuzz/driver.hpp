// SPDX-License-Identifier: Apache-2.0
// Runs generated calls on engines, judges and tallies them; keeps the first failure of each kind.
#pragma once

#include <span>

#include "scatterproof/runner/fuzz/campaign.hpp"

namespace scatterproof::runner::fuzz {

/// One job, and so one thread, for each set of engines. At least one set; all sets have the same engines in
/// the same order.
FuzzResult fuzz(const Campaign& campaign, std::span<const Engines* const> jobs, const Observer& progress = {},
                const CallObserver& observer = {}, const Found& found = {});

}  // namespace scatterproof::runner::fuzz
