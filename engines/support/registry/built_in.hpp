// SPDX-License-Identifier: Apache-2.0
// The table of this project's engines.
#pragma once

#include <string_view>
#include <vector>

#include "scatterproof/engines/native/built_in.hpp"

namespace scatterproof::engines::registry {

/// Every engine of every folder in the list of engines/CMakeLists.txt, in that order.
const std::vector<BuiltInEngine>& built_in();

/// The one of this name, or null.
const BuiltInEngine* find_built_in(std::string_view name);

}  // namespace scatterproof::engines::registry
