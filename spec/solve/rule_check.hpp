// SPDX-License-Identifier: Apache-2.0
// Whether a call that was changed still obeys and breaks the rules as intended.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "dependencies.hpp"
#include "scatterproof/spec/oracle/rules.hpp"
#include "scatterproof/spec/solve/solve.hpp"
#include "values.hpp"

namespace scatterproof::spec::solve {

/// The intended standing of every rule. Rules that relate several index values with each other are left out:
/// they depend on values that are drawn later. In large tensors, where what holds at the ends holds between
/// them, only some positions at either end are checked unless stated otherwise.
class RuleCheck {
 public:
  /// `broken`: the only rule that is broken (null: none).
  RuleCheck(const OpSpec& spec, const ValueRules& values, const Rule* broken);

  /// The call obeys all rules but `broken`, which it breaks.
  bool as_meant(const Call& call) const { return stands(call, broken_, all_); }
  /// The call obeys all rules.
  bool obeys(const Call& call) const { return stands(call, nullptr, all_); }
  /// The same for a call that differs in `change` alone from one that stands as intended, or that obeys.
  bool as_meant(const Call& call, const Dependencies& change) const {
    return stands(call, broken_, all_, usual_ends, &change);
  }
  bool obeys(const Call& call, const Dependencies& change) const {
    return stands(call, nullptr, all_, usual_ends, &change);
  }

  /// As `as_meant`, every element looked at.
  bool filled_as_meant(const Call& call) const { return stands(call, broken_, all_, everywhere); }

  /// The same for a call that differs only in index values from one that stands as intended. `ends`: the
  /// number of positions that are checked at either end.
  bool values_as_meant(const Call& call, std::int64_t ends) const {
    return stands(call, broken_, of_values_, ends);
  }
  bool values_obey(const Call& call, std::int64_t ends) const {
    return stands(call, nullptr, of_values_, ends);
  }

  /// How often the rule that takes longest looks at a value: more than there are elements, where it relates
  /// those of two tensors.
  std::int64_t steps(const Call& call) const;

  static constexpr std::int64_t everywhere = std::numeric_limits<std::int64_t>::max() / 2;  ///< for `ends`

 private:
  struct RuleDependencies {
    const Rule* rule;
    Dependencies at;
  };
  using Rules = std::vector<RuleDependencies>;
  /// `change`: rules that do not look at it are taken to stand.
  bool stands(const Call& call, const Rule* broken, const Rules& rules, std::int64_t ends = usual_ends,
              const Dependencies* change = nullptr) const;

  static constexpr std::int64_t usual_ends = 16;  // more than an index has components

  const OpSpec& spec_;
  const Rule* broken_;
  Rules all_, of_values_;
};

}  // namespace scatterproof::spec::solve
