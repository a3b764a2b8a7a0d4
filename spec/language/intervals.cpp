// SPDX-License-Identifier: Apache-2.0
// Interval arithmetic over ranks (0 .. 8), sizes and counts (at least 0).
#include "intervals.hpp"

namespace scatterproof::spec::language {

Constancy constancy_of(const Node&) { return Constancy::varies; }

}  // namespace scatterproof::spec::language
