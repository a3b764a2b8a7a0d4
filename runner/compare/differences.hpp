// SPDX-License-Identifier: Apache-2.0
// From answers to what each member does, and to the inputs that show that members part.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scatterproof/runner/compare/compare.hpp"

namespace scatterproof::runner::compare {

/// [input][member]
using Observations = std::vector<std::vector<Observation>>;

/// What a member does with these inputs, which are all in the same classes: as few behaviours as explain
/// every answer.
Cell cell_of(const Plan& plan, const std::vector<Input>& inputs, const Observations& answers,
             const std::vector<std::size_t>& which, std::size_t member);

/// Of the result, as in records; empty: there is none.
std::string digest_of(const Observation& answer);

/// The behaviour of a cell that an answer shows; null for an absent answer.
const Behaviour* shown_by(const Plan& plan, const Cell& cell, const std::vector<std::size_t>& classes,
                          const Observation& answer);

/// The members that take part, by what the answers show that they do.
std::vector<Divergence::Side> sides_of(const Plan& plan, const std::vector<Cell>& cells,
                                       const std::vector<std::size_t>& classes,
                                       const std::vector<Observation>& answers);
/// What kind of difference these answers are.
DivergenceKind kind_of(const Plan& plan, const std::vector<Observation>& answers);

/// Two members, the first before the second.
using MemberPair = std::pair<std::size_t, std::size_t>;
/// The pairs of members that differ on these answers.
std::set<MemberPair> parted(const std::vector<Observation>& answers);

}  // namespace scatterproof::runner::compare
