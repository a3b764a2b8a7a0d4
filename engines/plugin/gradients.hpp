// SPDX-License-Identifier: Apache-2.0
// From the gradients of what a kernel gets to those of an API's arguments.
#pragma once

#include <vector>

#include "scatterproof/engines/kernels/capabilities.hpp"
#include "scatterproof/spec/core/gradient.hpp"
#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::engines::plugin {

/// One answer for each of `question.of`. The kernel's caller has stretched and cut updates, so it adds up
/// gradients of one element, and what was cut off gets 0. `given`: what the kernel gave for the call.
std::vector<spec::GradientAnswer> gradients_of_arguments(const spec::OpSpec& spec, const spec::Call& call,
                                                         const spec::GradientQuestion& question,
                                                         const OfferedKernels& kernels,
                                                         const std::vector<spec::Tensor>& given);

}  // namespace scatterproof::engines::plugin
