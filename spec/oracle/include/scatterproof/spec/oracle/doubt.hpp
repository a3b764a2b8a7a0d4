// SPDX-License-Identifier: Apache-2.0
// Executes the claims of a doubt on its witness.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::spec {

/// The result of one claim of a doubt on the witness.
struct ClaimResult {
  std::string says;
  std::optional<Tensor>
      result;  ///< the one result it gives; none where it allows several, and `text` lists them
  bool refuses = false;
  std::string text;  ///< for a person: the result, `refuses: ...`, `no value: ...`; empty: words only
};

/// One entry for each claim, in order. Without a witness every claim is words only.
std::vector<ClaimResult> run_doubt(const OpSpec& spec, const Doubt& doubt);
/// Whether two executed claims say the same of the witness.
bool agree(const ClaimResult& a, const ClaimResult& b);

}  // namespace scatterproof::spec
