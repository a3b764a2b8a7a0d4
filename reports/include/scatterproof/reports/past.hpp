// SPDX-License-Identifier: Apache-2.0
// The results of each API on each engine in earlier runs, as far as a report shows them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace scatterproof::reports {

struct PastRun {
  std::string run;      ///< its id
  std::string started;  ///< UTC, ISO 8601
  std::string command_line;
};

/// One API on one engine in one run. Calls without a result to judge (`unsupported`, `infra`) do not count,
/// and a flaky call counts as good.
struct PastPoint {
  std::size_t run = 0;  ///< a place in Past::runs
  std::string version;  ///< the engine's
  std::uint64_t calls = 0;
  std::uint64_t failures = 0;  ///< whether a baseline describes them or not
};

struct Past {
  std::vector<PastRun>
      runs;  ///< the oldest first; the last is the run that is reported. Empty: nothing is known
  /// By API and engine, as the records of the reported run name them. The oldest first; never empty.
  std::map<std::pair<std::string, std::string>, std::vector<PastPoint>> rows;
};

}  // namespace scatterproof::reports
