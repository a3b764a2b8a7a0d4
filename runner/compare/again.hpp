// SPDX-License-Identifier: Apache-2.0
// Whether members repeat their observed behaviour.
#pragma once

#include "differences.hpp"

namespace scatterproof::runner::compare {

/// Asks each member again for the call behind each of its behaviours, in a process that has executed nothing
/// else before, and sets Behaviour::repeated: it did the same, with the same result. What a member did by
/// chance, or because of earlier calls, it does not do again.
void ask_again(const Plan& plan, ComparisonResult& compared, const Observations& answers);

}  // namespace scatterproof::runner::compare
