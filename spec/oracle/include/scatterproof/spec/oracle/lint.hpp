// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::spec {

/// Errors in a spec that reading it cannot find: doubts whose claims all agree, formulas that contradict the
/// meaning (or agree with it, though marked wrong). Runs every proof: seconds, not milliseconds.
Errors lint(const OpSpec& spec);

}  // namespace scatterproof::spec
