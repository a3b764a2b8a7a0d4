// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scatterproof/spec/core/call.hpp"

namespace scatterproof::runner {

/// What is simple about a call, each as a glob of its text_of(): the dtype of an argument (`* index=i32[*`)
/// or of any (`*=f64[*`), a word or a truth value, a number that is 0 or negative, an argument that is none,
/// left out or not contiguous (`*index: *`), a storage of two arguments. A call has a glob if and only if its
/// text matches.
std::vector<std::string> simple_globs(const spec::Call& call);

}  // namespace scatterproof::runner
