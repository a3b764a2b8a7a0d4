// SPDX-License-Identifier: Apache-2.0
// Whether a call that was changed still obeys and breaks the rules as intended.
#pragma once

#include <vector>

#include "scatterproof/spec/oracle/rules.hpp"
#include "scatterproof/spec/solve/solve.hpp"
#include "values.hpp"

namespace scatterproof::spec::solve {

/// The intended standing of every rule. Rules that relate several index values with each other are left out:
/// they depend on values that are drawn later. `at_ends`: of large tensors, in which what holds at the ends holds between
/// them, only these are looked at.
class RuleCheck {
 public:
  /// `broken`: the only rule that is broken (null: none).
  RuleCheck(const OpSpec& spec, const ValueRules& values, const Rule* broken);

  /// The call obeys all rules but `broken`, which it breaks.
  bool as_meant(const Call& call) const { return stands(call, broken_, all_); }
  /// The call obeys all rules.
  bool obeys(const Call& call) const { return stands(call, nullptr, all_); }

  /// As `as_meant`, every element looked at.
  bool filled_as_meant(const Call& call) const { return stands(call, broken_, all_, false); }

  /// The same for a call that differs in index values alone from one that stands as intended.
  bool values_as_meant(const Call& call, bool at_ends) const {
    return stands(call, broken_, of_values_, at_ends);
  }
  bool values_obey(const Call& call, bool at_ends) const {
    return stands(call, nullptr, of_values_, at_ends);
  }

 private:
  using Rules = std::vector<const Rule*>;
  bool stands(const Call& call, const Rule* broken, const Rules& rules, bool at_ends = true) const;

  const OpSpec& spec_;
  const Rule* broken_;
  Rules all_, of_values_;
};

}  // namespace scatterproof::spec::solve
