// SPDX-License-Identifier: Apache-2.0
// A run in GitHub-flavoured Markdown, the worst first, in a given number of bytes.
#pragma once

#include <cstddef>
#include <string>

#include "overview.hpp"

namespace scatterproof::reports {

/// What does not fit into `most` bytes is counted. Strings of engines are put in code spans and code blocks,
/// where they neither format nor mention anyone.
std::string digest(const Overview& run, const spec::Trailer& trailer, std::size_t most);

}  // namespace scatterproof::reports
