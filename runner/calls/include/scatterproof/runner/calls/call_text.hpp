// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "scatterproof/spec/core/call.hpp"

namespace scatterproof::runner {

/// The call as to_string() prints it, followed by what the printed values do not show: layouts, in the words
/// of case files, and arguments that are left out: `onnx.Gather(data=.., indices=.., axis=0, ..) (data:
/// expanded, axis: left out)`.
std::string text_of(const spec::Call& call);

/// How many elements the call's tensors have: of several calls with one failure, the one with the fewest is
/// shown.
std::uint64_t elements_of(const spec::Call& call);

}  // namespace scatterproof::runner
