// SPDX-License-Identifier: Apache-2.0
// Answers a Python process that has imported `scatterproof` (engines/workers/python/scatterproof).
#pragma once

#include "scatterproof/engines/registry/registry.hpp"

namespace scatterproof::runner::python {

/// Answers the requests that come over a stream socket until it is closed. They have the form of the worker
/// protocol's messages (docs/formats/worker-protocol.md): one line of JSON, and the bytes that it announces.
/// The two ends are of one release, so this is not an interface for others. Each request has a `command`:
/// - `describe`: what an API's arguments are called, and which of them it overwrites;
/// - `judge`: the verdict on a result of a call;
/// - `allowed`: what the document allows a call to give, as arrays;
/// - `calls`: generated calls;
/// - `check`: generated calls are given to the worker that the other end then is on this channel, until it is
///   told to stop; then comes the answer.
/// What is wrong with a request is the answer's `error`. Returns the exit status.
int answer(int channel, const engines::Places& places);

}  // namespace scatterproof::runner::python
