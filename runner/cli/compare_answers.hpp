// SPDX-License-Identifier: Apache-2.0
// What the members of a family answered to one call, for people.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "scatterproof/runner/compare/compare.hpp"
#include "scatterproof/runner/compare/portable.hpp"

namespace scatterproof::runner::cli {

bool none_differ(std::span<const compare::Observation> answers);

/// Who did what with a call, by the names of the members.
struct Takers {
  std::vector<std::string> took;    ///< gave a result
  std::vector<std::string> refuse;  ///< or fail in another way
  /// Cannot express it, or their engines do not take it: by the reason.
  std::map<std::string, std::vector<std::string>> absent;
};

/// Prints the answer of each of those that were asked. One for each member.
Takers print_answers(std::span<const compare::FamilyMember> members,
                     std::span<const compare::Observation> answers);

/// Prints between whom a call is portable on which no two members differ. Gives as_expected if two or more
/// took it, else unexpected.
int say_portable(const Takers& members);

/// Prints how to write the call so that members agree on it. Of ways that give this call the same arguments,
/// the one counts that a member has for calls like it too: it is asked a few more. Returns the ways printed.
std::vector<compare::Portable> print_advice(const compare::ComparisonSetting& setting,
                                            const compare::Input& input,
                                            std::span<const compare::Observation> answers);

}  // namespace scatterproof::runner::cli
