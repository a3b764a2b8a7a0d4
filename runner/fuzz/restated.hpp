// SPDX-License-Identifier: Apache-2.0
// The same question in other words: an engine that answers the two differently is inconsistent, whatever a
// document says.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::runner::fuzz {

struct Restated {
  spec::Call call;
  std::string_view by;  ///< what differs, as a subject of a diagnosis: `layout`, `index_dtype`, `variant`
  /// What only one of the two overwrites: it may be unable to hold what the other returns.
  std::vector<std::string> overwritten = {};
};

/// Calls with the same values that break the same rules: all tensors contiguous (where all are, those that
/// are only read get gaps between their rows), and every index of i32 in i64, or the reverse if the values
/// fit; and the same call by each variant.
std::vector<Restated> restated(const spec::OpSpec& op, const spec::Call& call, const spec::Target& target);

/// The dtypes of the index arguments: `i32 `. An engine may not offer all of them.
std::string index_dtypes(const spec::OpSpec& op, const spec::Call& call);

}  // namespace scatterproof::runner::fuzz
