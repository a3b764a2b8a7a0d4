// SPDX-License-Identifier: Apache-2.0
// Untrusted bytes as text: UTF-8 read one character at a time, and what a terminal may be shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace scatterproof::spec {

struct Decoded {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  ///< 0: no well-formed UTF-8 (Unicode table 3-7) begins here
};

/// The first character. Precondition: the text is not empty.
Decoded decode(std::string_view text);

/// Valid UTF-8 that a terminal and XML 1.0 accept as it is: bytes that are not UTF-8 become `\xNN`, control
/// characters (but newline and tab), text-direction marks and non-characters `\xNN` or `\uNNNN`.
std::string printable(std::string_view text);

/// At most `longest` bytes and `...` in place of the middle. Precondition: valid UTF-8.
std::string without_middle(std::string_view text, std::size_t longest);

}  // namespace scatterproof::spec
