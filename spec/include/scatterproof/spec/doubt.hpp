// SPDX-License-Identifier: Apache-2.0
// What a spec claims, checked by executing it: the claims of a doubt on its witness, and each printed formula
// against the meaning on all small inputs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scatterproof/spec/op_spec.hpp"

namespace scatterproof::spec {

/// What one claim of a doubt gives on the witness.
struct ClaimResult {
  std::string says;
  std::optional<Tensor>
      result;  ///< the one result it gives; none where it allows several, and `text` lists them
  bool refuses = false;
  std::string text;  ///< for a person: the result, `refuses: ...`, `no value: ...`; empty: words only
};

/// One entry a claim, in order. Without a witness every claim is words only.
std::vector<ClaimResult> run_doubt(const OpSpec& spec, const Doubt& doubt);
/// Whether two executed claims say the same of the witness.
bool agree(const ClaimResult& a, const ClaimResult& b);

/// A formula executed beside the meaning on small calls that obey all rules and for which its `when` holds.
struct ProofResult {
  std::int64_t calls = 0;    ///< calls on which both were executed and compared
  std::int64_t writing = 0;  ///< of these, calls that write at least one cell
  bool exhaustive =
      true;            ///< every call within the bounds that writes was tried (else an even sample of them)
  std::string bounds;  ///< "sizes 0 to 2, ranks [3, 3, 3]"
  std::optional<Call> counterexample;  ///< the first call on which they differ
  std::string disagreement;            ///< what differs there, or why nothing was proved; empty: proved

  bool proved() const { return disagreement.empty() && writing > 0; }
};
ProofResult prove(const OpSpec& spec, const Formula& formula);

/// What is wrong with a spec beyond its text: doubts whose claims all agree, formulas that are not what the
/// meaning says (or are, though marked wrong). Runs every proof: seconds, not milliseconds.
Errors lint(const OpSpec& spec);

}  // namespace scatterproof::spec
