// SPDX-License-Identifier: Apache-2.0
// A page around its content.
#pragma once

#include <string>
#include <string_view>

namespace scatterproof::reports {

/// `style` and `script` are the elements that bring them, or nothing.
struct PageParts {
  std::string title;
  std::string tool_version;  ///< empty: the page does not name it
  std::string security;      ///< the page's content security policy; empty: the server's
  std::string style;
  std::string script;
  std::string body;
};
std::string whole_page(const PageParts& parts);

/// The style of all pages, and of the plots in them.
std::string page_style();

/// One self-contained file: the style, and a script that copies. `script` is what else the page's script
/// does.
std::string single_file_page(const std::string& title, const std::string& tool_version,
                             const std::string& body, std::string_view script);

}  // namespace scatterproof::reports
