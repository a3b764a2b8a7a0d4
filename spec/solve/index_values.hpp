// SPDX-License-Identifier: Apache-2.0
// The values that index elements of a large call may hold. ValueRules tries every value for every element;
// this class relies on two properties of indices: the values that obey the rules are a range around zero, and
// the range depends on the coordinate along one axis at most (the components of an index tuple). A call
// without these properties is found unsound.
#pragma once

#include <optional>
#include <vector>

#include "rule_check.hpp"

namespace scatterproof::spec::solve {

/// Of one index tensor: the axis that the values' range depends on; empty: none does.
using ComponentAxis = std::optional<std::size_t>;

class IndexValues {
 public:
  /// All must outlive it.
  IndexValues(const OpSpec& spec, const ValueRules& values, const RuleCheck& check)
      : spec_(spec), values_(values), check_(check) {}

  /// The component axis of each index tensor of the call, in the order of arguments. Empty when a range
  /// depends on several axes. Precondition: zeros are good values.
  std::optional<std::vector<ComponentAxis>> component_axes(const Call& call, bool by_values) const;

  /// Sets the index choices of a form whose tensors are zeros. False when there are none.
  bool settle(CallForm& form, const std::vector<ComponentAxis>& axes, Dice& dice) const;

 private:
  const OpSpec& spec_;
  const ValueRules& values_;
  const RuleCheck& check_;
};

}  // namespace scatterproof::spec::solve
