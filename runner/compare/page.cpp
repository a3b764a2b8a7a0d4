// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "scatterproof/runner/calls/call_text.hpp"
#include "scatterproof/runner/compare/render.hpp"
#include "scatterproof/spec/record/engine_name.hpp"

namespace scatterproof::runner::compare {
namespace {

using reports::PageBehaviour;
using spec::FamilyComparison;

/// A reading that the family shares needs no attention; a crash and an unexplained result need it first.
PageBehaviour::Tone tone_of(const std::string& letter) {
  if (letter == "=") return PageBehaviour::Tone::same;
  if (letter == "R") return PageBehaviour::Tone::refuses;
  return letter == "X" || letter == "?" || letter == "W" ? PageBehaviour::Tone::broken
                                                         : PageBehaviour::Tone::reads;
}

std::vector<PageBehaviour> cell_of(const FamilyComparison& comparison, const Cell& cell) {
  std::vector<PageBehaviour> does;
  if (cell.does.empty() && cell.unasked)
    does.push_back({.letter = ".", .name = std::string(unasked_words), .says = ""});
  for (const Behaviour& one : cell.does) {
    const auto reading = std::ranges::find(comparison.readings, one.name, &spec::CallReading::id);
    does.push_back({.letter = one.letter,
                    .name = one.name,
                    .says = reading != comparison.readings.end() ? reading->says : "",
                    .tone = tone_of(one.letter),
                    .inputs = one.count,
                    .repeated = one.repeated});
  }
  return does;
}

reports::PageDifference difference_of(const FamilyComparison& comparison, const ComparisonResult& compared,
                                      const Divergence& one, const MakeSnippet& snippet) {
  reports::PageDifference page{.in = one.in,
                               .name = one.name(),
                               .kind = std::string(name(one.kind)),
                               .witness = comparison.family->name + text_of(comparison, one.witness),
                               .caveat = witness_words(one),
                               .portable = portable_words(comparison, compared, one),
                               .answers = {}};
  for (const Divergence::Side& side : one.sides)
    for (const std::size_t m : side.members) {
      const FamilyMember& member = compared.members[m];
      const Observation& answer = one.answers[m];
      const auto call = std::get<spec::Call>(call_of(comparison, member, one.witness.said));
      page.answers.push_back({.member = m,
                              .does = side.does,
                              .outcome = shown(answer),
                              .document = document_words(answer),
                              .contradicts = !answer.keeps_word,
                              .sentence = answer.because,
                              .snippet = snippet(member, call, answer)});
    }
  return page;
}

}  // namespace

std::string name_with_release(const engines::EngineInfo& engine) {
  const bool has_release = !spec::is_named_by_path(engine.name) && engine.name.find('@') != std::string::npos;
  return has_release || engine.version.empty() ? engine.name : engine.name + '@' + engine.version;
}

reports::FamilyPage as_page(const FamilyComparison& comparison, const ComparisonResult& compared,
                            const MakeSnippet& snippet) {
  reports::FamilyPage page{.name = comparison.family->name,
                           .summary = comparison.family->summary,
                           .inputs = compared.inputs.size(),
                           .members = {},
                           .classes = {},
                           .differences = {}};
  if (const std::string words = left_out_words(compared); !words.empty()) page.summary += "; " + words;
  for (const FamilyMember& member : compared.members)
    page.members.push_back({member.spec->api, name_with_release(member.engine->info())});
  for (const auto& [classes, row] : compared.rows) {
    if (std::ranges::all_of(row, [](const Cell& cell) { return cell.does.empty(); })) continue;
    page.classes.push_back(
        {.id = name_of(comparison, classes), .says = words_of(comparison, classes), .cells = {}});
    for (const Cell& cell : row) page.classes.back().cells.push_back(cell_of(comparison, cell));
  }
  for (const Divergence& one : compared.differences)
    page.differences.push_back(difference_of(comparison, compared, one, snippet));
  return page;
}

}  // namespace scatterproof::runner::compare
