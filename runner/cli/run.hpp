// SPDX-License-Identifier: Apache-2.0
// Cases on engines, judged.
#pragma once

#include <string>

#include "session.hpp"

namespace scatterproof::runner::cli {

struct RunFlags {
  CaseSelection selection;
  SessionFlags session;
  std::string resume;
  std::string record;  ///< file
  bool stop_at_first = false;
  int retries = 0;
  bool last_failed = false;
  bool failed_first = false;
};

int run_cases(RunFlags flags, const Context& context);

}  // namespace scatterproof::runner::cli
