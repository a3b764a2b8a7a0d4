// SPDX-License-Identifier: Apache-2.0
// The cases of dtypes that an engine lacks, in a dtype that it has.
#pragma once

#include <optional>
#include <string>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/spec/cases/case.hpp"

namespace scatterproof::runner {

struct Recast {
  spec::Case made;    ///< with the id of the case; what its file states about dtypes and values is gone
  std::string dtype;  ///< of its data: `f32`; with another dtype of the index too: `f32, index i32`
};

/// The case in the first dtype that the engine supports. Every value is kept exactly, and each rule is obeyed
/// or broken as before. Empty if there is no such dtype, or if the dtype is the point of the case: its topic
/// is `dtype`, or it has values that not every dtype of their kind has.
std::optional<Recast> recast(const spec::Case& one, const spec::OpSpec& op, const engines::Engine& engine);

}  // namespace scatterproof::runner
