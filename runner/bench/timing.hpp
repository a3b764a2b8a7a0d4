// SPDX-License-Identifier: Apache-2.0
// Rows on engines: judged, then timed by Google Benchmark.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rows.hpp"
#include "scatterproof/engines/engine.hpp"
#include "scatterproof/spec/record/timing.hpp"

namespace scatterproof::runner::bench {

struct TimingRequest {
  std::span<const Row> rows;
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

/// Every row on every engine: a native engine executes the row's call, a framework's engine whichever of the
/// row's call and peers are its framework's. A call is made small and judged by its spec, then made whole and
/// held bit for bit against the scalar reference, then warmed up, then timed with each number of threads
/// (numpy has one). An engine that has several calls for the job is recorded with the quickest. One engine's
/// data live at a time. Where a framework only works out of place, native engines are timed so as well.
void time_rows(const TimingRequest& request);

}  // namespace scatterproof::runner::bench
