// SPDX-License-Identifier: Apache-2.0
// Two calls in turn: the second gets the result of the first.
#pragma once

#include <optional>
#include <string>

#include "scatterproof/runner/claims/claim.hpp"
#include "scatterproof/spec/judge/expectation.hpp"

namespace scatterproof::runner::claims {

/// Requires exactly this tensor.
spec::Expectation exactly(const spec::Tensor& tensor, std::string because);

/// What the claim requires of the second call: exactly what `gives` has. Empty: it has no value.
std::optional<spec::Expectation> required_of_second(const MappingClaim& claim, const spec::Call& first);

}  // namespace scatterproof::runner::claims
