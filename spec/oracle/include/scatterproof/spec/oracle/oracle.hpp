// SPDX-License-Identifier: Apache-2.0
// The oracle: takes a spec and a call, returns what the document allows. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/judge/bag.hpp"
#include "scatterproof/spec/judge/expectation.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::spec {

/// The engine that the document is read for, since rules and promises may hold only for some releases and
/// devices.
struct Target {
  std::string framework;  ///< `torch`; empty for a native engine: read as the newest release, on a CPU
  std::string version;    ///< `2.13.0`; empty: newest
  std::string device = "cpu";
};

/// Whether one call obeys one rule.
struct RuleState {
  enum class Kind { obeyed, broken, unevaluable, not_applicable } kind = Kind::obeyed;
  const Rule* rule = nullptr;
  /// For a broken rule, a sentence naming the failing dimension and element with their numbers:
  /// "R2: size(index, 1) = 6 is greater than size(src, 1) = 5 (d = 1)". For an unevaluable one, why.
  std::string sentence = {};
};

/// Every rule of the spec, in order.
std::vector<RuleState> check_rules(const OpSpec& spec, const Call& call, const Target& target = {});

/// The same without the sentences, which take time to make.
std::vector<RuleState::Kind> rule_kinds(const OpSpec& spec, const Call& call, const Target& target = {});

/// Executes the spec's meaning. Errors when an expression cannot be evaluated (a rule must have been broken,
/// or the spec is wrong: a cell never written where there is no start, a position outside the result).
Result<Bag> execute(const OpSpec& spec, const Call& call);

/// A meaning that was executed although an index is out of range.
struct PartialExecution {
  Bag bag;               ///< of everything that has a place
  std::size_t lost = 0;  ///< writes that land outside the result, which are not in the bag
  std::vector<std::int64_t>
      unread;  ///< row-major, the cells whose value lies outside an argument: one zero is there
};
/// As `execute`, but what an index out of range names is passed over. Errors when anything else is wrong.
Result<PartialExecution> execute_passing_over(const OpSpec& spec, const Call& call);

struct ResultForm {
  DType dtype = DType::f32;
  Shape shape;
};
/// The result before anything is written. Errors as `execute`.
Result<ResultForm> result_form(const OpSpec& spec, const Call& call);

/// How many values the meaning writes at most, without executing it. Loops whose sizes depend on others are
/// counted by their first iteration. Empty if the number has no value there, or does not fit into 64 bits.
std::optional<std::int64_t> count_writes(const OpSpec& spec, const Call& call);

/// How values that collide in this call are combined; empty when the meaning does not say.
std::optional<Combiner> combiner_of(const OpSpec& spec, const Call& call);

/// Executes a document's formula as printed: the tensor it leaves behind.
Result<Tensor> execute_formula(const OpSpec& spec, const Formula& formula, const Call& call);
/// Whether the formula's `when` holds for the call.
bool formula_applies(const OpSpec& spec, const Formula& formula, const Call& call);

/// What the document allows for this call. `spec` must outlive it, `call` need not. Errors are the spec's own
/// (never the call's).
Result<Expectation> expect(const OpSpec& spec, const Call& call, const Target& target = {});

/// What the document promises if the gradients of a call are asked for that breaks a rule about them: a
/// refusal, or nothing. Empty: it breaks none. Precondition: the call obeys every rule about calls.
Result<std::optional<Expectation>> expect_no_gradient(const OpSpec& spec, const Call& call,
                                                      const Target& target = {});

}  // namespace scatterproof::spec
