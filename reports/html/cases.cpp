// SPDX-License-Identifier: Apache-2.0
// The parts of the HTML reports that show failures: in groups, and down from an API to its cases.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "html/markup.hpp"
#include "html/past.hpp"
#include "html/sections.hpp"

namespace scatterproof::reports {
namespace {

constexpr std::size_t longest_explanation_shown = 4096;  // bytes; and so for the next three
constexpr std::size_t longest_command_shown = 2000;
constexpr std::size_t longest_script_shown = 8000;
constexpr std::size_t longest_cause_shown = 240;
constexpr std::size_t most_engines_named = 20;
constexpr std::size_t most_alike_named = 50;
constexpr std::size_t kept_for_engines = 30000;  // bytes of an API, as the next
constexpr std::size_t kept_for_rules = 10000;

/// `torch@2.13.0, numpy@2.4.6`.
std::string engines_named(const FailureText& failure) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(failure.engines.size(), most_engines_named); ++i)
    names.push_back(html_name(failure.engines[i].first));
  if (failure.engines.size() > most_engines_named)
    names.push_back(fmt::format("{} more", failure.engines.size() - most_engines_named));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Failures that nothing excuses are new.
std::string_view newness(const spec::Record& record) {
  const Standing how = standing(record);
  return how == Standing::failed ? "new" : word(how);
}

/// What the page's filters look at.
std::string filter_data(const FailureText& failure) {
  std::string engines;
  for (std::size_t i = 0; i < std::min(failure.engines.size(), most_engines_named); ++i)
    engines += html_text(failure.engines[i].first) + "&#10;";
  return fmt::format("data-standing=\"{}\" data-verdict=\"{}\" data-engines=\"{}\"", newness(failure.first),
                     name(failure.first.verdict), engines);
}

std::string tags(const spec::Record& record) {
  return fmt::format("<span class=\"tag {0}\">{0}</span> <span class=\"tag\">{1}</span> ", newness(record),
                     name(record.verdict));
}

std::string outcome_words(const spec::OutcomeSummary& outcome) {
  std::vector<std::string> words = {html_text(outcome.kind)};
  if (!outcome.classes.empty()) words.push_back(html_name(outcome.classes.front()));
  if (!outcome.digest.empty())
    words.push_back(fmt::format("{} [{}]", html_text(outcome.dtype), fmt::join(outcome.shape, ", ")));
  if (!outcome.values.empty())
    words.push_back("<code>" + html_text(outcome.values, longest_script_shown) + "</code>");
  return fmt::format("{}", fmt::join(words, " "));
}

/// `: 12 in 3 groups`.
std::string how_many(const std::vector<Failures::Group>& groups) {
  std::size_t records = 0;
  for (const Failures::Group& group : groups) records += records_in(group);
  return groups.empty() ? "" : fmt::format(": {} in {}", records, counted(groups.size(), "group", "groups"));
}

/// False: the case does not fit, and need not be read to know it.
bool has_room(const std::string& text, std::size_t most, const CaseFailure& failure) {
  constexpr std::size_t least_markup = 300;
  const std::size_t words = std::min<std::size_t>(failure.least_bytes, longest_command_shown / 2);
  return text.size() + least_markup + words <= most;
}

}  // namespace

std::string Sections::anchor_of(const CaseFailure& failure, const spec::Record& record) const {
  const auto found = repeated_.find(&failure);
  return "case/" + html_anchor(record.id) +
         (found == repeated_.end() ? "" : fmt::format("~{}", found->second));
}

std::string Sections::link_to(const CaseFailure& failure, const spec::Record& record) const {
  const std::string text = html_name(record.id);
  if (!placed_.contains(&failure)) return text;
  return fmt::format("<a href=\"{}\">{}</a>",
                     html_text(links_.place(record.api, anchor_of(failure, record)), 1000), text);
}

std::string Sections::details_of(const FailureText& failure) const {
  const spec::Record& record = failure.first;
  std::string text;
  if (!failure.story.empty())
    text +=
        fmt::format("<pre class=\"story\">{}</pre>\n", html_text(failure.story, longest_explanation_shown));
  text += "<dl>\n";
  const auto row = [&](const char* term, const std::string& html) {
    text += fmt::format("<dt>{}</dt><dd>{}</dd>\n", term, html);
  };
  if (record.outcome) row("what came", outcome_words(*record.outcome));
  if (record.message.find('\n') != std::string::npos)
    row("message", "<pre>" + html_text(record.message, longest_explanation_shown) + "</pre>");
  if (!record.broken.empty()) row("breaks", html_text(fmt::format("{}", fmt::join(record.broken, ", "))));
  if (record.diagnosis.kind != spec::DiagnosisKind::none)
    row("diagnosis", html_name(to_string(record.diagnosis)));
  if (record.bound) row("bound", fmt::format("{}", *record.bound));
  if (standing(record) == Standing::known)
    row("known because",
        html_text(record.known_reason.empty() ? "no reason given" : record.known_reason, 1000));
  if (!record.file.empty())
    row("written in",
        html_name(record.line > 0 ? fmt::format("{}:{}", record.file, record.line) : record.file));
  text += "</dl>\n";
  for (std::size_t i = 0; i < std::min<std::size_t>(failure.engines.size(), most_engines_named); ++i) {
    const auto& [engine, reproduce] = failure.engines[i];
    text += fmt::format("<p>Reproduce on {}:</p>\n", html_name(engine)) +
            html_to_copy(reproduce, longest_command_shown);
  }
  if (!record.snippet.empty())
    text += "<p>Without scatterproof:</p>\n" + html_to_copy(record.snippet, longest_script_shown);
  return text;
}

std::string Sections::case_of(const CaseFailure& failure, const FailureText& text) const {
  const std::string anchor = anchor_of(failure, text.first);
  return fmt::format(
      "<details class=\"case\" id=\"{}\" {}>\n<summary>{}{} <span class=\"where\">on {}</span> <span "
      "class=\"what\">{}</span></summary>\n<div class=\"body\">\n{}<p><a href=\"#{}\">Link to this "
      "case</a></p>\n"
      "</div>\n</details>\n",
      anchor, filter_data(text), tags(text.first), html_name(text.first.id), engines_named(text),
      html_text(cause(text.first), longest_cause_shown), details_of(text), anchor);
}

std::string Sections::group(const Failures& failures, const Failures::Group& group) const {
  const FailureText first = failures.read(group);
  const std::uint64_t calls = first.first.count;
  const std::size_t more = failures.apis(group).size() - 1;
  std::string text = fmt::format(
      "<details class=\"failure\" {}>\n<summary>{}<span class=\"count\">{}</span> <span class=\"where\">{} "
      "on "
      "{}</span> <span class=\"what\">{}</span></summary>\n<div class=\"body\">\n",
      filter_data(first), tags(first.first),
      calls > 1 ? counted(calls, "call", "calls") : counted(group.size(), "case", "cases"),
      html_name(first.first.api) +
          (more > 0 ? fmt::format(" and {}", counted(more, "more API", "more APIs")) : ""),
      engines_named(first), html_text(cause(first.first), longest_cause_shown));
  text += fmt::format("<p>{}{}</p>\n", group.size() > 1 ? "The smallest of them: " : "",
                      link_to(*group.front(), first.first));
  text += details_of(first);
  if (group.size() > 1) {
    text += "<p>Similar cases:</p>\n<ul class=\"alike\">\n";
    for (std::size_t i = 1; i < std::min(group.size(), most_alike_named + 1); ++i)
      text += fmt::format("<li>{}</li>\n", link_to(*group[i], failures.first(*group[i])));
    if (group.size() > most_alike_named + 1)
      text += fmt::format("<li>and {} more</li>\n", group.size() - most_alike_named - 1);
    text += "</ul>\n";
  }
  return text + "</div>\n</details>\n";
}

std::string Sections::groups(bool known, std::size_t most) const {
  const Failures& failures = known ? run_.known() : run_.failures();
  const std::vector<Failures::Group> groups = failures.groups();
  const char* const id = known ? "known" : "failures";
  std::string text = fmt::format("<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1} failures{2}</h2>\n",
                                 id, known ? "Known and flaky" : "New", how_many(groups));
  if (groups.empty())
    return text + (known ? "<p>None: no baseline entry describes a failure of this run, and none passed when "
                           "it was tried again.</p>\n</section>\n"
                         : "<p>None.</p>\n</section>\n");
  text += known
              ? "<p>A baseline entry describes each of them, or they are flaky: they passed when they were "
                "tried again.</p>\n"
              : "<p>No baseline entry describes them. Failures that are probably one bug are one group; the "
                "worst come first.</p>\n";
  std::size_t shown = 0;
  while (shown < groups.size() && append_within(text, most, group(failures, groups[shown]))) ++shown;
  if (shown < groups.size()) {
    std::size_t records = 0;
    for (std::size_t i = shown; i < groups.size(); ++i) records += records_in(groups[i]);
    text += fmt::format(
        "<p class=\"cut\">Cut to keep the page small: {} more groups with {} are only counted.</p>\n",
        groups.size() - shown, counted(records, "failure", "failures"));
  }
  return text + "</section>\n";
}

std::string Sections::engines_of(const std::string& api) const {
  const bool with_past = past_.runs.size() > 1;
  std::string text;
  std::size_t rows = 0;
  for (const auto& [engine, tally] : run_.cells().at(api)) {
    std::vector<std::string> words;
    for (const auto& [verdict, count] : run_.counts(api, engine)) {
      words.push_back(fmt::format("{} {}", count.calls, name(verdict)));
      if (count.known > 0) words.back() += fmt::format(" ({} known)", count.known);
    }
    std::string past;
    if (with_past) {
      const auto found = past_.rows.find({api, engine});
      past = found == past_.rows.end() ? "<td></td>"
                                       : fmt::format("<td>{} {}</td>", sparkline(past_, found->second),
                                                     since_when(past_, found->second, links_.index));
    }
    const std::string row = fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td>{}</tr>\n",
                                        html_name(engine), fmt::join(words, ", "), past);
    if (!append_within(text, kept_for_engines, row)) break;
    ++rows;
  }
  const std::size_t all = run_.cells().at(api).size();
  std::vector<std::string> heads = {"engine", "calls"};
  if (with_past) heads.emplace_back("earlier runs");
  text = html_table("Engines", with_past ? "wide" : "", heads, text);
  return rows == all
             ? text
             : text + fmt::format("<p class=\"cut\">{} more engines are not shown.</p>\n", all - rows);
}

std::string Sections::rules_of(const std::string& api) const {
  const PracticeTable& all = run_.practices();
  auto rule = all.lower_bound({api, ""});
  std::string rows;
  std::size_t left_out = 0;
  for (; rule != all.end() && rule->first.first == api; ++rule) {
    std::map<std::string, std::vector<std::string>> alike;
    for (const auto& [engine, practice] : rule->second) alike[practice.text()].push_back(html_name(engine));
    std::string words;
    for (const auto& [text, engines] : alike)
      words += fmt::format("<li><b>{}</b>: {}</li>", html_text(text), fmt::join(engines, ", "));
    left_out += !append_within(rows, kept_for_rules,
                               fmt::format("<tr><th scope=\"row\">{}</th><td><ul>{}</ul></td></tr>\n",
                                           html_name(rule->first.second), words));
  }
  if (rows.empty() && left_out == 0) return "";
  return "<h4>Where calls break a rule</h4>\n" + html_table("Rules", "", {"rule", "what engines do"}, rows) +
         (left_out == 0 ? "" : fmt::format("<p class=\"cut\">{} more rules are not shown.</p>\n", left_out));
}

std::size_t Sections::failing_cases(const std::string& api) const {
  const auto found = by_api_.find(api);
  return found == by_api_.end() ? 0 : found->second.size();
}

std::string Sections::api(const std::string& name, std::size_t most) {
  Tally sum;
  for (const auto& [engine, tally] : run_.cells().at(name))
    for (const auto& [how, n] : tally) sum[how] += n;
  std::string text = fmt::format(
      "<details class=\"api\" id=\"api/{}\" data-api=\"{}\"{}>\n<summary><h3>{}</h3> <span "
      "class=\"count\">{}</span></summary>\n<div class=\"body\">\n",
      html_anchor(name), html_text(name), links_.page_of ? " open" : "", html_text(name), spelled_out(sum));
  text += engines_of(name);
  text += rules_of(name);
  constexpr std::size_t end_and_cut = 200;  // bytes
  if (text.size() + end_and_cut > most) return "";
  most -= end_and_cut;
  placed_apis_.insert(name);
  std::map<std::string, std::vector<Failing>> by_rule;
  for (const Failing& one : by_api_[name]) by_rule[one.among->broken(*one.failure)].push_back(one);
  std::size_t left_out = 0;
  for (const auto& [rule, failures] : by_rule) {
    std::string heading =
        fmt::format("<h4>{}</h4>\n", rule.empty() ? "Failing calls that break no rule"
                                                  : "Failing calls that break " + html_text(rule));
    for (const auto& [among, failure] : failures) {
      if (has_room(text, most, *failure) &&
          append_within(text, most, heading + case_of(*failure, among->read(*failure)))) {
        placed_.insert(failure);
        heading.clear();
      } else {
        ++left_out;
      }
    }
  }
  if (left_out > 0)
    text += fmt::format("<p class=\"cut\">Cut to keep the page small: {} only counted.</p>\n",
                        counted(left_out, "more failing case is", "more failing cases are"));
  return text + "</div>\n</details>\n";
}

}  // namespace scatterproof::reports
