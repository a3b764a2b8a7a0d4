// SPDX-License-Identifier: Apache-2.0
// What a result holds before a kernel writes it.
#pragma once

#include <cstddef>

namespace scatterproof::engines {

/// What each byte of a gather's result holds before a kernel of a `so:` engine runs. It makes values that no
/// documented example has, and no NaN, which would pass where NaN is right.
inline constexpr std::byte unwritten{0xCB};

}  // namespace scatterproof::engines
