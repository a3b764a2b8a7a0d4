// SPDX-License-Identifier: Apache-2.0
// Proves printed formulas: executes each formula and the meaning on all small calls.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::spec {

/// The result of executing a formula and the meaning on small calls that obey all rules and for which its
/// `when` holds.
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
/// Throws LimitReached, when a WorkLimit is passed.
ProofResult prove(const OpSpec& spec, const Formula& formula);

/// The longest that those who prove formulas wait for one.
inline constexpr std::chrono::seconds longest_proof{60};

}  // namespace scatterproof::spec
