// SPDX-License-Identifier: Apache-2.0
// Draws forms of given ranks by giving hints to the solver; each form is checked by evaluation.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "scatterproof/spec/core/random.hpp"
#include "scatterproof/spec/solve/solve.hpp"
#include "skeleton.hpp"
#include "solver_context.hpp"
#include "values.hpp"

namespace scatterproof::spec::solve {

/// Draws forms one after the other in one solver context, since making a context takes as long as several
/// forms. A context's answers depend on earlier queries, so a context that outlived a draw would make its
/// forms depend on their history.
class FormDrawer {
 public:
  /// All must outlive it. `near`: a call with these skeletons; most of its numbers are kept; null: any.
  FormDrawer(const OpSpec& spec, const FormLimits& limits, const ValueRules& values, Dice& dice,
             const Call* near = nullptr);

  /// Adds up to `count` forms of this skeleton that break `broken` alone (null: obey all rules); false: there
  /// were none.
  bool add(const Skeleton& skeleton, const Rule* broken, std::size_t count, std::vector<CallForm>& forms);
  /// Whether add() would add any of `count`. Ends with the first.
  bool has_any(const Skeleton& skeleton, const Rule* broken, std::size_t count);

 private:
  bool add(const Skeleton& skeleton, const Rule* broken, std::size_t count, std::size_t enough,
           std::vector<CallForm>& forms);
  /// Whether it is within the limits, has its index choices, and obeys or breaks the rules as intended.
  bool is_sound(CallForm& form) const;
  std::optional<CallForm> with_extreme(const CallForm& form) const;
  std::optional<CallForm> break_by_number(const CallForm& form) const;
  std::optional<CallForm> with_ones(CallForm form) const;
  bool has_small_result(const CallForm& form, const Call& call) const;
  bool stands_as_meant(const CallForm& form, const Call& call) const;

  const OpSpec& spec_;
  const FormLimits& limits_;
  const ValueRules& values_;
  Dice& dice_;
  const Call* near_;
  SolverContext owned_context_;
  z3::context& context_ = owned_context_.get();
  std::set<std::pair<Skeleton, const Rule*>> dead_;  ///< what the solver has ruled out
};

/// Whether a call at these ranks obeys all rules with an element in every tensor.
bool may_have_elements(const OpSpec& spec, const Skeleton& skeleton, const FormLimits& limits,
                       z3::context& context);

}  // namespace scatterproof::spec::solve
