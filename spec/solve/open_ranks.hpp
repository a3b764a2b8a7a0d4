// SPDX-License-Identifier: Apache-2.0
// Which calls the ranks alone do not rule out.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "dependencies.hpp"
#include "reader.hpp"
#include "skeleton.hpp"

namespace scatterproof::spec::solve {

class OpenRanks {
 public:
  /// Both must outlive it.
  OpenRanks(const OpSpec& spec, const FormLimits& limits);

  struct Open {
    bool valid = false;             ///< some call may obey all rules
    std::vector<bool> breaks = {};  ///< by rule: some call may break it alone
  };
  /// Where `context` has no value it is given one, if that is needed.
  Open of(const Skeleton& skeleton, std::optional<SolverContext>& context);

 private:
  /// What the ranks decide of one rule.
  struct Known {
    std::optional<bool> obeyed, broken;
  };
  /// What a rule looks at of a skeleton: other ranks decide the same of it.
  Skeleton seen_by(std::size_t rule, const Skeleton& skeleton) const;

  const OpSpec& spec_;
  const FormLimits& limits_;
  std::vector<Dependencies> looks_;  ///< by rule
  std::map<std::pair<std::size_t, Skeleton>, Known> known_;
};

}  // namespace scatterproof::spec::solve
