// SPDX-License-Identifier: Apache-2.0
// Where an API and one that its calls are written with differ.
#pragma once

#include <vector>

#include "contents.hpp"
#include "preparations.hpp"

namespace scatterproof::runner::site {

/// A row for each kind of call whose result may be another one, with what to do, and the smallest calls.
/// Kinds about which there is nothing to do are named.
std::vector<reports::SiteBlock> differences_section(SiteContents& contents, const spec::OpSpec& from,
                                                    const Twin& twin, const Prepared& prepared);

}  // namespace scatterproof::runner::site
