// SPDX-License-Identifier: Apache-2.0
// A call from the arguments that a Python function was given.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/engines/protocol/wire.hpp"
#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::python {

/// The spec of an API; an unknown one is an error with the nearest names.
spec::Result<const spec::OpSpec*> find_spec(const spec::SpecLibrary& specs, const std::string& api);

/// The spec by which a call with these arguments is judged: where a tuple of arrays, whose items come one by
/// one, is given for what `op` takes as one array, the spec that takes the tuple.
const spec::OpSpec& spec_for(const spec::OpSpec& op, const spec::SpecLibrary& specs,
                             const engines::protocol::Json& arguments);

/// The call with these arguments, by name, checked against those of the spec; defaults are filled in. Throws
/// engines::protocol::Wrong if they are not written as the worker protocol says.
spec::Result<spec::Call> call_of(const spec::OpSpec& op, const engines::protocol::Json& arguments,
                                 const engines::protocol::Payload& payload);

}  // namespace scatterproof::runner::python
