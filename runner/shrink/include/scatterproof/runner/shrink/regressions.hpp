// SPDX-License-Identifier: Apache-2.0
// Calls that failed, kept as case files: <folder>/<api>/<hash>.yaml, one call each.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::runner::shrink {

struct SavedCase {
  std::string id;      ///< of the case: `torch.gather/found/3f2a91c0`, by the call alone
  std::string file;    ///< that holds it
  bool added = false;  ///< false: it existed already, and is unchanged
};

/// Saves a call whose tensors have layouts that case files can name. The file is written completely or not at
/// all, even if others write to the folder. `why`: one sentence; `tags`: the verdict, the engine. What the
/// spec says about the call is not saved: each run evaluates it again. Errors: the folder cannot be written;
/// the call is larger than a case file may be.
spec::Result<SavedCase> save_regression(const std::string& folder, const spec::Call& call,
                                        const std::string& why, const std::vector<std::string>& tags);

}  // namespace scatterproof::runner::shrink
