// SPDX-License-Identifier: Apache-2.0
// Errors about names that do not exist, with what the user probably meant.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::runner {

/// `did you mean 'x'?` with the name or glob nearest to the word; `otherwise` when none is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& names,
                         const std::string& otherwise);

/// An error for each glob that matches none of the names: in a list of globs a slip would go unnoticed.
/// `what` is the headline, with {} for the glob; `hint` is for when no name is near.
spec::Errors unmatched(const std::vector<std::string>& globs, const std::vector<std::string>& names,
                       const std::string& what, const std::string& hint);

/// `no such file 'x'`, with the nearest name in the same folder.
spec::Error missing_file(const std::string& path);

}  // namespace scatterproof::runner
