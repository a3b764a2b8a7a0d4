// SPDX-License-Identifier: Apache-2.0
// Pages of a site: markup around plain data, one style sheet and one script for all.
#include "scatterproof/reports/site.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "html/markup.hpp"
#include "html/page.hpp"

namespace scatterproof::reports {
namespace {

constexpr std::size_t longest_span = 4000;         // bytes of a span
constexpr std::size_t longest_site_code = 20'000;  // bytes
constexpr std::string_view style_file = "scatterproof.css";
constexpr std::string_view script_file = "scatterproof.js";

constexpr std::string_view class_of(SiteSpan::Look look) {
  constexpr std::array names = {"", "", "", "", "passed", "failed", "known"};
  return names[static_cast<std::size_t>(look)];
}

/// A page of the site, a place on one, or a page elsewhere; nothing that a browser would execute.
bool is_safe(const std::string& link) {
  if (link.starts_with("https://") || link.starts_with("http://")) return true;
  const std::size_t colon = link.find(':');
  return !link.empty() && !link.starts_with('/') && (colon == std::string::npos || link.find('#') < colon);
}

std::string html_of(const SiteSpan& span) {
  std::string text = html_text(span.text, longest_span);
  const auto look = span.look;
  if (look == SiteSpan::Look::code)
    text = fmt::format("<code{}>{}</code>",
                       span.id.empty() ? "" : fmt::format(" id=\"{}\"", html_text(span.id)), text);
  if (look == SiteSpan::Look::strong) text = "<strong>" + text + "</strong>";
  if (look == SiteSpan::Look::quiet) text = "<i>" + text + "</i>";  // a site has tens of thousands: no class
  if (const std::string_view name = class_of(look); !name.empty())
    text = fmt::format("<b class=\"{}\">{}</b>", name, text);
  if (!is_safe(span.link)) return text;
  return fmt::format("<a href=\"{}\">{}</a>", html_text(span.link, longest_span), text);
}

std::string html_of(const SiteLine& line) {
  std::string text;
  for (const SiteSpan& span : line) text += html_of(span);
  return text;
}

/// A heading that links to itself.
std::string html_of(const SiteHeading& heading) {
  return fmt::format("<h{0} id=\"{1}\"><a href=\"#{1}\">{2}</a></h{0}>\n", heading.level,
                     html_text(heading.id), html_text(heading.text, longest_span));
}

std::string html_of(const SiteParagraph& paragraph) {
  return fmt::format("<p>{}</p>\n", html_of(paragraph.line));
}

std::string html_of(const SiteList& list) {
  std::string text = list.searched ? "<ul class=\"searched\">\n" : "<ul>\n";
  for (const SiteLine& item : list.items) text += fmt::format("<li>{}</li>\n", html_of(item));
  return text + "</ul>\n";
}

/// Without the end tags that HTML lets one leave out: a site has tens of thousands of rows.
std::string html_of(const SiteRow& row) {
  std::string text = row.id.empty() ? "<tr>" : fmt::format("<tr id=\"{}\">", html_text(row.id));
  const std::string cell = row.rows > 1 ? fmt::format("<td rowspan=\"{}\">", row.rows) : "<td>";
  for (std::size_t i = 0; i < row.cells.size(); ++i)
    text += (i == 0 ? "<th scope=\"row\">" : cell) + html_of(row.cells[i]);
  return text + '\n';
}

std::string html_of(const SiteTable& table) {
  std::string rows;
  for (const SiteRow& row : table.rows) rows += html_of(row);
  return html_table(table.label, "wide told", table.heads, rows);
}

std::string html_of(const SiteCode& code) { return html_to_copy(code.text, longest_site_code); }

std::string html_of(const SiteSearch& search) {
  return fmt::format(
      "<form id=\"filters\" role=\"search\" hidden>\n<label>{} <input type=\"search\" id=\"q\" "
      "autocomplete=\"off\" spellcheck=\"false\"></label>\n<output id=\"shown\" "
      "aria-live=\"polite\"></output>\n</form>\n",
      html_text(search.label));
}

std::string html_of(const std::vector<SiteBlock>& blocks);

std::string html_of(const SiteFold& fold) {
  return fmt::format("<details class=\"fold\"{}>\n<summary>{}</summary>\n<div>{}</div></details>\n",
                     fold.id.empty() ? "" : fmt::format(" id=\"{}\"", html_text(fold.id)),
                     html_of(fold.title), html_of(fold.blocks));
}

std::string html_of(const std::vector<SiteBlock>& blocks) {
  std::string text;
  for (const SiteBlock& block : blocks)
    text += std::visit([](const auto& one) { return html_of(one); }, block);
  return text;
}

std::string list_of(const SiteLine& links) {
  std::string text;
  for (const SiteSpan& link : links) text += html_of(link) + ' ';
  return text;
}

}  // namespace

std::string site_file(const std::string& name) { return html_file(name); }
std::string site_id(const std::string& name) { return html_anchor(name); }

SiteWriter::SiteWriter(Folder& folder, SiteFrame frame) : folder_(folder), frame_(std::move(frame)) {
  folder_.write(std::string(style_file), page_style());
  folder_.write(std::string(script_file), std::string(common_js) + std::string(site_js));
}

std::string SiteWriter::made_of(const SitePage& page) const {
  const std::string made = html_text(frame_.made, longest_span);
  return page.file == frame_.entry ? made + ' ' + html_text(frame_.from, longest_span)
                                   : fmt::format("<a href=\"{}#made\">{}</a>", frame_.entry, made);
}

void SiteWriter::write(const SitePage& page) {
  const std::string trail =
      page.trail.empty() ? ""
                         : fmt::format("<nav aria-label=\"Above this page\">{}</nav>\n", list_of(page.trail));
  const std::string lead = page.lead.empty() ? "" : fmt::format("<p>{}</p>\n", html_of(page.lead));
  folder_.write(
      page.file,
      whole_page({.title = page.title + " - scatterproof",
                  .tool_version = page.file == frame_.entry ? frame_.tool_version : "",
                  .security = {},
                  .style = fmt::format("<link rel=\"stylesheet\" href=\"{}\">\n", style_file),
                  .script = fmt::format("<script src=\"{}\"></script>\n", script_file),
                  .body = fmt::format("<a class=\"skip\" href=\"#main\">Skip to the content</a>\n<nav "
                                      "aria-label=\"Site\">{}</nav>\n{}"
                                      "<main "
                                      "id=\"main\">\n<header>\n<h1>{}</h1>\n{}</header>\n{}</"
                                      "main>\n<footer id=\"made\">\n<p>{}</p>\n</footer>\n",
                                      list_of(frame_.pages), trail, html_text(page.title, longest_span), lead,
                                      html_of(page.blocks), made_of(page))}));
}

}  // namespace scatterproof::reports
