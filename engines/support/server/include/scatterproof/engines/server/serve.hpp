// SPDX-License-Identifier: Apache-2.0
// The worker's end of the worker protocol (docs/formats/worker-protocol.md), for engines written in C++ that
// should not share a process with the tool: a driver whose errors stick, a kernel that may crash.
#pragma once

#include <functional>
#include <string>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::engines {

/// Makes this process a worker: answers the tool on the channel that SCATTERPROOF_WORKER_FD names until it is
/// told to stop or the channel closes. What main() returns, and all that it does after making the engine:
///
///     int main() {
///       const auto specs = scatterproof::engines::shipped_specs();
///       if (!specs) return scatterproof::engines::decline(to_string(specs.errors()));
///       return scatterproof::engines::serve(*make_my_engine(*specs));
///     }
///
/// `engine.start()` is called first; a reason from it is the answer to start, so that the engine is reported
/// as `unavailable: <the reason>` and nothing fails. Then `engine.info()` is what the worker declares (a
/// framework that is empty is left out: the engine is judged as native ones are).
///
/// Calls are executed one by one through Engine::run, each on tensors of storage of its own in the layout
/// that the tool gave. Produced, Refused (class list and message) and Unsupported (reason) are answered as
/// they are. `engine.supports(call)` is asked first. Every other outcome, such as the Garbled of an
/// InProcessEngine that threw, is answered with `misbehaved` (§6 there) and its message; the process ends,
/// and the tool reports a crash with this message. The calls that every worker answers (§7 there) are
/// answered here and never reach the engine; Engine::prepare serves the timed ones.
///
/// The exit status: 0, or 1 after a call that misbehaved, or when there is no channel or it delivers an
/// invalid message.
int serve(Engine& engine);

/// The same for a program without an engine: answers start with the reason, and serves nothing.
int decline(const std::string& reason);

/// The spec files that the tool itself uses: it tells its workers where they are (SCATTERPROOF_DATA).
spec::Result<spec::SpecLibrary> shipped_specs();

/// The same specs, each read when it is first asked for: to read all takes as long as thousands of calls, and
/// a kernel that crashes is started hundreds of times. A file that cannot be read has no specs. The
/// function gives the spec of an API, which lives as long as the function; null: there is none.
spec::Result<std::function<const spec::OpSpec*(const std::string& api)>> shipped_specs_by_need();

}  // namespace scatterproof::engines
