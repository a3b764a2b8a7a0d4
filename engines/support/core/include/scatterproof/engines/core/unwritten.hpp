// SPDX-License-Identifier: Apache-2.0
// What a result holds before a kernel writes it.
#pragma once

#include <cstddef>

namespace scatterproof::engines {

/// Each byte of a gather's result, which no call of `so:` engines begins with anything else in: values that
/// no documented example has. Not NaN, which would pass where NaN is right.
inline constexpr std::byte unwritten{0xCB};

}  // namespace scatterproof::engines
