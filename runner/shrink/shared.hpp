// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "scatterproof/spec/core/call.hpp"

namespace scatterproof::runner::shrink {

/// A step changes one tensor or several, and gives each a storage of its own. This lets the tensors of
/// `after` that shared theirs in `before` share one again, in a plain layout: the smaller is a view of the
/// larger, and what the step changed in either holds for both. Empty: nothing was shared, or it still is, or
/// the tensors no longer fit.
std::optional<spec::Call> shared_again(const spec::Call& before, const spec::Call& after);

}  // namespace scatterproof::runner::shrink
