// SPDX-License-Identifier: Apache-2.0
// What can stand where the cursor is: the shells' completions ask the program itself.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "page.hpp"

namespace scatterproof::runner::cli {

/// The words that complete the last of `words` (those after the program's name), each with what it means.
/// Empty where a file is wanted.
std::vector<HelpEntry> candidates(const CLI::App& app, const std::vector<std::string>& words,
                                  const engines::Places& places);

}  // namespace scatterproof::runner::cli
