// SPDX-License-Identifier: Apache-2.0
// Processes that a worker started and that have left its process group, such as daemons.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "descriptor.hpp"

namespace scatterproof::engines::protocol {

struct Stray {
  std::string name;    ///< `sleep (process 123)`
  Descriptor process;  ///< of the process itself: its number may come to mean another

  /// False when it has ended.
  bool kill() const;
};

/// The processes outside the group of `leader` that descend from it, or were started with `mark`, a NAME=value,
/// in their environment: descendants of a leader that has ended.
std::vector<Stray> strays_of(pid_t leader, std::string_view mark);

}  // namespace scatterproof::engines::protocol
