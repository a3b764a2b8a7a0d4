// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace scatterproof::engines::registry {

/// Runs a program to its end with its output on stderr and returns its exit status, or -1. Neither it nor
/// what it starts outlives this process.
int execute(const std::vector<std::string>& arguments);
/// The same with each line of its output given to a function instead.
int execute(const std::vector<std::string>& arguments,
            const std::function<void(const std::string&)>& each_line);

}  // namespace scatterproof::engines::registry
