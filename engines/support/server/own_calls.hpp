// SPDX-License-Identifier: Apache-2.0
// The calls that every worker answers by itself (docs/formats/worker-protocol.md, §7).
#pragma once

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/spec/core/call.hpp"

namespace scatterproof::engines::protocol {

bool is_own_call(const spec::Call& call);
/// Precondition of these: is_own_call(call).
spec::Outcome run_own_call(const spec::Call& call);
/// With the gradients that the request asks for.
spec::Outcome run_own_call(const CallRequest& request);
PreparedCall prepare_own_call(const spec::Call& call);

}  // namespace scatterproof::engines::protocol
