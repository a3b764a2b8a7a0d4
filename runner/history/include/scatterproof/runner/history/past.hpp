// SPDX-License-Identifier: Apache-2.0
// The history as a report of one run shows it.
#pragma once

#include <cstddef>

#include "scatterproof/reports/past.hpp"
#include "scatterproof/runner/history/history.hpp"

namespace scatterproof::runner::history {

/// The last runs before this one, and this one, `most` together. An engine of earlier runs is the one with
/// the same name, and if this run has several versions of it, with the same version.
spec::Result<reports::Past> past_of(History& history, const spec::StoredRun& run, std::size_t most);

}  // namespace scatterproof::runner::history
