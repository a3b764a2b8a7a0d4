// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace scatterproof::runner {

/// The git revision that this program was built from: `ccb6051c2a3f`, `ccb6051c2a3f-dirty` or `unknown`.
const char* revision();

}  // namespace scatterproof::runner
