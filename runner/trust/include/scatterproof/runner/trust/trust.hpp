// SPDX-License-Identifier: Apache-2.0
// Settings files that the user has approved, by path and content (docs/use/settings.md, "Trust").
#pragma once

#include <string>
#include <vector>

#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::runner {

/// Whether SCATTERPROOF_TRUST is 1: everything is approved, as in CI, where the checkout is the user's word.
bool everything_is_trusted();

/// Approved files are kept whole, in $XDG_STATE_HOME/scatterproof/trusted.json: one that has changed is
/// another file. `path` may be relative; links are followed. Errors: the list cannot be read.
spec::Result<bool> is_trusted(const std::string& path, const std::string& content);
/// Errors: there is no state folder, or the list cannot be written.
spec::Errors trust(const std::string& path, const std::string& content);
/// Whether it was approved. Errors as `trust`.
spec::Result<bool> revoke_trust(const std::string& path);
/// The paths of approved files that are there and have not changed.
spec::Result<std::vector<std::string>> trusted_files();

}  // namespace scatterproof::runner
