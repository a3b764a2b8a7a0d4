// SPDX-License-Identifier: Apache-2.0
// JSON of a worker, of which no part may be in doubt.
#pragma once

#include <string_view>

#include "scatterproof/engines/protocol/wire.hpp"

namespace scatterproof::engines::protocol {

/// Throws Wrong where the text is no JSON, or an object has a key twice: which of the two counts is anybody's guess.
Json parse_strictly(std::string_view text);

}  // namespace scatterproof::engines::protocol
