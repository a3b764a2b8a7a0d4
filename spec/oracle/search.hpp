// SPDX-License-Identifier: Apache-2.0
// All small calls that obey the rules of a spec, found from the rules alone.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "scatterproof/spec/oracle/rules.hpp"

namespace scatterproof::spec {

/// A call whose sizes, words and numbers are fixed, with the values that each element of its index tensors
/// may have while the others are harmless.
struct SmallShape {
  Call call;
  std::string ranks;  ///< the arguments' ranks: `3 3 3`, `-` for an argument that is not a tensor
  std::vector<std::vector<std::int64_t>> allowed = {};  ///< one list an index element
  std::int64_t count = 1;  ///< product of the lists' lengths, cut off at a million
};

/// A rule, or a formula's `when`, with the arguments that must be known before it can be evaluated.
struct Condition {
  const Rule* rule = nullptr;
  ExpressionPtr when = {};           ///< used when there is no rule
  std::set<std::size_t> needs = {};  ///< arguments by position
  bool values = false;               ///< looks at elements of an index tensor
};

class CallSearch {
 public:
  /// Finds the shapes: sizes 0 to 2, ranks 0 to 3, largest first within equal ranks. An index tensor is one
  /// whose type has integer dtypes only; the others hold distinct primes. With a formula, only calls that it
  /// applies to. Of shapes with empty index tensors only some are tried: they write nothing, and there are
  /// many where a rule exempts them.
  CallSearch(const OpSpec& spec, const Formula* formula);

  const std::vector<SmallShape>& shapes() const { return shapes_; }
  /// The `ordinal`-th (below `count`) assignment of index values.
  Call make(const SmallShape& shape, std::int64_t ordinal) const;
  /// Whether a made call obeys the rules that look at index values.
  bool obeys_values(const Call& call) const;

 private:
  void collect_conditions(const Formula* formula);
  void order_arguments(const Formula* formula);
  bool is_tensor(std::size_t argument) const;
  bool meets_tensor(std::size_t argument) const;  ///< some rule compares it with the shape of a tensor
  bool assign(std::size_t position);              ///< true when a shape was found
  bool settle();
  bool holds(const Condition& condition, const CallFrame& frame) const;
  bool feasible(const Condition& condition, Call& call) const;
  std::vector<Argument> candidates(const ArgumentDecl& declared, std::size_t argument) const;

  const OpSpec& spec_;
  std::vector<Condition> conditions_;
  std::vector<std::size_t> order_;  ///< arguments in the order in which they are fixed
  std::set<std::size_t> idle_;      ///< arguments that no result depends on: any value that obeys will do
  std::map<std::string, std::size_t> empty_;  ///< shapes with empty index tensors, by ranks
  std::vector<bool> is_index_;                ///< by argument
  std::vector<std::vector<Argument>> candidates_;
  Call partial_;
  std::vector<SmallShape> shapes_;
};

}  // namespace scatterproof::spec
