// SPDX-License-Identifier: Apache-2.0
// How much of a run an engine took part in: passes of few calls, or of calls of one form, prove little.
#pragma once

#include <bitset>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "scatterproof/runner/catalogue/catalogue.hpp"
#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::runner {

/// What kernels get wrong in some forms of calls only.
inline constexpr std::size_t trait_count = 4;
using FormTraits = std::bitset<trait_count>;

class ReachTally {
 public:
  /// The catalogue outlives the tally.
  explicit ReachTally(const Catalogue& catalogue);

  /// Takes every record of the run. Those that are about no case of the catalogue do not count.
  void add(const spec::Record& record);

  /// The engines that less than half of their calls reached, and those that no call with some trait reached
  /// although there were such calls. If few reached an engine, the rules that none of these broke are named
  /// too, those that most calls are there to break. By name.
  std::vector<spec::Reach> poor() const;

 private:
  /// The calls that are there to break a rule.
  struct Breaking {
    std::size_t calls = 0;
    std::string words;  ///< for the rule, as the first call's API has it
  };
  /// `that breaks same-rank (torch.gather) or 3 more rules`: those that no call broke; empty: there are none.
  static std::string that_breaks(const std::map<std::string, Breaking>& rules,
                                 const std::set<std::string>& broken);
  struct Counts {
    std::size_t calls = 0;
    std::size_t reached = 0;
    FormTraits there;                            ///< of all calls
    FormTraits reached_by;                       ///< of those that reached the engine
    std::map<std::string, Breaking> rules = {};  ///< that some call is there to break
    std::set<std::string> rules_broken = {};     ///< by calls that reached the engine
  };
  const spec::SpecLibrary& specs_;
  std::map<std::string, FormTraits> traits_;   ///< by the id of the case
  std::map<std::string, std::string> broken_;  ///< rules, by the id of a case that breaks one
  std::map<std::string, Counts> engines_;
};

}  // namespace scatterproof::runner
