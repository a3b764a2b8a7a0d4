// SPDX-License-Identifier: Apache-2.0
// A search for a call that shows a drawn fault, from the fault's own condition.
#pragma once

#include <optional>

#include "scatterproof/engines/faulty/drawn.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::selftest {

/// A call, and how many must come before it.
struct TellingCall {
  spec::Call call;
  std::int64_t calls_before = 0;
};

/// The first of a fixed number of built calls of this API, the small ones first, that shows the fault: the
/// document forbids what the faulty engine does and allows what the reference does. Empty: none of them, so
/// the fault is probably equivalent there. `op` is one of `specs`.
std::optional<TellingCall> find_showing_call(const engines::DrawnFault& fault, const spec::OpSpec& op,
                                             const spec::SpecLibrary& specs);

}  // namespace scatterproof::runner::selftest
