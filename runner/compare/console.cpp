// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <variant>

#include "scatterproof/runner/calls/call_text.hpp"
#include "scatterproof/runner/compare/readings.hpp"
#include "scatterproof/runner/compare/render.hpp"
#include "scatterproof/spec/core/shell_word.hpp"

namespace scatterproof::runner::compare {
namespace {

using spec::FamilyComparison;

std::string matrix(const FamilyComparison& comparison, const ComparisonResult& compared) {
  std::size_t names = 0;
  for (const FamilyMember& member : compared.members)
    names = std::max(names, member.name(compared.members).size());
  std::vector<const ClassRow*> rows;
  for (const ClassRow& row : compared.rows)
    if (std::ranges::any_of(row.cells, [](const Cell& cell) { return !cell.does.empty(); }))
      rows.push_back(&row);
  std::string text = fmt::format("{:{}}", "", names);
  for (std::size_t k = 0; k < rows.size(); ++k) text += fmt::format(" {:>3}", k + 1);
  text += '\n';
  std::map<std::string, std::string> legend;
  bool lacks_time = false;
  for (std::size_t m = 0; m < compared.members.size(); ++m) {
    text += fmt::format("{:{}}", compared.members[m].name(compared.members), names);
    for (const ClassRow* row : rows) {
      text += fmt::format(" {:>3}", row->cells[m].letters());
      lacks_time |= row->cells[m].does.empty() && row->cells[m].unasked;
      for (const Behaviour& one : row->cells[m].does) legend[one.letter] = one.name;
    }
    text += '\n';
  }
  text += '\n';
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::string name = name_of(comparison, rows[k]->classes);
    text += fmt::format("{:>3}  {:24} {}\n", k + 1, name.empty() ? "(none)" : name,
                        words_of(comparison, rows[k]->classes));
  }
  text += '\n';
  for (const auto& [letter, name] : legend) text += fmt::format("  {}  {}\n", letter, name);
  if (has_chance(compared)) text += fmt::format("  ~  after a letter: {}\n", not_repeated_words);
  if (lacks_time) text += fmt::format("  .  {}\n", unasked_words);
  return text + "  -  cannot say it, or does not take it\n";
}

/// The letters that asking again took back, after the matrix was printed.
std::string chance_text(const FamilyComparison& comparison, const ComparisonResult& compared) {
  std::string text;
  for (const ClassRow& row : compared.rows)
    for (std::size_t m = 0; m < row.cells.size(); ++m)
      for (const Behaviour& one : row.cells[m].does)
        if (!one.repeated) {
          const std::string in = name_of(comparison, row.classes);
          text += fmt::format("  {}~  {} in {}: {}\n", one.letter, compared.members[m].name(compared.members),
                              in.empty() ? "(none)" : in, one.name);
        }
  return text.empty() ? "" : fmt::format("{}:\n{}", not_repeated_words, text);
}

/// A member's call, as `compare --check` and other verbs take it.
std::string call_text(const FamilyComparison& comparison, const FamilyMember& member, const Input& input) {
  const auto call = call_of(comparison, member, input.said);
  const auto* said = std::get_if<spec::Call>(&call);
  return said ? runner::text_of(*said) : "";
}

/// The command that puts the witness to all members again, in the words of one that takes part.
std::string check_text(const FamilyComparison& comparison, const ComparisonResult& compared,
                       const Divergence& one) {
  for (const Divergence::Side& side : one.sides)
    for (const std::size_t m : side.members)
      if (std::string call = call_text(comparison, compared.members[m], one.witness); !call.empty())
        return fmt::format("  scatterproof compare --check {}\n", spec::shell_word(call));
  return "";
}

/// The smallest call behind each letter that no reading explains: the matrix alone says nothing of it.
std::string unexplained_text(const FamilyComparison& comparison, const ComparisonResult& compared) {
  constexpr std::size_t most = 8;
  std::string text;
  std::size_t count = 0;
  for (const ClassRow& row : compared.rows)
    for (std::size_t m = 0; m < row.cells.size(); ++m)
      for (const Behaviour& one : row.cells[m].does)
        if (one.name == Behaviour::unexplained && ++count <= most)
          text += fmt::format("  {}: {}\n    {}\n", compared.members[m].name(compared.members),
                              call_text(comparison, compared.members[m], compared.inputs[one.input]),
                              one.outcome);
  if (count > most) text += fmt::format("  and {} more\n", count - most);
  return text.empty() ? "" : fmt::format("\nno reading explains:\n{}", text);
}

}  // namespace

std::string difference_text(const FamilyComparison& comparison, const ComparisonResult& compared,
                            const Divergence& one) {
  std::string text = fmt::format("\n{}\n  {}{}\n  {}\n", one.name(), name(one.kind),
                                 witness_words(one).empty() ? "" : " (" + witness_words(one) + ")",
                                 text_of(comparison, one.witness)) +
                     check_text(comparison, compared, one);
  for (const Divergence::Side& side : one.sides) {
    text += fmt::format("  {}\n", side.does);
    for (const std::size_t m : side.members)
      text +=
          fmt::format("    {:40} {}{}\n", compared.members[m].name(compared.members), shown(one.answers[m]),
                      one.answers[m].keeps_word ? "" : "  (its document forbids this)");
  }
  for (const std::string& how : portable_words(comparison, compared, one))
    text += fmt::format("  write it portably: {}\n", how);
  return text;
}

std::string text_of(const FamilyComparison& comparison, const Input& input) {
  return runner::text_of(as_call(comparison, input.said)).substr(comparison.meaning.api.size());
}

std::string rows_text(const FamilyComparison& comparison, const ComparisonResult& compared) {
  return fmt::format("{}: {} members, {} inputs\n\n{}", comparison.family->name, compared.members.size(),
                     compared.inputs.size(), matrix(comparison, compared));
}

std::string closing_text(const FamilyComparison& comparison, const ComparisonResult& compared) {
  const std::size_t count = compared.differences.size();
  // None that were found says nothing where answers are missing.
  const std::string counted = count == 0 && !compared.left_out.empty()
                                  ? "no difference was found, but not all calls were made"
                                  : fmt::format("{} difference{}", count, count == 1 ? "" : "s");
  std::string text = fmt::format("\n{}: {}\n", comparison.family->name, counted);
  std::vector<std::string> missed;
  for (const std::size_t c : compared.classes_missed)
    missed.push_back(c < comparison.classes.size() ? comparison.classes[c].id : "(none)");
  if (!missed.empty())
    text += fmt::format("no input was in these classes alone: {}\n", fmt::join(missed, ", "));
  if (compared.pairs_reached > 0)
    text += fmt::format("{} pairs of classes were reached together\n", compared.pairs_reached);
  text += unexplained_text(comparison, compared);
  text += chance_text(comparison, compared);
  if (const std::string words = left_out_words(compared); !words.empty())
    text += words + "; --time gives more, --thorough as much as it takes\n";
  return text;
}

std::string as_console(const FamilyComparison& comparison, const ComparisonResult& compared) {
  std::string text = rows_text(comparison, compared);
  for (const Divergence& one : compared.differences) text += difference_text(comparison, compared, one);
  return text + closing_text(comparison, compared);
}

}  // namespace scatterproof::runner::compare
