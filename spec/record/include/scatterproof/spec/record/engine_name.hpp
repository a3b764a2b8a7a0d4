// SPDX-License-Identifier: Apache-2.0
// Names of engines, as records have them.
#pragma once

#include <string>

namespace scatterproof::spec {

/// `numpy` of `numpy@2.4.6`. The name of a kernel, a worker or a recording (`cmd:./a@b`) stays: a path may have an @.
inline std::string without_release(const std::string& engine) {
  const std::size_t at = engine.find('@');
  return engine.find(':') < at ? engine : engine.substr(0, at);
}

}  // namespace scatterproof::spec
