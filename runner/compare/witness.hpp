// SPDX-License-Identifier: Apache-2.0
// Makes the inputs that show differences small.
#pragma once

#include <vector>

#include "scatterproof/runner/compare/compare.hpp"

namespace scatterproof::runner::compare {

/// Places in Plan::members.
using Group = std::vector<std::size_t>;
bool is_in(const Group& group, std::size_t member);
/// Asks these members alone; all others are absent. Plan and group must outlive it.
ComparisonSetting asking_only(const Plan& plan, const Group& group);

/// What these answers to an input show; only those of the group count.
Divergence divergence(const Plan& plan, const Group& group, const std::vector<Cell>& cells, Input witness,
                      const std::vector<Observation>& answers);

/// The same with a witness as small and plain as the plan's time allows. The members of `keep` go on doing
/// what they do, and differ where they differ. All others of the group do something that they were seen to do
/// in these classes, so that none is lost. Not repeated: the members did not do again what they did with the
/// witness, so a smaller one could not be searched for.
Divergence smaller(const Plan& plan, const Group& group, const std::vector<Cell>& cells,
                   const Divergence& difference, const Group& keep);

}  // namespace scatterproof::runner::compare
