// SPDX-License-Identifier: Apache-2.0
// Finds the program's files relative to it: build trees and installations have the same layout, and both can
// be moved.
#pragma once

#include <string>
#include <string_view>

namespace scatterproof::engines {

/// The path of `what`, such as `share/cmake/scatterproof`, in the nearest folder above the executable that
/// has it; empty when none does. A file counts if it can be executed.
std::string find_above_program(std::string_view what);

}  // namespace scatterproof::engines
