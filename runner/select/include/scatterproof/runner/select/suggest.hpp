// SPDX-License-Identifier: Apache-2.0
// Errors about names that do not exist, with what the user probably meant.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::runner {

/// `did you mean 'x'?` with the name or glob nearest to the word, or the names that end with it, as
/// `torch.gather` does with `gather`; `otherwise` when there is none.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& names,
                         const std::string& otherwise);

/// An error for each glob that matches none of the names: in a list of globs a slip would go unnoticed.
/// `what` is the headline, with {} for the glob; `hint` is for when no name is near. `others` may be meant
/// too.
spec::Errors unmatched(const std::vector<std::string>& globs, const std::vector<std::string>& names,
                       const std::string& what, const std::string& hint,
                       const std::vector<std::string>& others = {});

/// `no such file 'x'`, with the nearest name in the same folder.
spec::Error missing_file(const std::string& path);

}  // namespace scatterproof::runner
