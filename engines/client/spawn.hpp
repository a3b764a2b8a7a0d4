// SPDX-License-Identifier: Apache-2.0
// Fork and exec, with everything that must be done in between.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace scatterproof::engines::protocol {

/// The worker's descriptor of the channel.
inline constexpr int channel_number = 3;

struct Launch {
  std::vector<std::string> arguments;    ///< the first is the program's path
  std::vector<std::string> environment;  ///< NAME=value
  std::string folder;                    ///< the working directory; empty: this process's
  int channel;
  int out;
  int err;
  std::uint64_t address_space;
};

/// The child's process id, or -1 with errno. The child leads its own process group, has no input, and dies
/// with this process, whatever ends it.
pid_t launch(const Launch& what);

}  // namespace scatterproof::engines::protocol
