// SPDX-License-Identifier: Apache-2.0
// What `help` and the manual pages contain in addition to the verbs: exit codes and environment variables.
#pragma once

#include <span>
#include <string>

#include "page.hpp"

namespace scatterproof::runner::cli {

struct Topic {
  std::string name;  ///< `exit-codes`
  std::string purpose;
  Section section;
};

std::span<const Topic> topics();

}  // namespace scatterproof::runner::cli
