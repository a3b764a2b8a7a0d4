// SPDX-License-Identifier: Apache-2.0
// JSON from a worker; every part must be unambiguous.
#pragma once

#include <string_view>

#include "scatterproof/engines/protocol/wire.hpp"

namespace scatterproof::engines::protocol {

/// Throws Wrong where the text is not JSON, or an object has a key twice: it is undefined which of the two
/// counts.
Json parse_strictly(std::string_view text);

}  // namespace scatterproof::engines::protocol
