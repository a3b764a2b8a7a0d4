// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::runner::fuzz {

/// The largest rank of its tensors.
std::size_t most_dimensions(const spec::Call& call);

/// A call that obeys the rules too and has the same ranks, numbers of elements and other arguments, but other
/// shapes: an engine that keeps something for "the same" call must distinguish them. Empty: none is found.
std::optional<spec::Call> sibling_of(const spec::OpSpec& op, const spec::Call& call,
                                     const spec::Target& target);

/// A call of the same tensors that obeys the rules too, with another integer or truth, such as an axis.
/// Empty: there is none.
std::optional<spec::Call> with_other_attribute(const spec::OpSpec& op, const spec::Call& call,
                                               const spec::Target& target);

}  // namespace scatterproof::runner::fuzz
