// SPDX-License-Identifier: Apache-2.0
// What happens to the programs that this one starts when it is killed outright.
#pragma once

#include <string>
#include <utility>

namespace scatterproof::engines::protocol {

/// A variable (name and value) that workers, and whatever else must not outlive this program, have in their environment. From the first call on, a small
/// process waits for the end of this program, and then kills every process that has it.
const std::pair<std::string, std::string>& watched_variable();

}  // namespace scatterproof::engines::protocol
