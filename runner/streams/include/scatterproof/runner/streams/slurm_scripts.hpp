// SPDX-License-Identifier: Apache-2.0
// The job scripts of a sharded run on Slurm (docs/use/shards.md).
#pragma once

#include <string>
#include <vector>

namespace scatterproof::runner {

/// A run or fuzz that is to be made in shards, and where its files go.
struct SlurmWork {
  std::string program;                   ///< absolute path of this program
  std::string folder;                    ///< in which the command is given: relative paths are seen from here
  std::string out;                       ///< absolute path of the folder of scripts, streams and logs
  int shards = 1;                        ///< at least 1
  std::vector<std::string> command;      ///< `run` or `fuzz` and its arguments
  std::vector<std::string> sbatch_args;  ///< for both jobs, such as `--partition=gpu`
  std::vector<std::string> reports;      ///< of the whole, KIND=PATH
  bool verbose = false;                  ///< the report of the whole that goes to its log
};

/// `out`/shards.sh, a job array with a task for each shard.
std::string shards_script(const SlurmWork& work);
/// `out`/merge.sh, which joins the streams of the shards; for Slurm, or to be run by hand.
std::string merge_script(const SlurmWork& work);

}  // namespace scatterproof::runner
