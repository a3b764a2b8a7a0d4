// SPDX-License-Identifier: Apache-2.0
// `bench --workers`: calls judged through workers, compared with bare loops of the frameworks.
#pragma once

#include <string>

#include "session.hpp"

namespace scatterproof::runner::cli {

struct BenchWorkersFlags {
  SessionFlags session;
  int repetitions = 10;
  std::string out;  ///< a folder; empty: nothing is written
};

/// Times the engines named, or the newest release of each framework that is installed, and prints a table.
int bench_workers(const BenchWorkersFlags& flags, const Context& context);

}  // namespace scatterproof::runner::cli
