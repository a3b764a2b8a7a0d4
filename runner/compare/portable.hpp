// SPDX-License-Identifier: Apache-2.0
// Writing a call so that every member takes it alike.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "observe.hpp"

namespace scatterproof::runner::compare {

/// The same input with what the readings say made before the call, and who then takes it alike.
struct Portable {
  Explanation made;                  ///< the portable readings of the input's classes
  Input input;                       ///< after them
  std::vector<std::size_t> agree;    ///< members that give one result; as many as there are that do
  std::vector<std::size_t> others;   ///< that refuse it, or give another result
  std::vector<Observation> answers;  ///< of all members
};

/// Empty when a class of the input has no portable reading, when one cannot be made, or when no two members give one result.
/// Executes the new call.
std::optional<Portable> portable(const ComparisonSetting& setting, const Input& input);

/// `4 members gave one result for it, and none refused.`, or who did otherwise, and what. `all`: the members that were asked.
std::string agreement_words(const Portable& portable, std::span<const FamilyMember> all);

}  // namespace scatterproof::runner::compare
