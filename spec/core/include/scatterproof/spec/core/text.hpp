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

/// Valid UTF-8 that a terminal, XML 1.0 and the log of a CI system take as text. Bytes that are not UTF-8
/// become `\xNN`. Control characters (except newline and tab), non-characters and invisible characters,
/// text-direction marks included, become `\xNN` or `\uNNNN`; so does the first character of anything that
/// such a system would take for a command.
std::string printable(std::string_view text);

/// `printable` without a line break or a tab, which become `\n` and `\t`: what is one word or one sentence.
std::string one_line(std::string_view text);

/// `printable`, with each line after the first one indented, so that none can be mistaken for a line of this
/// program.
std::string hanging(std::string_view text, std::size_t indent);

/// At most `longest` bytes, with `...` instead of the middle. Precondition: valid UTF-8.
std::string without_middle(std::string_view text, std::size_t longest);

}  // namespace scatterproof::spec
