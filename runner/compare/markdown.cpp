// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>

#include "scatterproof/runner/calls/call_text.hpp"
#include "scatterproof/runner/compare/render.hpp"

namespace scatterproof::runner::compare {
namespace {

using spec::FamilyComparison;

/// Text that a table or a line of Markdown shows as it is.
std::string plain(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '|' || c == '<' || c == '*' || c == '_' || c == '`' || c == '[') safe += '\\';
    safe += c == '\n' ? ' ' : c;
  }
  return safe;
}

std::string code(const std::string& text) {
  const std::string fence = text.find('`') == std::string::npos ? "`" : "``";
  return fence + text + fence;
}

std::string table(const FamilyComparison& comparison, const ComparisonResult& compared) {
  std::string text = "| input class |";
  std::string line = "|---|";
  for (std::size_t m = 0; m < compared.members.size(); ++m) {
    text += fmt::format(" {} |", m + 1);
    line += ":-:|";
  }
  text += "\n" + line + "\n";
  std::map<std::string, std::string> legend;
  bool lacks_time = false;
  for (const auto& [classes, row] : compared.rows) {
    if (std::ranges::all_of(row, [](const Cell& cell) { return cell.does.empty(); })) continue;
    text += fmt::format("| {} |", classes.empty() ? "none of these"
                                                  : fmt::format("{}: {}", name_of(comparison, classes),
                                                                plain(words_of(comparison, classes))));
    for (const Cell& cell : row) {
      text += fmt::format(" {} |", cell.letters());
      lacks_time |= cell.does.empty() && cell.unasked;
      for (const Behaviour& one : cell.does) legend[one.letter] = one.name;
    }
    text += "\n";
  }
  text += "\n";
  for (std::size_t m = 0; m < compared.members.size(); ++m)
    text += fmt::format("{}. {} ({})\n", m + 1, code(compared.members[m].spec->api),
                        name_with_release(compared.members[m].engine->info()));
  text += "\n";
  for (const auto& [letter, name] : legend) {
    const auto reading = std::ranges::find(comparison.readings, name, &spec::CallReading::id);
    text += fmt::format("- {} {}{}\n", code(letter), name,
                        reading != comparison.readings.end() ? ": " + plain(reading->says) : "");
  }
  if (has_chance(compared)) text += fmt::format("- `~` after a letter: {}\n", not_repeated_words);
  if (lacks_time) text += fmt::format("- `.` {}\n", unasked_words);
  return text + "- `-` the API has no words for such a call, or the engine does not take it\n";
}

std::string section(const FamilyComparison& comparison, const ComparisonResult& compared,
                    const Divergence& one) {
  std::string text = fmt::format(
      "\n#### {}\n\n{}. Witness: {}{}\n\n| API | does | outcome | document |\n|---|---|---|---|\n",
      plain(one.name()), name(one.kind), code(text_of(comparison, one.witness)),
      witness_words(one).empty() ? "" : " (" + witness_words(one) + ")");
  for (const Divergence::Side& side : one.sides)
    for (const std::size_t m : side.members) {
      const FamilyMember& member = compared.members[m];
      const Observation& answer = one.answers[m];
      text += fmt::format("| {} | {} | {} | {} |\n", code(member.name(compared.members)), side.does,
                          plain(shown(answer)),
                          answer.keeps_word ? document_words(answer) : "**" + document_words(answer) + "**");
    }
  for (const std::string& how : portable_words(comparison, compared, one))
    text += fmt::format("\nWrite it portably: {}\n", plain(how));
  return text;
}

}  // namespace

bool has_chance(const ComparisonResult& compared) {
  return std::ranges::any_of(compared.rows, [](const ClassRow& row) {
    return std::ranges::any_of(row.cells, [](const Cell& cell) {
      return std::ranges::any_of(cell.does, std::logical_not<>(), &Behaviour::repeated);
    });
  });
}

std::string document_words(const Observation& answer) {
  switch (answer.promised) {
    case Promised::result:
      return answer.keeps_word ? "documented" : "its document says something else";
    case Promised::refusal:
      return answer.keeps_word ? "documented" : "its document promises an error";
    case Promised::undefined:
      return "its document promises nothing";
    case Promised::open:
      break;
  }
  return "its document is silent";
}

std::vector<std::string> portable_words(const FamilyComparison& comparison, const ComparisonResult& compared,
                                        const Divergence& difference) {
  std::vector<std::string> all;
  for (const Portable& way : difference.portable)
    all.push_back(fmt::format("{}. The witness then is {}: {}", advice_words(way, compared.members),
                              text_of(comparison, way.input), agreement_words(way, compared.members)));
  return all;
}

std::string witness_words(const Divergence& difference) {
  if (!difference.in_time) return "as found: there was no time to make it small, or to say it portably";
  if (!difference.repeated) return std::string(not_repeated_words);
  if (is_small(difference.witness.said)) return "";
  return difference.minimal ? "no step makes it smaller" : "a smaller call may show it";
}

std::string contents_line(const FamilyComparison& comparison, const ComparisonResult& compared) {
  const auto ways = std::ranges::count_if(compared.differences,
                                          [](const Divergence& one) { return !one.portable.empty(); });
  return fmt::format(
      "- [{0}](#{0}): {1} members, {2} differences, {3} with a portable way to write the call\n",
      comparison.family->name, compared.members.size(), compared.differences.size(), ways);
}

std::string left_out_words(const ComparisonResult& compared) {
  std::vector<std::string> all;
  const auto add = [&](std::string_view what, const std::map<std::string, std::size_t>& by_engine) {
    std::vector<std::string> counts;
    for (const auto& [engine, count] : by_engine) counts.push_back(fmt::format("{} of {}", count, engine));
    if (!counts.empty()) all.push_back(fmt::format("{}: {}", what, fmt::join(counts, ", ")));
  };
  add("calls that there was no time for", compared.left_out);
  add("letters that were not asked again", compared.not_asked_again);
  if (const auto hurried = std::ranges::count(compared.differences, false, &Divergence::in_time); hurried > 0)
    all.push_back(fmt::format("differences shown as found: {}", hurried));
  return fmt::format("{}", fmt::join(all, "; "));
}

std::string as_markdown(const FamilyComparison& comparison, const ComparisonResult& compared) {
  std::string text = fmt::format("## {}\n\n{}. {} members, {} inputs.\n\n{}", comparison.family->name,
                                 plain(comparison.family->summary), compared.members.size(),
                                 compared.inputs.size(), table(comparison, compared));
  if (const std::string words = left_out_words(compared); !words.empty()) text += "\n" + words + "\n";
  if (!compared.differences.empty()) text += "\n### Differences\n";
  for (const Divergence& one : compared.differences) text += section(comparison, compared, one);
  return text;
}

}  // namespace scatterproof::runner::compare
