// SPDX-License-Identifier: Apache-2.0
// Whether a worker speaks the protocol and returns what it was asked: proof for a new adapter, before any
// document.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/engines/registry.hpp"
#include "scatterproof/engines/worker.hpp"
#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::engines {

struct ProtocolCheck {
  bool ok = true;
  std::string what;  ///< one sentence: what was found in order, or what is wrong
  std::string hint;  ///< how to mend it; empty when in order
};

/// Starts a worker and tries everything docs/worker-protocol.md asks of it. In order when every finding is
/// ok.
std::vector<ProtocolCheck> check_worker(WorkerOptions options);

/// The same by name (`torch`, `torch@2.13.0`, `so:./libmine.so`, `cmd:./my-worker`). One finding says of an
/// engine that runs in this process that there is no protocol to try. An engine that cannot be found is an
/// error.
spec::Result<std::vector<ProtocolCheck>> check_engine(const std::string& name, const Places& places);

}  // namespace scatterproof::engines
