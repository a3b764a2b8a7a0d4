// SPDX-License-Identifier: Apache-2.0
// The hostile inputs that are too large, or too odd, to be checked in.
#pragma once

#include <string>

namespace scatterproof::tests {

/// Makes the input of this name (manifest.tsv: generated:NAME) below `folder`; its path.
/// Throws std::out_of_range for a name it does not know.
std::string make_hostile(const std::string& name, const std::string& folder);

}  // namespace scatterproof::tests
