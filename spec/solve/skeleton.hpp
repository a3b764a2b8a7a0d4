// SPDX-License-Identifier: Apache-2.0
// A call with known ranks and everything else unknown, and its rules as formulas over the unknowns.
#pragma once

#include <string>
#include <vector>

#include "reader.hpp"
#include "scatterproof/spec/oracle/rules.hpp"
#include "scatterproof/spec/solve/solve.hpp"

namespace scatterproof::spec::solve {

/// One argument: a tensor of this rank, something else that is given, or nothing.
struct Alternative {
  enum class Kind : std::uint8_t { tensor, value, absent } kind = Kind::value;
  std::size_t rank = 0;
  friend auto operator<=>(const Alternative&, const Alternative&) = default;
};
using Skeleton = std::vector<Alternative>;

/// All skeletons of a spec's arguments, in a fixed order.
std::vector<Skeleton> all_skeletons(const OpSpec& spec, std::size_t largest_rank);

/// The skeleton that a call has.
Skeleton skeleton_of(const OpSpec& spec, const Call& call);

/// A number that the solver chooses.
struct Unknown {
  enum class Kind : std::uint8_t { size, dtype, integer, flag, choice, length } kind;
  std::size_t argument = 0;
  std::size_t place = 0;                  ///< of a size: the dimension
  std::vector<std::int64_t> values = {};  ///< all it may be; empty: from low to high
  std::int64_t low = 0;
  std::int64_t high = 0;
};

class Problem {
 public:
  Problem(const OpSpec& spec, const Skeleton& skeleton, const FormLimits& limits, z3::context& context);
  /// Without rules(), which take most of the time: standing() reads one.
  struct WithoutRules {};
  Problem(const OpSpec& spec, const Skeleton& skeleton, const FormLimits& limits, z3::context& context,
          WithoutRules tag);

  const std::vector<Unknown>& unknowns() const { return unknowns_; }
  const std::vector<z3::expr>& terms() const { return terms_; }  ///< by unknown

  struct Standing {
    SymbolicTruth obeyed = true;
    SymbolicTruth broken = false;
  };
  const std::vector<Standing>& rules() const { return rules_; }  ///< by rule of the spec
  Standing standing(std::size_t rule);

  /// What a call must meet to break this rule alone (null: to obey all).
  SymbolicTruth target(const Rule* broken) const;
  /// What holds for every call: the ranges of the unknowns.
  std::vector<z3::expr> domain() const;

  /// The call with these numbers; tensors hold zeros.
  Call call(const std::vector<std::int64_t>& numbers) const;
  /// The numbers of a call with this skeleton.
  std::vector<std::int64_t> numbers(const Call& call);

 private:
  Integer unknown(Unknown unknown, const std::string& name);
  Symbol bind(const ArgumentDecl& declared, std::size_t argument);
  Symbol bind_choice(const ArgumentDecl& declared, std::size_t argument);
  std::size_t arrays_given(const ArgumentDecl& selection) const;
  std::vector<std::int64_t> selections_with(const ArgumentDecl& declared, std::size_t arrays);
  SymbolicPart bind_tensor(const ArgumentDecl& declared, std::size_t argument);
  Argument argument(std::size_t argument, const std::vector<std::int64_t>& numbers) const;

  const OpSpec& spec_;
  const Skeleton& skeleton_;
  const FormLimits& limits_;
  z3::context& context_;
  WordNumbers words_;
  ExpressionReader reader_;
  std::vector<Unknown> unknowns_;
  std::vector<z3::expr> terms_;
  std::vector<Standing> rules_;
};

}  // namespace scatterproof::spec::solve
