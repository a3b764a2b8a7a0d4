// SPDX-License-Identifier: Apache-2.0
// The lines of a file that may be anything: of no format, without end, the wrong file altogether.
#pragma once

#include <functional>
#include <string>

#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::spec {

/// Takes one line; `whole`: it ends in a newline. Throws Malformed.
using TakeLine = std::function<void(const std::string& line, bool whole)>;

/// Hands over each line of a file. A Malformed becomes an error at its line: the first few are reported, the others
/// counted. While `begun` is false, the first bad line is the last that is read: the file is something else.
/// Folders, devices and lines that never end are errors.
Errors read_lines(const std::string& path, const TakeLine& take, const std::function<bool()>& begun);

}  // namespace scatterproof::spec
