// SPDX-License-Identifier: Apache-2.0
// Untrusted strings in HTML: as text, as the name of a place on a page, and as the name of a page.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace scatterproof::reports {

constexpr std::size_t longest_html_name = 300;  // bytes of an id, an API or an engine

/// Fit for an element's content and for an attribute in double quotes. At most `longest` bytes of the text.
std::string html_text(std::string_view raw, std::size_t longest = longest_html_name);
/// `<code>text</code>`.
std::string html_name(std::string_view raw);
/// Letters, digits and `._-/` of the text; every other byte as `~` and two hexadecimal digits; a long one
/// ends in its hash. Fit for an `id` and, as it is, for a fragment.
std::string html_anchor(std::string_view raw);
/// The same for the name of a file.
std::string html_file(std::string_view raw);

/// A text to copy; a script makes the button. A text that is longer is cut, and gets no button: half a
/// command is useless.
std::string html_to_copy(const std::string& text, std::size_t longest);

/// A table with these heads over rows of HTML. A table wider than the page scrolls within it, also with the
/// keyboard. The label says what it is; `classes` are the table's, and may be empty.
std::string html_table(std::string_view label, std::string_view classes,
                       const std::vector<std::string>& heads, std::string_view rows);

/// The pages' own style and scripts: page.css, common.js (every page), page.js (the run's report) and site.js
/// (the site), embedded by the build.
extern const std::string_view page_css;
extern const std::string_view common_js;
extern const std::string_view page_js;
extern const std::string_view site_js;

}  // namespace scatterproof::reports
