// SPDX-License-Identifier: Apache-2.0
// The streams of all shards of a run as the stream of the run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/core/stable_hash.hpp"
#include "scatterproof/spec/record/record.hpp"
#include "scatterproof/spec/record/stream_file.hpp"

namespace scatterproof::runner {

/// The stream of a shard, and what is kept of each of its records.
struct ShardRun {
  spec::StreamFile stream;
  std::vector<spec::TextHash> kinds;  ///< what a record has in common with those that it is counted with

  /// `open` opens the stream, and gives each record to what it is given.
  static spec::Result<ShardRun> read(
      const std::function<spec::Result<spec::StreamFile>(const spec::TakeRecord& look)>& open);
};

/// A shard without which the run is not whole.
struct MissingShard {
  std::uint64_t index = 0;  ///< 1-based
  std::string what;         ///< that it is missing, or was cut off: a sentence
};

struct MergedRun {
  spec::StoredRun run;                ///< without an end unless all shards are there, whole
  std::vector<MissingShard> missing;  ///< by index
  std::vector<std::string> doubled;   ///< files that were left out: another one is of the same shard
};

/// Errors: a stream is not that of a shard, or they are of different runs: of other engines, numbers of
/// shards, seeds or releases of this program. The same streams, in any order, give the same run. Records of
/// `fuzz` about calls of one kind become one.
spec::Result<MergedRun> merged(std::vector<ShardRun> shards);

}  // namespace scatterproof::runner
