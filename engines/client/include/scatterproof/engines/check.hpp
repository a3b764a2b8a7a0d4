// SPDX-License-Identifier: Apache-2.0
// Whether a worker speaks the protocol and returns what it was asked: proof for a new adapter, before any
// document.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/engines/worker.hpp"

namespace scatterproof::engines {

struct ProtocolCheck {
  bool ok = true;
  std::string what;  ///< one sentence: what was found in order, or what is wrong
  std::string hint;  ///< how to fix it; empty when in order
};

/// Starts a worker and tries everything docs/worker-protocol.md asks of it. In order when every finding is
/// ok.
std::vector<ProtocolCheck> check_worker(WorkerOptions options);

}  // namespace scatterproof::engines
