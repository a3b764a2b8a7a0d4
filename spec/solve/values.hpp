// SPDX-License-Identifier: Apache-2.0
// Finds the values that each index element of a form may hold, by evaluating the rules for one value at a
// time.
#pragma once

#include <cstdint>
#include <vector>

#include "scatterproof/spec/solve/solve.hpp"

namespace scatterproof::spec::solve {

/// Index values that a number of too few bits turns into a small one, and the ends of the dtype.
std::vector<std::int64_t> far_values(DType dtype);

/// The rules of a spec that look at index values.
class ValueRules {
 public:
  explicit ValueRules(const OpSpec& spec);

  /// Finds the form's index choices. False when no values make it a call that breaks the form's rule alone.
  bool settle(CallForm& form) const;

  /// Whether the rule relates several index values with each other, as `unique` does.
  bool relates(const Rule& rule) const;
  /// Whether some rule relates each index value with every other, so that checking takes long if there are
  /// many.
  bool relates_pairs() const;
  /// Whether the filled call must be checked, because some rule relates index values with each other and some
  /// break it. `call` holds zeros; `broken`: the rule that it is to break, or null.
  bool must_recheck(const Call& call, const Rule* broken) const;
  /// Whether the rule looks at index values.
  bool reads(const Rule& rule) const;
  /// Whether the rule, or some rule, looks at values of other tensors, which forms leave open.
  bool reads_data(const Rule& rule) const;
  bool any_reads_data() const;
  /// Whether some rule compares elements of an index with each other, or with the result of a calculation:
  /// then a range of values that was found for some of them may not hold for all.
  bool any_compares_index() const;
  /// The greatest index value with which a rule is broken. It is limited where the values decide how large
  /// the result is: an engine that takes such a call makes as many rows.
  std::int64_t highest_tried() const { return highest_tried_; }

 private:
  struct ValueRule {
    const Rule* rule;
    bool relates = false;   ///< several values with each other, as `unique` does
    bool counts = false;    ///< all of them: zeros obey, where others may not
    bool compares = false;  ///< elements with each other, or with what it calculates
  };
  const OpSpec& spec_;
  std::vector<std::size_t> index_, data_;  ///< arguments that are index tensors, and those that are not
  std::vector<bool> data_lets_;            ///< by slot: names whose expressions read data
  std::vector<ValueRule> rules_;
  bool numbers_ = false;  ///< index values may be compared with a number of elements
  std::int64_t highest_tried_;
};

}  // namespace scatterproof::spec::solve
