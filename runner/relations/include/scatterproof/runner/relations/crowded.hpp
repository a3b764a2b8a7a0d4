// SPDX-License-Identifier: Apache-2.0
// A call in which far more values meet than in a given one, for threads that would have to be unlucky else.
#pragma once

#include <cstdint>
#include <optional>

#include "scatterproof/spec/family/family.hpp"

namespace scatterproof::runner::relations {

/// The call with its lookups over and over, index and updates, until `contributions` values land or somewhat
/// more. Empty: the call is not a scatter, or its family has no dimension of lookups.
std::optional<spec::Call> crowded(const spec::Family& family, const spec::OpSpec& spec,
                                  const spec::Call& call, std::int64_t contributions);

}  // namespace scatterproof::runner::relations
