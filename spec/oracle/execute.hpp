// SPDX-License-Identifier: Apache-2.0
// What executing a meaning has in common, whichever evaluator does it.
#pragma once

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/judge/bag.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::spec {

/// More contributions than this are refused: a bag of them would not fit a small machine's memory.
inline constexpr std::int64_t max_contributions = std::int64_t{1} << 25;

/// What of a bag needs no evaluation: the latitude, and the arguments' names.
void set_policies(Bag& bag, const OpSpec& spec, const Call& call);

/// `execute` by the plain evaluator: what execute_quickly is held against, and who speaks when that cannot.
Result<Bag> execute_plainly(const OpSpec& spec, const Call& call);

}  // namespace scatterproof::spec
