// SPDX-License-Identifier: Apache-2.0
// The values that a spec's expressions see for a call.
#pragma once

#include <string>

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/language/language.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::spec {

/// The types an argument can have, before any call.
language::Types static_types(const ArgumentDecl& declared);

/// The names that rules, meaning and formulas start from: arguments, then lets.
language::Scope base_scope(const OpSpec& spec);

/// The frame of `base_scope`. It points into the call, which must outlive it. A let without a value for this
/// call becomes none, and `missing` says why.
struct CallFrame {
  language::Frame frame;
  std::string missing;  ///< "axis has no value: ..."; empty when every let has one
};
CallFrame make_frame(const OpSpec& spec, const Call& call);

}  // namespace scatterproof::spec
