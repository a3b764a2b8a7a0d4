// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "call_text.hpp"
#include "readings.hpp"
#include "render.hpp"

namespace scatterproof::runner::compare {
namespace {

using spec::FamilyComparison;

std::string matrix(const FamilyComparison& comparison, const Compared& compared) {
  std::size_t names = 0;
  for (const FamilyMember& member : compared.members)
    names = std::max(names, member.name(compared.members).size());
  std::vector<std::size_t> rows;
  for (std::size_t c = 0; c < compared.cells.size(); ++c)
    if (std::ranges::any_of(compared.cells[c], [](const Cell& cell) { return !cell.does.empty(); }))
      rows.push_back(c);
  std::string text = fmt::format("{:{}}", "", names);
  for (std::size_t k = 0; k < rows.size(); ++k) text += fmt::format(" {:>3}", k + 1);
  text += '\n';
  std::map<std::string, std::string> legend;
  for (std::size_t m = 0; m < compared.members.size(); ++m) {
    text += fmt::format("{:{}}", compared.members[m].name(compared.members), names);
    for (const std::size_t c : rows) {
      text += fmt::format(" {:>3}", compared.cells[c][m].letters());
      for (const Behaviour& one : compared.cells[c][m].does) legend[one.letter] = one.name;
    }
    text += '\n';
  }
  text += '\n';
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const bool agreed = rows[k] == comparison.classes.size();
    text += fmt::format("{:>3}  {:24} {}\n", k + 1, agreed ? "(none)" : comparison.classes[rows[k]].id,
                        agreed ? "calls in none of these classes" : comparison.classes[rows[k]].says);
  }
  text += '\n';
  for (const auto& [letter, name] : legend) text += fmt::format("  {}  {}\n", letter, name);
  return text + "  -  cannot say it, or does not take it\n";
}

std::string difference(const FamilyComparison& comparison, const Compared& compared, const Divergence& one) {
  std::string text =
      fmt::format("\n{}\n  {}{}\n  {}\n", one.name(), name(one.kind),
                  one.minimal ? "" : " (a smaller call may show it)", text_of(comparison, one.witness));
  for (const Divergence::Side& side : one.sides) {
    text += fmt::format("  {}\n", side.does);
    for (const std::size_t m : side.members)
      text +=
          fmt::format("    {:40} {}{}\n", compared.members[m].name(compared.members), shown(one.answers[m]),
                      one.answers[m].keeps_word ? "" : "  (its document forbids this)");
  }
  if (const std::string how = portable_words(one); !how.empty())
    text += fmt::format("  write it portably: {}\n", how);
  return text;
}

}  // namespace

std::string text_of(const FamilyComparison& comparison, const Input& input) {
  return runner::text_of(as_call(comparison, input.said)).substr(comparison.meaning.api.size());
}

std::string as_console(const FamilyComparison& comparison, const Compared& compared) {
  std::string text = fmt::format("{}: {} members, {} inputs, {} differences\n\n{}", comparison.family->name,
                                 compared.members.size(), compared.inputs.size(), compared.differences.size(),
                                 matrix(comparison, compared));
  for (const Divergence& one : compared.differences) text += difference(comparison, compared, one);
  std::vector<std::string> missed;
  for (const std::size_t c : compared.classes_missed)
    missed.push_back(c < comparison.classes.size() ? comparison.classes[c].id : "(none)");
  if (!missed.empty())
    text += fmt::format("\nno input was in these classes alone: {}\n", fmt::join(missed, ", "));
  return text;
}

}  // namespace scatterproof::runner::compare
