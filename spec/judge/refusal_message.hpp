// SPDX-License-Identifier: Apache-2.0
// Finds the line of an error message that says why.
#pragma once

#include <string>
#include <string_view>

namespace scatterproof::spec::judging {

/// The first informative line of a message: not a source location, a traceback frame, a banner, or a line
/// that only announces the next. If there is none, the first line of all.
std::string telling_line(std::string_view message);

}  // namespace scatterproof::spec::judging
