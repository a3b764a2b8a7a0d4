// SPDX-License-Identifier: Apache-2.0
// What an engine's manifest says of it before it starts.
#pragma once

#include <string>

#include "scatterproof/engines/registry/registry.hpp"

namespace scatterproof::engines {

/// The framework whose documents an installed engine answers to: `torch` for `executorch@1.5.1`. Empty: no
/// manifest has its name.
std::string framework_of(const std::string& engine, const Places& places);

}  // namespace scatterproof::engines
