// SPDX-License-Identifier: Apache-2.0
// Engines made of tests/unit/engines/client/mock_worker.py, and what the supervision tests ask of them.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "scatterproof/engines/client/worker.hpp"

namespace scatterproof::engines::testing {

/// A mock worker, with a mark on its command line that no other process has.
struct Mock {
  explicit Mock(std::vector<std::string> flags = {});

  WorkerOptions options;
  std::string mark;

  /// Waits a while for every process with the mark to be gone; how many are not.
  int processes_left() const;
};

/// A call of `mock.<name>` with x = i64[2] [number, number + 1].
spec::Call mock_call(const std::string& name, std::int64_t number = 0);

/// The values an honest answer to that call has: each of x plus one.
bool answered_honestly(const spec::Outcome& outcome, std::int64_t number);

/// What the outcome is; null when it is of another kind.
template <class Kind>
const Kind* as(const spec::Outcome& outcome) {
  return std::get_if<Kind>(&outcome.what);
}

/// The calls must outlive the requests.
std::vector<CallRequest> requests_of(std::span<const spec::Call> calls,
                                     std::chrono::milliseconds timeout = std::chrono::seconds(20));

/// Runs the calls on an engine, in one go.
std::vector<spec::Outcome> run(Engine& engine, const std::vector<spec::Call>& calls,
                               std::chrono::milliseconds timeout = std::chrono::seconds(20));

}  // namespace scatterproof::engines::testing
