// SPDX-License-Identifier: Apache-2.0
// The protocol check (check.hpp) of an engine by its name.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/engines/client/check.hpp"
#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::engines {

/// Checks `torch`, `torch@2.13.0`, `so:./libmine.so` or `cmd:./my-worker`. For an engine that runs in this
/// process the only finding is that it has no protocol to check. An engine that cannot be found is an error.
spec::Result<std::vector<ProtocolCheck>> check_engine(const std::string& name, const Places& places);

}  // namespace scatterproof::engines
