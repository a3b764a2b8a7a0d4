// SPDX-License-Identifier: Apache-2.0
// Rows on engines: judged, then timed by Google Benchmark.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/runner/bench/rows.hpp"
#include "scatterproof/spec/record/timing.hpp"

namespace scatterproof::runner::bench {

struct TimingRequest {
  std::span<const BenchmarkRow> rows;
  std::span<const std::unique_ptr<engines::Engine>> engines;
  const spec::SpecLibrary* specs = nullptr;
  spec::MachineRecord machine;
  std::vector<int> threads;
  int repetitions = 10;
  std::uint64_t seed = 0;
  std::string google_json;  ///< a file for Google Benchmark's own report; empty: none
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(const std::string& what)> progress;         ///< what is being timed now
  std::function<void(const spec::TimingRecord& record)> record;  ///< as soon as a row is done
};

/// Times every row on every engine. A native engine executes the row's call; a framework engine executes
/// those of the row's call and peers that belong to its framework. Each call is first made small and judged
/// by its spec, then made at full size and compared bit for bit with the scalar reference, then warmed up,
/// then timed with each number of threads (numpy has one). If an engine has several calls for the purpose,
/// the fastest is recorded. Only one engine's data exist at a time. Where a framework only works out of
/// place, native engines are also timed out of place.
void time_rows(const TimingRequest& request);

}  // namespace scatterproof::runner::bench
