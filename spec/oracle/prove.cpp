// SPDX-License-Identifier: Apache-2.0
// Executes a printed formula and the meaning side by side on every small call.
#include "scatterproof/spec/oracle/prove.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "scatterproof/spec/core/work_limit.hpp"
#include "scatterproof/spec/judge/resolve.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"
#include "search.hpp"

namespace scatterproof::spec {
namespace {

constexpr std::int64_t calls_a_shape = 4096;
constexpr std::int64_t calls_a_proof = 30'000;
/// Shapes with empty index tensors write nothing, and there are many where a rule exempts them: a few are
/// enough.
constexpr std::size_t empty_shapes = 500;

class Proof {
 public:
  Proof(const OpSpec& spec, const Formula& formula)
      : spec_(spec), formula_(formula), search_(spec, &formula) {}

  ProofResult run() {
    keep_evaluable_ranks();
    const std::int64_t share = share_of_a_shape();
    for (const SmallShape* shape : kept_) {
      const std::int64_t tried = std::min(shape->count, share);
      result_.exhaustive = result_.exhaustive && tried == shape->count;
      // An even stride through all assignments, which ends in the last one.
      for (std::int64_t i = 0; i < tried && result_.disagreement.empty(); ++i)
        compare(search_.make(*shape, tried == 1 ? 0 : i * (shape->count - 1) / (tried - 1)));
    }
    if (result_.disagreement.empty() && result_.writing == 0) result_.disagreement = why_nothing();
    return std::move(result_);
  }

 private:
  /// A 3-D formula has no value on other ranks, so only ranks are kept for which it has a value on some call
  /// that writes.
  void keep_evaluable_ranks() {
    std::map<std::string, bool> evaluable;
    for (const SmallShape& shape : search_.shapes()) {
      bool& known = evaluable[shape.ranks];
      if (known) continue;
      const Call call = search_.make(shape, 0);
      const auto bag = execute(spec_, call);
      if (!bag || bag->list.empty()) continue;
      const auto value = execute_formula(spec_, formula_, call);
      known = value.operator bool();
      if (!value)
        first_failure_ = fmt::format("{}; for example {}", value.errors().front().what, to_string(call));
    }
    for (const SmallShape& shape : search_.shapes())
      if (evaluable[shape.ranks]) kept_.push_back(&shape);
    std::string ranks;
    for (const auto& [words, yes] : evaluable)
      if (yes) ranks += (ranks.empty() ? "" : ", ") + fmt::format("({})", words);
    result_.bounds = fmt::format("sizes 0 to 2, ranks {}", ranks.empty() ? "none" : ranks);
  }

  /// The most calls a shape may have so that all together stay within bounds.
  std::int64_t share_of_a_shape() const {
    std::int64_t share = calls_a_shape;
    const auto total = [&] {
      std::int64_t sum = 0;
      for (const SmallShape* shape : kept_) sum += std::min(shape->count, share);
      return sum;
    };
    while (share > 1 && total() > calls_a_proof) share /= 2;
    return share;
  }

  void compare(const Call& call) {
    WorkLimit::check();
    if (!search_.obeys_values(call)) return;
    const auto bag = execute(spec_, call);
    const auto value = execute_formula(spec_, formula_, call);
    ++result_.calls;
    std::string differs;
    if (!bag)
      differs = bag.errors().front().what;
    else if (!value)
      differs = value.errors().front().what;
    else
      differs = disagreement(*bag, *value);
    if (bag && !bag->list.empty()) ++result_.writing;
    if (differs.empty()) return;
    result_.disagreement = differs;
    result_.counterexample = call;
  }

  std::string why_nothing() const {
    if (search_.shapes().empty()) return "no small call obeys all rules and the formula's 'when'";
    if (!first_failure_.empty()) return fmt::format("it has no value on any small call: {}", first_failure_);
    return "no small call writes anything";
  }

  const OpSpec& spec_;
  const Formula& formula_;
  CallSearch search_;
  std::vector<const SmallShape*> kept_;
  std::string first_failure_;
  ProofResult result_;
};

}  // namespace

ProofResult prove(const OpSpec& spec, const Formula& formula) { return Proof(spec, formula).run(); }

}  // namespace scatterproof::spec
