// SPDX-License-Identifier: Apache-2.0
// Few and small inputs that show where members differ.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "budget.hpp"
#include "differences.hpp"
#include "witness.hpp"

namespace scatterproof::runner::compare {

/// Finds few and small inputs that show every two members of a group that differ on the given ones.
class DifferenceSearch {
 public:
  /// Everything must outlive it. `which`: the inputs, of one row, whose members do as `cells` says;
  /// `is_news`: by member, whether its differences from others are looked for.
  DifferenceSearch(const Plan& plan, const Group& group, const std::vector<Cell>& cells,
                   const std::vector<Input>& inputs, const Observations& answers,
                   const std::vector<std::size_t>& which, const std::vector<bool>& is_news,
                   const Budget& budget);

  /// Those for which no time is left stay as found.
  std::vector<Divergence> run();

 private:
  std::size_t showing_most();
  Divergence shown_small(std::size_t best);
  Divergence made_smaller(const Divergence& whole, const Group& keep) const;
  Divergence difference(std::size_t input) const;
  void add(Divergence difference);
  std::vector<Portable> written_portably(const Divergence& difference) const;

  const Plan& plan_;
  const Group& group_;
  const std::vector<Cell>& cells_;
  const std::vector<Input>& inputs_;
  const Observations& answers_;
  const std::vector<std::size_t>& which_;
  const Budget& budget_;
  std::map<std::size_t, std::set<MemberPair>> shows_;  ///< by input
  std::set<MemberPair> to_show_;
  std::set<std::size_t> large_;  ///< inputs that could not be made small while all members do the same
  std::vector<Divergence> found_;
};

}  // namespace scatterproof::runner::compare
