// SPDX-License-Identifier: Apache-2.0
// A framework's own tests, read by the framework itself.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/engines/recorded/recording.hpp"
#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::engines {

/// The tests in these folders, or the installed framework's own, as calls with the outcomes that they expect.
/// What cannot be expressed as a call is unsupported, with the reason. `engine` names a framework whose
/// folder has an `import_tests.py`. Errors: it is not installed, or its script failed.
spec::Result<Recording> import_tests(const std::string& engine, const std::vector<std::string>& folders,
                                     const Places& places);

}  // namespace scatterproof::engines
