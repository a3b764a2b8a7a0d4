// SPDX-License-Identifier: Apache-2.0
// The oracle: a spec and a call in, what the document allows out. And the judge: that and an outcome in, a
// verdict out. Both pure.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "scatterproof/spec/bag.hpp"
#include "scatterproof/spec/call.hpp"
#include "scatterproof/spec/op_spec.hpp"
#include "scatterproof/spec/outcome.hpp"
#include "scatterproof/spec/verdict.hpp"

namespace scatterproof::spec {

/// Whom the document is read for: rules and promises may hold only for some releases and devices.
struct Target {
  std::string framework;  ///< `torch`; empty for a native engine: read as the newest release, on a CPU
  std::string version;    ///< `2.13.0`; empty: newest
  std::string device = "cpu";
};

/// How one rule stands for one call.
struct RuleState {
  enum class Kind { obeyed, broken, unevaluable, not_applicable } kind = Kind::obeyed;
  const Rule* rule = nullptr;
  /// For a broken rule, a sentence naming the failing dimension and element with their numbers:
  /// "R2: size(index, 1) = 6 is greater than size(src, 1) = 5 (d = 1)". For an unevaluable one, why.
  std::string sentence;
};

/// Every rule of the spec, in order.
std::vector<RuleState> check_rules(const OpSpec& spec, const Call& call, const Target& target = {});

/// The same without the sentences, for those who only ask whether.
std::vector<RuleState::Kind> rule_kinds(const OpSpec& spec, const Call& call, const Target& target = {});

/// Executes the spec's meaning. Errors when an expression cannot be evaluated (a rule must have been broken,
/// or the spec is wrong: a cell never written where there is no start, a position outside the result).
Result<Bag> execute(const OpSpec& spec, const Call& call);

/// How values that collide in this call are combined; nothing when the meaning has no word for it.
std::optional<Combiner> combiner_of(const OpSpec& spec, const Call& call);

/// Executes a document's formula as printed: the tensor it leaves behind.
Result<Tensor> execute_formula(const OpSpec& spec, const Formula& formula, const Call& call);
/// Whether the formula's `when` holds for the call.
bool formula_applies(const OpSpec& spec, const Formula& formula, const Call& call);

/// A text that is put together when it is asked for: most reasons are never read. The spec it speaks of must
/// outlive it.
class Reason {
 public:
  Reason() = default;
  Reason(std::string text) {
    if (!text.empty()) make_ = [text = std::move(text)] { return text; };
  }
  Reason(const char* text) : Reason(std::string(text)) {}
  explicit Reason(std::function<std::string()> make) : make_(std::move(make)) {}
  bool empty() const { return !make_; }
  std::string text() const { return make_ ? make_() : std::string(); }

 private:
  std::function<std::string()> make_;
};

/// The document requires a refusal; or lets the engine refuse.
struct RefusalExpected {
  std::vector<std::string> classes;  ///< acceptable exception classes; empty: any
  std::string native;                ///< acceptable kind from a native engine; empty: any
  Reason because;                    ///< the broken rule's sentence, with document and section
};
/// The document promises nothing (`undefined`), or is silent (`open`).
struct Free {
  bool undefined = false;
  Reason because;
};

struct Expectation {
  std::variant<Bag, RefusalExpected, Free> what;
  bool may_refuse = false;          ///< a refusal is allowed beside the result
  std::vector<std::string> broken;  ///< ids of the broken rules
  Reason because;                   ///< formula or rule and its document, for explanations
};

/// What the document allows for this call. `spec` must outlive it, `call` need not. Errors are the spec's own
/// (never the call's).
Result<Expectation> expect(const OpSpec& spec, const Call& call, const Target& target = {});

/// The verdict on an outcome. Pure; never throws. `native`: the engine speaks refusal kinds instead of
/// exceptions.
Judgement judge(const Expectation& expectation, const Outcome& outcome, bool native = false);

/// How much of a cell's value follows from its bag, in whatever order and width it is combined.
enum class Settled : std::uint8_t { no, but_for_zero_sign, whole };
/// One a cell, row-major; of nothing a document leaves free or promises is use made, such as which of several
/// assigned values is the last.
std::vector<Settled> settled(Bag bag);

/// Compares with printed values on top: the document's own numbers, identical unless the rung is `bound`,
/// where the printed digits are what the document rounded to.
Judgement judge_printed(const Bag& bag, const Tensor& printed, const Tensor& actual);

}  // namespace scatterproof::spec
