// SPDX-License-Identifier: Apache-2.0
// The claims of a doubt, executed on its witness.
#include "scatterproof/spec/oracle/doubt.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scatterproof/spec/judge/bag.hpp"
#include "scatterproof/spec/judge/expectation.hpp"
#include "scatterproof/spec/judge/resolve.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::spec {
namespace {

void set_tensor(ClaimResult& claim, const Result<Tensor>& tensor) {
  if (tensor) {
    claim.result = *tensor;
    claim.text = to_string(*tensor);
  } else {
    claim.text = fmt::format("no value: {}", tensor.errors().front().what);
  }
}

void run_meaning(const OpSpec& spec, const Call& witness, ClaimResult& claim) {
  const auto expectation = expect(spec, witness);
  if (!expectation) {
    claim.text = fmt::format("no value: {}", expectation.errors().front().what);
  } else if (const auto* bag = std::get_if<Bag>(&expectation->what)) {
    claim.result = only_result(*bag);
    claim.text = claim.result ? to_string(*claim.result) : to_string(*bag);
  } else if (const auto* refusal = std::get_if<RefusalExpected>(&expectation->what)) {
    claim.refuses = true;
    claim.text = fmt::format("refuses: {}", refusal->because.text());
  } else {
    const Free& free = std::get<Free>(expectation->what);
    claim.text = fmt::format("{}: {}", free.undefined ? "undefined" : "open", free.because.text());
  }
}

}  // namespace

std::vector<ClaimResult> run_doubt(const OpSpec& spec, const Doubt& doubt) {
  std::vector<ClaimResult> results;
  for (const Doubt::Claim& claim : doubt.claims) {
    ClaimResult& made = results.emplace_back();
    made.says = claim.says;
    if (claim.refuses) {
      made.refuses = true;
      made.text = "refuses";
    } else if (claim.result) {
      set_tensor(made, *claim.result);
    } else if (claim.meaning && doubt.witness) {
      run_meaning(spec, *doubt.witness, made);
    } else if (!claim.formula.empty() && doubt.witness) {
      const auto formula = std::ranges::find(spec.formulas, claim.formula, &Formula::id);
      if (formula != spec.formulas.end()) set_tensor(made, execute_formula(spec, *formula, *doubt.witness));
    }
  }
  return results;
}

bool agree(const ClaimResult& a, const ClaimResult& b) {
  if (a.refuses || b.refuses) return a.refuses == b.refuses;
  if (a.result && b.result) return identical(*a.result, *b.result);
  return a.text == b.text;
}

}  // namespace scatterproof::spec
