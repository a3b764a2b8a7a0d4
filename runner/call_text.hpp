// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scatterproof/spec/core/call.hpp"

namespace scatterproof::runner {

/// The call as to_string() prints it, followed by the layouts that the printed values do not show, in the
/// words of case files: `torch.gather(input=.., dim=0, index=..) (index: expanded)`.
std::string text_of(const spec::Call& call);

}  // namespace scatterproof::runner
