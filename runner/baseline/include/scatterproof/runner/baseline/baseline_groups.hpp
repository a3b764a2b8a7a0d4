// SPDX-License-Identifier: Apache-2.0
// Baseline entries made from what runs showed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "scatterproof/runner/baseline/baseline.hpp"

namespace scatterproof::runner {

/// The reason of an entry that has not been explained yet.
inline constexpr const char* unfilled_reason = "?";

/// The engine's name without its version, as records spell both.
std::string engine_of(const spec::Record& record);

/// What the records are of. A glob over APIs would also excuse those that a selection left out.
enum class Ran : std::uint8_t { everything, a_selection };

/// An entry for each group of the records that `wanted` accepts, which are failures (spec::FailureKey), the
/// worst group first. An entry has the ids of its group, or globs for a case or a topic of several APIs, or a
/// rule or topic of one; then every record of the engine and the operation there is of the group. No glob
/// of a selection is for several APIs. Entries do not name a version, number or seed.
std::vector<BaselineEntry> entries_for(const std::vector<spec::Record>& records,
                                       const std::function<bool(const spec::Record&)>& wanted,
                                       const std::string& today, Ran ran);

}  // namespace scatterproof::runner
