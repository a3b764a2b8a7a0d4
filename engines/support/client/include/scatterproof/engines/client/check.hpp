// SPDX-License-Identifier: Apache-2.0
// Checks that a worker speaks the protocol and returns what it was asked for: an acceptance test for a new
// adapter, before any spec is involved.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/engines/client/worker.hpp"

namespace scatterproof::engines {

struct ProtocolCheck {
  bool ok = true;
  std::string what;  ///< one sentence: what works, or what is wrong
  std::string hint;  ///< how to fix it; empty when it works
};

/// Starts a worker and tries everything that docs/formats/worker-protocol.md asks of it. The worker conforms
/// when every finding is ok.
std::vector<ProtocolCheck> check_worker(WorkerOptions options);

}  // namespace scatterproof::engines
