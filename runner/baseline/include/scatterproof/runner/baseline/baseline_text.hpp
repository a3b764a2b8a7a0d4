// SPDX-License-Identifier: Apache-2.0
// Baseline files as text: entries come and go, and everything else stays as it was written.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "scatterproof/runner/baseline/baseline.hpp"
#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::runner {

/// The file's text with entries added after its last one. A `text` that is empty becomes a new file. Errors:
/// the text is not a baseline, or its list is written in a way that cannot be continued. `path` only names
/// it.
spec::Result<std::string> with_entries(const std::string& path, const std::string& text,
                                       const std::vector<BaselineEntry>& entries);

/// The file's text without the entries of these lines (BaselineEntry::line). Comments inside them are removed
/// with them; those between entries stay. Errors as above.
spec::Result<std::string> without_entries(const std::string& path, const std::string& text,
                                          const std::set<int>& lines);

}  // namespace scatterproof::runner
