// SPDX-License-Identifier: Apache-2.0
#include "markdown/digest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "markdown/pieces.hpp"

namespace scatterproof::reports {
namespace {

constexpr std::size_t kept_for_ends = 2000;   // bytes for the sentences that say what was cut
constexpr std::size_t most_rows = 60;         // of the matrix
constexpr std::size_t most_columns = 12;      // of the matrix
constexpr std::size_t longest_story = 1500;   // an explanation
constexpr std::size_t longest_reason = 600;   // with its link
constexpr std::size_t longest_command = 600;  // that repeats a failure: a cut one is useless
constexpr std::size_t alike_named = 10;
constexpr std::size_t reasons_named = 20;

/// A code span in a table, where a bar ends the cell even within code.
std::string code_cell(std::string_view raw, std::size_t longest = longest_markdown_name) {
  std::string cell;
  for (const char c : code_span(raw, longest)) cell += c == '|' ? std::string("\\|") : std::string(1, c);
  return cell;
}

/// For use within HTML tags; Markdown does not format there, but a backtick would begin a code span of the
/// text around.
std::string html_code(std::string_view raw, std::size_t longest = longest_markdown_name) {
  return "<code>" + with_entities(on_a_line(raw, longest), "&<>`") + "</code>";
}

std::string head(const Overview& run, const spec::Trailer& trailer) {
  const Conclusion how = run.concluded(trailer);
  constexpr std::array marks = {"\xe2\x9c\x85", "\xe2\x9a\xa0\xef\xb8\x8f", "\xe2\x9d\x8c"};
  std::string text =
      fmt::format("## {} scatterproof: {}\n\n", marks[static_cast<std::size_t>(how.mood)], how.sentence);
  text += "| verdict | calls | meaning |\n|---|--:|---|\n";
  std::size_t known = 0;
  for (const spec::Verdict verdict : worst_verdicts_first) {
    const Overview::Count count = run.count(verdict);
    known += count.known;
    if (count.calls > count.known)
      text += fmt::format("| `{}` | {} | {} |\n", name(verdict), count.calls - count.known, meaning(verdict));
  }
  if (known > 0) text += fmt::format("| known | {} | failures that the baseline expects |\n", known);
  text += '\n';
  for (const spec::EngineSummary& engine : run.header().engines)
    if (engine.state != "ready")
      append_within(text, 6000, fmt::format("- {}: {}\n", code_span(engine.name), code_span(engine.state)));
  for (const spec::Reach& reach : trailer.reach)
    append_within(text, 6000, fmt::format("- {}\n", code_span(words_of(reach), 300)));
  for (const spec::Skipped& skipped : trailer.skipped)
    append_within(text, 6000, fmt::format("- {}\n", code_span(words_of(skipped), 300)));
  if (const std::string words = unreached_words(trailer, false); !words.empty())
    append_within(text, 6000, fmt::format("- {}\n", code_span(words, 300)));
  for (const spec::FailedGate& gate : trailer.gates)
    append_within(text, 6000,
                  fmt::format("- failed gate {}: {}\n", code_span(gate.gate), code_span(gate.text, 300)));
  std::size_t more = trailer.stale.size();
  for (const spec::StaleEntry& entry : trailer.stale) {
    const std::string line =
        fmt::format("- stale baseline entry {}: {}\n",
                    code_span(fmt::format("{}:{}", entry.file, entry.line)), code_span(entry.text, 300));
    if (!append_within(text, 12000, line)) break;
    --more;
  }
  if (more > 0) text += fmt::format("- and {}\n", counted(more, "more stale entry", "more stale entries"));
  return text;
}

bool has_failures(const std::map<std::string, Tally>& row) {
  return std::ranges::any_of(row, [](const auto& one) {
    return one.second.contains(Standing::failed) || one.second.contains(Standing::flaky) ||
           one.second.contains(Standing::known);
  });
}

/// APIs with failures down, engines across.
std::string matrix(const Overview& run, std::size_t most) {
  std::vector<std::string> apis = run.apis();
  const std::size_t all = apis.size();
  std::erase_if(apis, [&](const std::string& api) { return !has_failures(run.cells().at(api)); });
  if (apis.empty()) return "";
  std::vector<std::string> engines = run.engines();
  const std::size_t left_out = engines.size() - std::min(engines.size(), most_columns);
  engines.resize(engines.size() - left_out);
  std::string text = "\n### APIs with failures\n\n|  |";
  for (const std::string& engine : engines) text += fmt::format(" {} |", code_cell(engine));
  text += "\n|---|" + std::string();
  for (std::size_t i = 0; i < engines.size(); ++i) text += "---|";
  text += '\n';
  std::size_t rows = 0;
  for (const std::string& api : apis) {
    std::string line = fmt::format("| {} |", code_cell(api));
    for (const std::string& engine : engines) {
      const auto& row = run.cells().at(api);
      const auto cell = row.find(engine);
      line += fmt::format(" {} |", cell == row.end() ? "" : words_of(cell->second));
    }
    if (rows == most_rows || !append_within(text, most, line + '\n')) break;
    ++rows;
  }
  text += fmt::format("\nA number alone counts passes. Without failures: {}.",
                      counted(all - apis.size(), "API", "APIs"));
  if (rows < apis.size())
    text +=
        fmt::format(" Not shown: {} with failures.", counted(apis.size() - rows, "more API", "more APIs"));
  if (left_out > 0) text += fmt::format(" Not shown: {}.", counted(left_out, "engine", "engines"));
  return text + "\n";
}

std::string failure_group(const Failures& failures, const Failures::Group& group) {
  const FailureText failure = failures.read(group);
  const spec::Record& record = failure.first;
  std::vector<std::string> engines;
  for (const auto& [engine, reproduce] : failure.engines) engines.push_back(html_code(engine));
  if (engines.size() > most_columns) {
    const std::size_t more = engines.size() - most_columns;
    engines.resize(most_columns);
    engines.push_back(fmt::format("{} more", more));
  }
  const std::size_t size = record.count > 1 ? record.count : group.size();
  const std::size_t more = failures.apis(group).size() - 1;
  std::string text = fmt::format(
      "<details><summary><b>{}</b>, {} of {}{} on {}: {}</summary>\n\n", name(record.verdict),
      record.count > 1 ? counted(size, "call", "calls") : counted(size, "case", "cases"),
      html_code(record.api), more > 0 ? fmt::format(" and {}", counted(more, "more API", "more APIs")) : "",
      fmt::join(engines, ", "), html_code(cause(record), 200));
  text += code_span(record.id) + "\n\n";
  if (failure.story.find('\n') != std::string::npos)  // else the line above has said it
    text += code_block("text", capped(printable(failure.story), longest_story));
  if (const std::string& command = failure.engines.front().second; command.size() <= longest_command)
    text += code_block("sh", printable(command));
  else
    text += "The command that reproduces it is too long to be shown here.\n\n";
  if (group.size() > 1) {
    std::vector<std::string> ids;
    for (std::size_t i = 1; i < std::min(group.size(), alike_named + 1); ++i)
      ids.push_back(code_span(failures.first(*group[i]).id));
    text += fmt::format("Similar cases: {}", fmt::join(ids, ", "));
    if (group.size() > alike_named + 1) text += fmt::format(" and {} more", group.size() - alike_named - 1);
    text += "\n\n";
  }
  return text + "</details>\n";
}

/// Groups until the room is used up, then how many there would have been.
void add_groups(const Overview& run, std::size_t most, std::string& text) {
  const std::vector<Failures::Group> groups = run.failures().groups();
  if (groups.empty()) return;
  text += "\n### What failed, the worst first\n\n";
  std::size_t shown = 0;
  while (shown < groups.size() && append_within(text, most, failure_group(run.failures(), groups[shown])))
    ++shown;
  if (shown == groups.size()) return;
  std::size_t records = 0;
  for (std::size_t i = shown; i < groups.size(); ++i) records += records_in(groups[i]);
  text +=
      fmt::format("\n**Cut here to stay within {} KB**: {} more of {} groups, {}, are not shown.\n",
                  most / 1000, groups.size() - shown, groups.size(), counted(records, "failure", "failures"));
}

/// By engine and reason.
std::string known_reasons(const Overview& run, std::size_t most) {
  std::map<std::pair<std::string, std::string>, std::size_t> reasons;
  for (const CaseFailure& one : run.known().all()) {
    const FailureText failure = run.known().read(one);
    for (const auto& [engine, reproduce] : failure.engines)
      reasons[{engine, failure.first.known_reason}] += one.count;
  }
  if (reasons.empty()) return "";
  std::vector<std::pair<std::pair<std::string, std::string>, std::size_t>> all(reasons.begin(),
                                                                               reasons.end());
  std::ranges::stable_sort(all, std::ranges::greater(), [](const auto& one) { return one.second; });
  std::string text =
      "\n<details><summary>Expected failures</summary>\n\n| calls | engine | reason |\n|--:|---|---|\n";
  std::size_t rows = 0;
  for (const auto& [key, n] : all) {
    const std::string line =
        fmt::format("| {} | {} | {} |\n", n, code_cell(key.first), code_cell(key.second, longest_reason));
    if (rows == reasons_named || !append_within(text, most, line)) break;
    ++rows;
  }
  if (rows < all.size())
    text += fmt::format("\nand {}\n", counted(all.size() - rows, "more reason", "more reasons"));
  return text + "\n</details>\n";
}

}  // namespace

std::string digest(const Overview& run, const spec::Trailer& trailer, std::size_t most) {
  const std::size_t room = most - kept_for_ends;
  std::string text = head(run, trailer);
  text += matrix(run, room / 4);
  const std::string known = known_reasons(run, room / 10);
  add_groups(run, room - known.size(), text);
  return text + known;
}

}  // namespace scatterproof::reports
