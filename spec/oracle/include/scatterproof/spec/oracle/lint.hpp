// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::spec {

/// What is wrong with a spec beyond its text: doubts whose claims all agree, formulas that are not what the
/// meaning says (or are, though marked wrong). Runs every proof: seconds, not milliseconds.
Errors lint(const OpSpec& spec);

}  // namespace scatterproof::spec
