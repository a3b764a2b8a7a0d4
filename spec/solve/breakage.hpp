// SPDX-License-Identifier: Apache-2.0
// What about a call breaks its rule, so that other calls can be broken likewise.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "rule_check.hpp"
#include "scatterproof/spec/core/random.hpp"
#include "ties.hpp"

namespace scatterproof::spec::solve {

/// Where a form's call differs from the call inside, which obeys.
class Breakage {
 public:
  /// Precondition: `base` has a call inside. Both must outlive it.
  Breakage(const CallForm& base, const RuleCheck& check);

  /// Breaks a call that obeys as the base was broken; empty when that does not break the rule alone.
  std::optional<Call> again(const Call& inside) const;
  /// The same, or a near miss: what a lenient implementation would take for a call that obeys.
  std::optional<Call> anew(const Call& inside, Dice& dice) const;

 private:
  bool same_rank(std::size_t argument) const;
  std::optional<Call> of_other_dtypes(const Call& inside, Dice& dice) const;
  std::optional<Call> near_miss(const Call& inside, Dice& dice) const;
  std::optional<Call> if_meant(Call call) const;

  const CallForm& base_;
  const RuleCheck& check_;
  std::vector<std::pair<Knob, std::int64_t>> sizes_;  ///< by how much each is off
  std::vector<Knob> dtypes_;
  std::vector<std::size_t> attributes_;
};

}  // namespace scatterproof::spec::solve
