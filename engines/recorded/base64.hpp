// SPDX-License-Identifier: Apache-2.0
// Base64 (RFC 4648, section 4), with padding.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scatterproof::engines {

std::string to_base64(std::span<const std::byte> bytes);
/// Empty when the text is not base64.
std::optional<std::vector<std::byte>> from_base64(std::string_view text);

}  // namespace scatterproof::engines
