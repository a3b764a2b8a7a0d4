// SPDX-License-Identifier: Apache-2.0
// A spec as readable text: `spec show`.
#pragma once

#include <string>

#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner {

/// Documents, arguments, rules, meaning, formulas, latitude and doubts; each doubt's claims executed on its
/// witness.
std::string describe(const spec::OpSpec& op);

}  // namespace scatterproof::runner
