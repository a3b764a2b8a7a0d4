// SPDX-License-Identifier: Apache-2.0
// Fork and exec, with everything that must be done in between.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "namespace.hpp"

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

/// Its worker is -1, with errno, if there is none. The worker leads its own process group, has no input, has
/// given up its rights (rights.hpp), and dies with this process, however that ends. Where the system allows
/// it, it is in a process namespace (namespace.hpp). Otherwise it is the subreaper of its descendants
/// (PR_SET_CHILD_SUBREAPER(2const)), and after its end this process is. From the first launch on, this
/// process refuses tracers.
Forked launch(const Launch& what);

}  // namespace scatterproof::engines::protocol
