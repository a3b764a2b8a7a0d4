// SPDX-License-Identifier: Apache-2.0
// Why there is a result where a refusal was due: the engine may have repaired an index instead of refusing
// it.
#pragma once

#include <string>

#include "scatterproof/spec/core/diagnosis.hpp"
#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::runner {

/// Whether this value of an argument is an index: of integers, where the spec has an index tensor.
bool is_index(const spec::OpSpec& op, const std::string& name, const spec::Argument& value);

/// Which repair: wrapping, clamping or reducing the values of one index argument makes the call obey every
/// rule, and the document then allows the result. `none` when no repair does.
spec::Diagnosis repaired_index(const spec::OpSpec& op, const spec::Call& call, const spec::Target& target,
                               const spec::Outcome& outcome);

}  // namespace scatterproof::runner
