// SPDX-License-Identifier: Apache-2.0
// How the members of families take the same calls, as one page: tables of letters with notes below them.
#include "scatterproof/reports/comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <set>

#include "html/markup.hpp"
#include "html/page.hpp"
#include "overview.hpp"

namespace scatterproof::reports {
namespace {

constexpr std::size_t most_of_page = 4'800'000;   // bytes, without style and script
constexpr std::size_t longest_words = 600;        // bytes of a sentence
constexpr std::size_t longest_call_shown = 2000;  // bytes
constexpr std::size_t longest_snippet_shown = 8000;

constexpr std::string_view class_of(PageBehaviour::Tone tone) {
  constexpr std::array names = {"same", "refuses", "reads", "broken"};
  return names[static_cast<std::size_t>(tone)];
}

/// `torch@2.13.0` with a place to break the line.
std::string breakable(const std::string& name) {
  std::string text = html_text(name);
  for (const char* const at : {".", "@"})
    for (std::size_t found = 0; (found = text.find(at, found)) != std::string::npos; found += 6)
      text.insert(found, "<wbr>");
  return text;
}

class FamilySection {
 public:
  explicit FamilySection(const FamilyPage& family) : family_(family), anchor_(html_anchor(family.name)) {}

  /// In at most about `most` bytes.
  std::string text(std::size_t most) {
    const std::string notes = all_notes(most * 3 / 4);
    return fmt::format("<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}</h2>\n<p>{2}. {3}, {4}.</p>\n",
                       anchor_, html_text(family_.name), html_text(family_.summary, longest_words),
                       counted(family_.members.size(), "member", "members"),
                       counted(family_.inputs, "input", "inputs")) +
           matrix(most / 4) + legend() + notes + "</section>\n";
  }

 private:
  std::string name_of(std::size_t member) const {
    const PageMember& one = family_.members[member];
    return html_name(one.api) + " on " + html_name(one.engine);
  }
  std::string place_of(std::size_t note) const { return fmt::format("{}/{}", anchor_, note + 1); }

  std::string matrix(std::size_t most) const {
    std::string text = fmt::format(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{} by input class and member\">\n"
        "<table class=\"matrix comparison\">\n<thead><tr><th scope=\"col\">input class</th>",
        html_text(family_.name));
    for (const PageMember& one : family_.members)
      text += fmt::format("<th scope=\"col\"><span>{}<br><small>{}</small></span></th>", breakable(one.api),
                          breakable(one.engine));
    text += "</tr></thead>\n<tbody>\n";
    std::size_t left_out = 0;
    for (const PageClass& row : family_.classes) left_out += !append_within(text, most, row_of(row));
    text += "</tbody>\n</table>\n</div>\n";
    return left_out == 0
               ? text
               : text + fmt::format("<p class=\"cut\">Cut to keep the page small: {} not shown.</p>\n",
                                    counted(left_out, "input class is", "input classes are"));
  }

  std::string row_of(const PageClass& row) const {
    std::string text =
        fmt::format("<tr><th scope=\"row\">{}<br><small>{}</small></th>",
                    row.id.empty() ? "none of these" : html_name(row.id), html_text(row.says, longest_words));
    for (std::size_t m = 0; m < row.cells.size(); ++m) text += cell_of(row, m);
    return text + "</tr>\n";
  }

  /// `C 3 5`: what it does, and the differences that it has a part in.
  std::string cell_of(const PageClass& row, std::size_t member) const {
    const std::vector<PageBehaviour>& does = row.cells[member];
    if (does.empty()) return "<td class=\"absent\" title=\"cannot say it, or does not take it\">-</td>";
    std::string letters, links;
    std::vector<std::string> titles;
    PageBehaviour::Tone worst = PageBehaviour::Tone::same;
    for (const PageBehaviour& one : does) {
      letters += one.letter + (one.repeated ? "" : "~");
      titles.push_back(fmt::format("{} ({}{})", html_text(one.name), counted(one.inputs, "input", "inputs"),
                                   one.repeated ? "" : "; not when asked again"));
      worst = std::max(worst, one.tone);
    }
    for (const std::size_t note : placed_) {
      const PageDifference& one = family_.differences[note];
      if (one.in == row.id &&
          std::ranges::find(one.answers, member, &PageAnswer::member) != one.answers.end())
        links += fmt::format(" <a href=\"#{}\">{}</a>", place_of(note), note + 1);
    }
    return fmt::format("<td class=\"{}\" title=\"{}\"><b>{}</b>{}</td>", class_of(worst),
                       fmt::join(titles, ", "), html_text(letters), links);
  }

  std::string legend() const {
    std::map<std::string, const PageBehaviour*> letters;
    for (const PageClass& row : family_.classes)
      for (const auto& cell : row.cells)
        for (const PageBehaviour& one : cell) letters.emplace(one.letter, &one);
    std::string text = "<dl class=\"letters\">\n";
    for (const auto& [letter, one] : letters)
      text += fmt::format("<dt><b class=\"{}\">{}</b></dt><dd>{}{}</dd>\n", class_of(one->tone),
                          html_text(letter), html_text(one->name),
                          one->says.empty() ? "" : ": " + html_text(one->says, longest_words));
    return text +
           "<dt><b>-</b></dt><dd>cannot say such a call, or does not take it</dd>\n</dl>\n<p>Several "
           "letters: it does "
           "different things with different inputs, the most frequent first. After <b>~</b>: asked again, it "
           "did "
           "otherwise. Numbers lead to the differences below.</p>\n";
  }

  std::string all_notes(std::size_t most) {
    if (family_.differences.empty()) return "<p>No two members were seen to differ.</p>\n";
    std::string text =
        fmt::format("<h3>{}</h3>\n", counted(family_.differences.size(), "difference", "differences"));
    std::size_t without_scripts = 0;
    for (std::size_t n = 0; n < family_.differences.size(); ++n) {
      // Each gets its share of the room that is left.
      const std::size_t share =
          text.size() + (most - std::min(most, text.size())) / (family_.differences.size() - n);
      if (append_within(text, share, note(n, true))) {
        placed_.insert(n);
      } else if (append_within(text, share, note(n, false))) {
        placed_.insert(n);
        ++without_scripts;
      }
    }
    if (without_scripts > 0)
      text += fmt::format("<p class=\"cut\">Cut to keep the page small: the scripts of {}.</p>\n",
                          counted(without_scripts, "difference", "differences"));
    if (const std::size_t left_out = family_.differences.size() - placed_.size(); left_out > 0)
      text += fmt::format("<p class=\"cut\">Cut to keep the page small: {} only counted.</p>\n",
                          counted(left_out, "more difference is", "more differences are"));
    return text;
  }

  std::string note(std::size_t n, bool with_scripts) const {
    const PageDifference& one = family_.differences[n];
    const bool contradicts = std::ranges::any_of(one.answers, &PageAnswer::contradicts);
    std::string rows;
    for (const PageAnswer& answer : one.answers)
      rows += fmt::format(
          "<tr><th scope=\"row\">{}</th><td>{}</td><td><code>{}</code></td><td{}>{}{}</td></tr>\n",
          name_of(answer.member), html_text(answer.does, longest_words),
          html_text(answer.outcome, longest_words), answer.contradicts ? " class=\"broken\"" : "",
          html_text(answer.document),
          answer.sentence.empty() ? "" : ": " + html_text(answer.sentence, longest_words));
    std::string text = fmt::format(
        "<details class=\"note\" id=\"{}\">\n<summary><b>{}</b> {} <span "
        "class=\"tag{}\">{}</span></summary>\n"
        "<div class=\"body\">\n<p>The smallest call that shows it{}:</p>\n{}{}",
        place_of(n), n + 1, html_text(one.name, longest_words), contradicts ? " new" : "",
        html_text(one.kind), one.caveat.empty() ? "" : " (" + html_text(one.caveat) + ")",
        html_to_copy(one.witness, longest_call_shown),
        html_table("What each member does", "wide", {"member", "does", "outcome", "its document"}, rows));
    for (const std::string& way : one.portable)
      text += fmt::format("<p><b>Write it portably:</b> {}</p>\n", html_text(way, 2 * longest_words));
    if (with_scripts) text += scripts_of(one);
    return text + "</div>\n</details>\n";
  }

  std::string scripts_of(const PageDifference& one) const {
    std::string text;
    for (const PageAnswer& answer : one.answers)
      if (!answer.snippet.empty())
        text += fmt::format(
            "<details><summary>Script for {}</summary>\n<div class=\"body\">\n{}</div>\n</details>\n",
            name_of(answer.member), html_to_copy(answer.snippet, longest_snippet_shown));
    return text;
  }

  const FamilyPage& family_;
  std::string anchor_;
  std::set<std::size_t> placed_;  ///< differences that have a note
};

std::string title_of(const ComparisonPage& page) {
  std::size_t differences = 0;
  for (const FamilyPage& family : page.families) differences += family.differences.size();
  return fmt::format("{} in {}", counted(differences, "difference", "differences"),
                     page.families.size() == 1 ? page.families.front().name
                                               : counted(page.families.size(), "family", "families"));
}

}  // namespace

void write_comparison_page(std::ostream& out, const ComparisonPage& page) {
  const std::string title = title_of(page);
  std::string body = fmt::format(
      "<header>\n<h1>{}</h1>\n<p>scatterproof {}, {}</p>\n</header>\n<nav aria-label=\"Families\">",
      html_text(title), html_text(page.tool_version), html_text(page.made, longest_words));
  for (const FamilyPage& family : page.families)
    body += fmt::format("<a href=\"#{}\">{}</a> ", html_anchor(family.name), html_text(family.name));
  body += "</nav>\n<main>\n";
  for (const FamilyPage& family : page.families)
    body += FamilySection(family).text(most_of_page / page.families.size());
  out << single_file_page(title + " - scatterproof", page.tool_version, body + "</main>\n", "");
  out.flush();
}

}  // namespace scatterproof::reports
