// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::runner {

/// Which part of the work is this process's, and who says so.
struct GivenShard {
  std::string shard;     ///< I/N, 1-based
  std::string variable;  ///< that holds I
};

/// Gives the value of a variable; empty when it is not set.
using Environment = std::function<std::string(const std::string& variable)>;

/// The variables that name a part and are set, in the order in which they are asked.
std::vector<std::string> shard_variables(const Environment& lookup);

/// The shard that Bazel, GoogleTest's protocol, a Slurm array, an indexed job of Kubernetes or the parallel
/// jobs of a CI system give this process. Errors: none of them, two that disagree, or values that are not
/// numbers.
spec::Result<GivenShard> shard_of_environment(const Environment& lookup);

}  // namespace scatterproof::runner
