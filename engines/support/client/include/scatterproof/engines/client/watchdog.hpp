// SPDX-License-Identifier: Apache-2.0
// What happens to the programs that this one starts when it is killed outright.
#pragma once

#include <string>
#include <utility>

namespace scatterproof::engines::protocol {

/// A variable (name and value) in the environment of workers and of everything else that must not outlive
/// this program. From the first call on, a small process waits for the end of this program, and then kills
/// every process that has the variable.
const std::pair<std::string, std::string>& watched_variable();

}  // namespace scatterproof::engines::protocol
