// SPDX-License-Identifier: Apache-2.0
// Untrusted strings in HTML: as text, as the name of a place on a page, and as the name of a page.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace scatterproof::reports {

constexpr std::size_t longest_html_name = 300;  // bytes of an id, an API or an engine

/// Fit for an element's content and for an attribute in double quotes. At most `longest` bytes of the text.
std::string html_text(std::string_view raw, std::size_t longest = longest_html_name);
/// `<code>text</code>`.
std::string html_name(std::string_view raw);
/// Letters, digits and `._-/` of the text, the rest as `~` and two hexadecimal digits; a long one ends in its hash. Fit
/// for an `id` and, as it is, for a fragment.
std::string html_anchor(std::string_view raw);
/// The same for the name of a file.
std::string html_file(std::string_view raw);

/// The page's own style and script: page.css and page.js, embedded by the build.
extern const std::string_view page_css;
extern const std::string_view page_js;

}  // namespace scatterproof::reports
