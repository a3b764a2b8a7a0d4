// SPDX-License-Identifier: Apache-2.0
// What happens to the workers when this program is killed outright.
#pragma once

#include <string>
#include <utility>

namespace scatterproof::engines::protocol {

/// A variable (name and value) that every worker must have in its environment. From the first call on, a small
/// process waits for the end of this program, and then kills every process that has it.
const std::pair<std::string, std::string>& watched_variable();

}  // namespace scatterproof::engines::protocol
