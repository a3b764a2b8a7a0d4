// SPDX-License-Identifier: Apache-2.0
// How many cores there are, for what asks for every call.
#pragma once

#include <algorithm>
#include <thread>

namespace scatterproof::spec {

/// At least 1. Asked of the system once: glibc opens a file of /sys each time.
inline int cores() {
  static const int count = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return count;
}

}  // namespace scatterproof::spec
