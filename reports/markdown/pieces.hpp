// SPDX-License-Identifier: Apache-2.0
// Untrusted strings in Markdown.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace scatterproof::reports {

inline constexpr std::size_t longest_markdown_name = 120;  // bytes of an id, an API or an engine

/// Printable, in one line.
std::string on_a_line(std::string_view text, std::size_t longest);
std::string code_span(std::string_view raw, std::size_t longest = longest_markdown_name);
/// Ends in a blank line.
std::string code_block(std::string_view language, const std::string& text);

}  // namespace scatterproof::reports
