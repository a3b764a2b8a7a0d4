// SPDX-License-Identifier: Apache-2.0
// The streams of all shards of a run as the stream of the run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::runner {

/// The stream of a shard, and the file that it is in.
struct ShardRun {
  std::string file;
  spec::Run run;
};

/// A shard without which the run is not whole.
struct MissingShard {
  std::uint64_t index = 0;  ///< 1-based
  std::string what;         ///< that it is missing, or was cut off: a sentence
};

struct MergedRun {
  spec::Run run;                      ///< without an end unless all shards are there, whole
  std::vector<MissingShard> missing;  ///< by index
  std::vector<std::string> doubled;   ///< files that were left out: another one is of the same shard
};

/// Errors: a stream is of no shard, or they are of different runs: of other engines, numbers of shards, seeds or releases
/// of this program. The same streams, in any order, give the same run. Records of `fuzz` about calls of one kind become one.
spec::Result<MergedRun> merged(std::vector<ShardRun> shards);

}  // namespace scatterproof::runner
