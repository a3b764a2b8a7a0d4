// SPDX-License-Identifier: Apache-2.0
#include "html/page.hpp"

#include <fmt/format.h>

#include "html/markup.hpp"
#include "timing/svg.hpp"

namespace scatterproof::reports {

std::string whole_page(const PageParts& parts) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{}<title>{}</title>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "{}{}"
      "</head>\n<body>\n{}{}</body>\n</html>\n",
      parts.security.empty() ? ""
                             : fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n",
                                           html_text(parts.security)),
      html_text(parts.title),
      parts.tool_version.empty() ? ""
                                 : fmt::format("<meta name=\"generator\" content=\"scatterproof {}\">\n",
                                               html_text(parts.tool_version)),
      parts.style, parts.body, parts.script);
}

std::string page_style() { return std::string(page_css) + plot_style(); }

std::string single_file_page(const std::string& title, const std::string& tool_version,
                             const std::string& body, std::string_view script) {
  return whole_page({.title = title,
                     .tool_version = tool_version,
                     .security = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'",
                     .style = fmt::format("<style>\n{}</style>\n", page_style()),
                     .script = fmt::format("<script>\n{}{}</script>\n", common_js, script),
                     .body = body});
}

}  // namespace scatterproof::reports
