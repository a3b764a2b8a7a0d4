// SPDX-License-Identifier: Apache-2.0
// The same question in other words: an engine that answers the two differently is inconsistent, whatever a
// document says.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/family/family.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::runner::fuzz {

struct Restated {
  spec::Call call;
  std::string_view by;  ///< what differs, as a subject of a diagnosis: `layout`, `index_dtype`, `variant`,
                        ///< `batch`, `form`
  /// What only one of the two overwrites: it may be unable to hold what the other returns.
  std::vector<std::string> overwritten = {};
  std::optional<std::size_t> twice_along = {};  ///< its result is the other's twice, along this dimension
  engines::Engine* form = nullptr;  ///< another form of the engine, which is asked; null: the engine itself
};

/// What the restated call gives if it is answered as the other was.
spec::Outcome restated(const spec::Outcome& outcome, const Restated& how);

/// Whether two engines are forms of one installation: `torch` and `torch:compile`, of one version.
bool are_forms(const engines::EngineInfo& a, const engines::EngineInfo& b);

/// Calls with the same values that break the same rules: all tensors contiguous (where all are, those that
/// are only read get gaps between their rows), and every index of i32 in i64, or the reverse if the values
/// fit; the lookups twice, where the API is of a family that has some (null: it is of none); and the same
/// call by each variant.
std::vector<Restated> restated(const spec::OpSpec& op, const spec::Call& call, const spec::Target& target,
                               const spec::Family* family);

/// The dtypes of the index arguments: `i32 `. An engine may not offer all of them.
std::string index_dtypes(const spec::OpSpec& op, const spec::Call& call);

}  // namespace scatterproof::runner::fuzz
