// SPDX-License-Identifier: Apache-2.0
#include "revision.hpp"

namespace scatterproof::runner {

const char* revision() {
  return
#include "revision.inc"
      ;
}

}  // namespace scatterproof::runner
