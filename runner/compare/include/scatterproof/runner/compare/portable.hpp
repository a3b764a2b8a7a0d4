// SPDX-License-Identifier: Apache-2.0
// Writing a call so that every member interprets it in the same way.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scatterproof/runner/compare/observe.hpp"

namespace scatterproof::runner::compare {

/// An input with the changes of readings made before the call, the members that meant that, and the members
/// that then agree on it.
struct Portable {
  Explanation made;                       ///< one reading for each class of the input
  Input input;                            ///< after them
  std::vector<std::size_t> keeps;         ///< members that gave, for the input as it was, what this one means
  std::vector<std::size_t> agree = {};    ///< members that give one result; as many as there are that do
  std::vector<std::size_t> others = {};   ///< that refuse it, or give another result
  std::vector<Observation> answers = {};  ///< of all members
};

/// Whether a member (by its place) means this by inputs of these classes.
using Means = std::function<bool(std::size_t member, const Explanation& made)>;

/// Every way of writing the input for which at least two members give what some member gave for the original
/// (`answers`, by member) and, as `means` says, means by others like it. Executes the new calls.
std::vector<Portable> portable(const ComparisonSetting& setting, const Input& input,
                               std::span<const Observation> answers, const Means& means);

/// Inputs of the same classes that differ in the indices out of range. On one of them a clamped index and a
/// wrapped one may fall on the same place; on its neighbours they then do not.
std::vector<Input> neighbours(const spec::FamilyComparison& comparison, const Input& input);

/// Whether all results of a member, for these inputs of the same classes (`which`, by place in `inputs` and
/// `answers`), are what these readings give. Those of a small witness may fit by chance, such as zeros that
/// are added nowhere or at another place.
bool means(const spec::FamilyComparison& comparison, std::span<const Input> inputs,
           std::span<const std::vector<Observation>> answers, std::span<const std::size_t> which,
           std::size_t member, const Explanation& made);

/// `to get the result of torch.gather everywhere, change the arguments first: an index below 0 counts from
/// the end`. `all`: the members that were asked.
std::string advice_words(const Portable& portable, std::span<const FamilyMember> all);
/// `4 members then agree, and none refuses.`, or which members did something else, and what.
std::string agreement_words(const Portable& portable, std::span<const FamilyMember> all);

}  // namespace scatterproof::runner::compare
