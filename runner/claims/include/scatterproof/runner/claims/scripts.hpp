// SPDX-License-Identifier: Apache-2.0
// The two scripts that show a difference without scatterproof.
#pragma once

#include <string>

#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/runner/claims/check.hpp"
#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::runner::claims {

/// What A does with the witness, in its framework's Python. Errors: the framework cannot say the call.
/// Precondition: the claim has an A.
spec::Result<std::string> script_of_a(const CheckedClaim& checked, const ClaimDifference& difference,
                                      const engines::Places& places);
/// The same for B, or for a call that is printed. Where the claim makes its result of B's, a comment says
/// how.
spec::Result<std::string> script_of_b(const CheckedClaim& checked, const ClaimDifference& difference,
                                      const engines::Places& places);

/// Writes both below a folder: `<claim>-<A>-<B>/<number>-a.py`, `..-b.py`. Errors: a file cannot be written.
/// A script that cannot be made is left out.
spec::Errors save_scripts(const std::string& folder, const CheckedClaim& checked,
                          const engines::Places& places);

}  // namespace scatterproof::runner::claims
