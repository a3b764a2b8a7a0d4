// SPDX-License-Identifier: Apache-2.0
// Which line of an error message says why.
#pragma once

#include <string>
#include <string_view>

namespace scatterproof::spec::judging {

/// The first line of a message that says something: no source location or traceback frame, no banner, and no
/// line that only announces the next. The first of all when there is none such.
std::string telling_line(std::string_view message);

}  // namespace scatterproof::spec::judging
