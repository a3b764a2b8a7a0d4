// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::runner {

/// Writes a file atomically: a reader sees the old text, if there was one, or the new one. Errors: it cannot
/// be written, or not completely; then it is as it was, and no other file is left in the folder.
spec::Errors replace_file(const std::string& path, const std::string& text);

}  // namespace scatterproof::runner
