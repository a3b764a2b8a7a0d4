// SPDX-License-Identifier: Apache-2.0
// Processes that a worker started and that have left its process group, such as daemons.
#pragma once

#include <sys/types.h>

#include <functional>
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
  /// If it has ended and is this process's child.
  void reap() const;
};

/// The processes outside the group of `worker` that descend from it, or from its namespace's keeper (0: there
/// is none), or were started with `mark`, a NAME=value, in their environment. Without a keeper also those
/// that this process adopted: they descend from a worker that has ended.
std::vector<Stray> strays_of(pid_t worker, pid_t keeper, std::string_view mark);

/// Calls `fork`. Until it is disowned, the child that `fork` returns (-1: none) does not count as adopted,
/// nor does the group that it leads.
pid_t own(const std::function<pid_t()>& fork);
void disown(pid_t child);

}  // namespace scatterproof::engines::protocol
