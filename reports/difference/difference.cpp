// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/reports/difference.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "html/markup.hpp"
#include "html/page.hpp"
#include "markdown/pieces.hpp"
#include "text.hpp"

namespace scatterproof::reports {
namespace {

constexpr std::size_t longest_outcome = 1500;     // bytes
constexpr std::size_t most_html = 5u << 20;       // bytes of groups
constexpr std::size_t most_markdown = 63 * 1024;  // of the page without its last sentence

/// The ids, in the words of a page.
template <class Word>
std::string ids_of(const DifferenceGroup& group, const Word& word) {
  std::string text;
  for (const std::string& id : group.ids) text += (text.empty() ? "" : ", ") + word(id);
  const std::size_t more = group.calls - group.ids.size();
  return text + (more > 0 ? fmt::format(" and {} more", more) : "");
}

std::string html_group(const DifferenceGroup& group) {
  std::string text = fmt::format(
      "<details class=\"failure\">\n<summary><b>{}</b> <span class=\"what\">{}</span></summary>\n"
      "<div class=\"body\">\n<dl>\n<dt>before</dt><dd>{}</dd>\n<dt>after</dt><dd>{}</dd>\n</dl>\n",
      html_text(group.direction), html_text(group.title, longest_outcome),
      html_text(group.before, longest_outcome), html_text(group.after, longest_outcome));
  if (!group.explanation.empty())
    text += fmt::format("<pre class=\"story\">{}</pre>\n", html_text(group.explanation, longest_outcome));
  if (!group.reproduce.empty())
    text += "<p>Reproduce:</p>\n" + html_to_copy(group.reproduce, longest_outcome);
  return text + fmt::format("<p>{}</p>\n</div>\n</details>\n",
                            ids_of(group, [](const std::string& id) { return html_name(id); }));
}

std::string markdown_group(const DifferenceGroup& group) {
  std::string text = fmt::format(
      "### {}: {}\n\nbefore: {}\n\nafter: {}\n\n", group.direction, code_span(group.title, longest_outcome),
      code_span(group.before, longest_outcome), code_span(group.after, longest_outcome));
  if (!group.explanation.empty())
    text += code_block("text", capped(printable(group.explanation), longest_outcome));
  if (!group.reproduce.empty() && group.reproduce.size() < longest_outcome)
    text += code_block("sh", printable(group.reproduce));
  return text + ids_of(group, [](const std::string& id) { return code_span(id); }) + "\n\n";
}

/// Groups until the room is used up, then how many there would have been.
template <class Write>
void add_groups(const DifferencePage& page, std::size_t most, std::string& text, const Write& write) {
  std::size_t shown = 0;
  while (shown < page.groups.size() && append_within(text, most, write(page.groups[shown]))) ++shown;
  if (shown < page.groups.size())
    text += fmt::format("{} more groups of changes are not shown.\n", page.groups.size() - shown);
}

}  // namespace

void write_difference_page(std::ostream& out, const DifferencePage& page) {
  const std::string title = fmt::format("{} and {}", page.before, page.after);
  std::string body = fmt::format("<header>\n<h1>{}</h1>\n<p>{}</p>\n</header>\n<main>\n", html_text(title),
                                 html_text(page.summary, longest_outcome));
  if (!page.note.empty()) body += fmt::format("<p>Note: {}</p>\n", html_text(page.note, longest_outcome));
  add_groups(page, most_html, body, html_group);
  out << single_file_page(title + " - scatterproof", page.tool_version, body + "</main>\n", "");
  out.flush();
}

void write_difference_markdown(std::ostream& out, const DifferencePage& page) {
  std::string text = fmt::format("## scatterproof: {}\n\nbefore: {}, after: {}\n\n", page.summary,
                                 code_span(page.before), code_span(page.after));
  if (!page.note.empty()) text += fmt::format("Note: {}\n\n", printable(page.note));
  add_groups(page, most_markdown, text, markdown_group);
  out << text;
  out.flush();
}

}  // namespace scatterproof::reports
