// SPDX-License-Identifier: Apache-2.0
// Spatter's patterns: UNIFORM:length:gap, MS1:length:places:gaps, LAPLACIAN:dimension:order:size, or offsets
// separated by commas (github.com/hpcgarage/spatter, README, "AccessPattern").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::runner::bench {

/// The offsets of a pattern: never empty, none negative. Errors have no file and line.
spec::Result<std::vector<std::int64_t>> parse_pattern(std::string_view text);

}  // namespace scatterproof::runner::bench
