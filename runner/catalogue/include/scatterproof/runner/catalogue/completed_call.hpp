// SPDX-License-Identifier: Apache-2.0
// Calls that come from elsewhere than case files: from a recording, from a Python process.
#pragma once

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner {

/// The call with its arguments in the spec's order, and with defaults for those that were not given. The
/// arguments of `given` have the spec's names. Errors, without a place: what is wrong with each argument.
spec::Result<spec::Call> completed_call(const spec::OpSpec& op, const spec::Call& given);

}  // namespace scatterproof::runner
