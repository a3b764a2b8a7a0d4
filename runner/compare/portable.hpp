// SPDX-License-Identifier: Apache-2.0
// Writing a call so that every member takes it alike.
#pragma once

#include <optional>

#include "observe.hpp"

namespace scatterproof::runner::compare {

/// The same input with what the readings say made before the call, and whether that was seen to help.
struct Portable {
  Explanation made;          ///< the portable readings of the input's classes
  Input input;               ///< after them
  std::size_t answered = 0;  ///< members that gave a result for it
  bool agreed = false;       ///< they gave one result, and no member refused
};

/// Empty when a class of the input has no portable reading, or one cannot be made. Executes the new call.
std::optional<Portable> portable(const ComparisonSetting& setting, const Input& input);

}  // namespace scatterproof::runner::compare
