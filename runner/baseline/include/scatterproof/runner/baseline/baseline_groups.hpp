// SPDX-License-Identifier: Apache-2.0
// Baseline entries made from what runs showed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scatterproof/runner/baseline/baseline.hpp"

namespace scatterproof::runner {

/// The reason of an entry that has not been explained yet.
inline constexpr const char* unfilled_reason = "?";

/// The engine's name without its version, as records spell both.
std::string engine_of(const spec::Record& record);

/// The fewest entries that describe the records that `wanted` accepts, which are failures. The records of one
/// entry have the API, engine, verdict and diagnosis in common. An entry has one id, or a glob for all ids of
/// a rule or of a topic below the API; then every record there fails in this way. Entries do not name a
/// version, number or seed.
std::vector<BaselineEntry> entries_for(const std::vector<spec::Record>& records,
                                       const std::function<bool(const spec::Record&)>& wanted,
                                       const std::string& today);

}  // namespace scatterproof::runner
