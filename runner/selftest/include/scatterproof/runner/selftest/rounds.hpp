// SPDX-License-Identifier: Apache-2.0
// What the trials of faults share: the calls they are given, and the threads.
#pragma once

#include <cstddef>
#include <thread>
#include <vector>

#include "scatterproof/runner/selftest/selftest.hpp"

namespace scatterproof::runner::selftest {

struct ApiCalls {
  const spec::OpSpec* op;
  Calls calls;
};

/// The specs that a kernel executes. A variant differs from its spec only in what it overwrites, and is left
/// out.
inline std::vector<const spec::OpSpec*> tried_specs(const spec::SpecLibrary& specs) {
  std::vector<const spec::OpSpec*> tried;
  for (const spec::OpSpec& op : specs.all())
    if (!op.kernel.op.empty() && op.variant_of.empty()) tried.push_back(&op);
  return tried;
}

/// Calls of every API that is tried. `specs` must outlive them.
inline std::vector<ApiCalls> calls_of_kernels(const spec::SpecLibrary& specs, const CallMaker& calls) {
  std::vector<ApiCalls> sources;
  for (const spec::OpSpec* op : tried_specs(specs)) sources.push_back({op, calls(*op)});
  return sources;
}

/// Calls work(0) to work(count - 1), each on a thread of its own, the first on the caller's. `count` is at
/// least 1.
template <class Work>
void in_parallel(std::size_t count, Work work) {
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < count; ++i) threads.emplace_back(work, i);
  work(std::size_t{0});
}

}  // namespace scatterproof::runner::selftest
