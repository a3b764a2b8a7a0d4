// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace scatterproof::engines::registry {

/// Runs a program to its end with its output on stderr; its exit status, or -1.
int execute(const std::vector<std::string>& arguments);

}  // namespace scatterproof::engines::registry
