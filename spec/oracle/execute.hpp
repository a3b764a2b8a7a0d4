// SPDX-License-Identifier: Apache-2.0
// Shared by both ways to execute a meaning.
#pragma once

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/judge/bag.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::spec {

/// The most contributions, and the most cells: a larger bag would not fit into a small machine's memory.
inline constexpr std::int64_t max_contributions = std::int64_t{1} << 25;

/// Sets the fields of a bag that need no evaluation: the latitude, and the arguments' names.
void set_policies(Bag& bag, const OpSpec& spec, const Call& call);

/// `execute` by the reference evaluator: execute_fast is tested against it and falls back to it.
Result<Bag> execute_by_reference(const OpSpec& spec, const Call& call);

}  // namespace scatterproof::spec
