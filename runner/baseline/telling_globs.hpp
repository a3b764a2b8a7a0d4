// SPDX-License-Identifier: Apache-2.0
// What tells generated calls that fail from those that passed.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::runner {

using Records = std::vector<const spec::Record*>;

/// Failures whose calls all match a glob that few calls which passed do.
struct ToldApart {
  std::string call_glob;
  Records failures;
};

/// Takes those of the failures that such a glob describes, all failures of an id or none: first those of the
/// glob that tells the most.
std::vector<ToldApart> take_told_apart(Records& failures);

}  // namespace scatterproof::runner
