// SPDX-License-Identifier: Apache-2.0
// Finds calls from rules: a solver finds sizes, dtypes and attributes that obey every rule of a spec, or all
// but one. Evaluation then finds the values that each index element may hold, and checks every call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/core/random.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::spec {

/// The values that each element of one index tensor may hold.
struct IndexChoices {
  std::size_t argument = 0;                           ///< position among the call's arguments
  std::vector<std::vector<std::int64_t>> lists = {};  ///< distinct lists of values, each ascending
  std::vector<std::uint32_t> good = {};               ///< by element, row-major: a list that keeps all rules
  std::vector<std::uint32_t> bad = {};  ///< and one that breaks the form's rule; empty: not by values
};

/// A call in which everything but the values is fixed. Its tensors hold zeros; its scalars are 1, except one
/// that breaks the rule.
struct CallForm {
  Call call;
  const Rule* broken = nullptr;  ///< the one rule that a call of this form breaks; null: none
  bool far = false;              ///< the rule is broken by a large margin, where both margins were possible
  bool by_values = false;        ///< index values break it: one from a `bad` list, or equal ones
  bool recheck = false;          ///< some rule relates several index values: a filled call must be checked
  std::vector<IndexChoices> index = {};
  std::optional<Call> inside =
      {};  ///< the call that obeys all rules and was changed as little as breaking one takes
};

/// Items of a list of tensors that are drawn with ranks of their own: with each, there are as many times more
/// ranks of a call. Those after them have the rank of the one before.
inline constexpr std::size_t items_of_own_rank = 3;

struct FormLimits {
  std::size_t largest_rank = 5;
  std::int64_t largest_size = 6;
  std::int64_t largest_numel = 1024;  ///< of a tensor, and of the result
};

/// Reads the rules as they stand for the newest release on a CPU.
class FormSolver {
 public:
  /// `spec` must outlive it.
  explicit FormSolver(const OpSpec& spec, FormLimits limits = {});
  ~FormSolver();
  FormSolver(FormSolver&&) noexcept;

  /// For each of `broken` in turn up to `count` forms that break this rule alone (null: that obey all) and
  /// share ranks and given arguments, which the dice choose. The result depends on the arguments
  /// and the dice, not on earlier calls. Fewer if the chosen ranks have no more.
  std::vector<CallForm> draw(std::span<const Rule* const> broken, std::size_t count, Dice& dice) const;
  /// The same with the ranks of this call, and most of its sizes, dtypes and attributes.
  std::vector<CallForm> draw_near(const Call& call, std::span<const Rule* const> broken, std::size_t count,
                                  Dice& dice) const;

  /// Whether the rule is about values of an index.
  bool reads_index_values(const Rule& rule) const;
  /// Whether some rule is about values of other tensors, which forms leave open.
  bool any_reads_data() const;
  /// Whether some rule compares elements of an index with each other: a filled call must be checked.
  bool any_compares_index() const;

  /// Whether any form within the limits breaks this rule alone; with null, whether any obeys all.
  bool possible(const Rule* broken) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// Where rules require index values to differ (`unique ..`), repeated values are drawn again until they
/// differ, in the order of positions; where they bound the number of true elements of a mask, some are
/// cleared. False when that does not help. Precondition: `call` has this form, its index tensors have storage
/// of their own and hold good values.
bool meet_relations(const OpSpec& spec, const CallForm& form, Call& call, Dice& dice);

/// Replaces index arrays of a selection by masks with true elements at random places, as many as broadcast
/// where the arrays did: one by a mask of one dimension, or several side by side by one of as many
/// dimensions. The call may then break rules that it obeyed. False, and the call as it was: no array can be
/// replaced. Precondition: the selection is of the first tensor of the call.
bool mask_some(const OpSpec& spec, Call& call, Dice& dice);

/// Makes a mask of the selection longer or shorter by one, in one dimension. False, as above: there is none.
bool misshape_a_mask(const OpSpec& spec, Call& call, Dice& dice);

/// Rules that no call within the limits breaks alone (the others imply them), and rules that no call obeys
/// together (they contradict each other), as errors at their places.
Errors lint_rules(const OpSpec& spec);

}  // namespace scatterproof::spec
