// SPDX-License-Identifier: Apache-2.0
// What a document allows, as arrays.
#pragma once

#include <string>

#include "scatterproof/engines/protocol/wire.hpp"
#include "scatterproof/spec/judge/expectation.hpp"

namespace scatterproof::runner::python {

/// Appends an object: `because`, the document's reason, `may_refuse`, and one of
/// - `result`: tensors of the result's shape: the least and the greatest number that each cell may hold,
///   whether it may be NaN, and whether the document says nothing about it;
/// - `classes`: the names of the acceptable exceptions, none if any will do;
/// - `open`: true where the document says that the call is undefined, false where it says nothing.
void write_allowed(const spec::Expectation& expectation, std::string& line,
                   engines::protocol::Parcel& payload);

}  // namespace scatterproof::runner::python
