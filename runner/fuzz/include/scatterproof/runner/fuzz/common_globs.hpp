// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scatterproof/runner/fuzz/campaign.hpp"
#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::runner::fuzz {

/// Says in the record of a kind which globs all of its calls match, and `shown`, the call that is shown of
/// it; and how many calls with the same id passed.
void say_common_globs(const FuzzResult& fuzzed, const Kind& kind, const spec::Call& shown,
                      spec::Record& record);

}  // namespace scatterproof::runner::fuzz
