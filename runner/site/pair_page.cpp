// SPDX-License-Identifier: Apache-2.0
// From an API to one of another framework: how a call is written there, and where the two differ.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "contents.hpp"
#include "translation.hpp"
#include "words.hpp"

namespace scatterproof::runner::site {
namespace {

using reports::SiteBlock;

/// What a document says or an engine does about a class of calls.
struct Deed {
  std::string who;
  std::string does;
};

/// What one side's newest releases were seen to do in a class.
std::vector<Deed> seen_of(const SiteContents& contents, const spec::OpSpec& op,
                          const spec::FamilyComparison& comparison, const std::string& input_class) {
  std::vector<Deed> all;
  for (const auto& [engine, api] : contents.newest(op))
    if (const auto seen = api->seen.find(input_class); seen != api->seen.end())
      all.push_back({engine->name(), seen_words(comparison, seen->second)});
  return all;
}

/// Each deed once, with the names of all that do it. `example`: the place of a call that shows what the
/// document says; empty: it is on this page.
SiteLine side_line(const std::string& document, const std::string& example, const std::vector<Deed>& seen) {
  std::vector<Deed> told = {{example.empty() ? "document" : "", document}};
  for (const Deed& one : seen) {
    const auto same = std::ranges::find(told, one.does, &Deed::does);
    if (same == told.end())
      told.push_back(one);
    else
      same->who += ", " + one.who;
  }
  SiteLine line;
  if (!example.empty()) line.push_back(link("document", example));
  for (const Deed& one : told) {
    if (&one != &told.front()) line.back().text += ". ";
    line.push_back(shown(Look::quiet, one.who + ": "));
    line.push_back(plain(one.does));
  }
  return line;
}

/// Rows that say the same of their calls become neighbours, and say it once.
std::vector<reports::SiteRow> told_once(std::vector<reports::SiteRow> rows) {
  const auto said = [](const reports::SiteRow& row) { return std::span(row.cells).subspan(1); };
  std::vector<std::vector<reports::SiteRow>> groups;
  for (reports::SiteRow& row : rows) {
    const auto group = std::ranges::find_if(
        groups, [&](const auto& one) { return std::ranges::equal(said(one.front()), said(row)); });
    if (group == groups.end())
      groups.push_back({std::move(row)});
    else
      group->push_back(std::move(row));
  }
  std::vector<reports::SiteRow> all;
  for (std::vector<reports::SiteRow>& group : groups) {
    group.front().rows = group.size();
    for (auto row = group.begin() + 1; row != group.end(); ++row) row->cells.resize(1);
    std::ranges::move(group, std::back_inserter(all));
  }
  return all;
}

std::string name_of_class(const std::string& input_class) {
  return input_class.empty() ? "all other calls" : input_class;
}

bool gives_a_result(const std::string& outcome, const std::string& words) {
  return !outcome.empty() && words != "refuses the call";
}

/// What to change so that the second API gives what the first one does.
std::string advice_line(const PairDifference& one) {
  for (const PairAdvice& way : one.advice)
    if (way.keeps_first) return "Change the arguments first: " + way.says + ".";
  if (gives_a_result(one.first_outcome, one.first))
    return "No change of the arguments is known that gives it.";
  if (!one.first_outcome.empty())
    return gives_a_result(one.second_outcome, one.second) ? "Refuse such calls yourself." : "";
  return "Its document promises none.";
}

SiteBlock example_of(const PairDifference& one) {
  const auto side = [](const std::string& call, const std::string& outcome, const std::string& words) {
    return fmt::format("{}\n  # {}\n", call,
                       outcome.empty() ? "the document " + words : "by the document: " + outcome);
  };
  std::string text = side(one.first_call, one.first_outcome, one.first) +
                     side(one.second_call, one.second_outcome, one.second);
  for (const PairAdvice& way : one.advice)
    if (way.keeps_first) text += fmt::format("# {}\n{}\n", way.says, way.second);
  return reports::SiteFold{.id = "example-" + reports::site_id(name_of_class(one.input_class)),
                           .title = {code(name_of_class(one.input_class))},
                           .blocks = {reports::SiteCode{text}}};
}

/// The page from the second API to the first, if it tells of the same differences.
std::optional<SiteSpan> other_way(SiteContents& contents, const spec::OpSpec& from, const spec::OpSpec& to) {
  const spec::OpSpec& back = contents.base(from);
  const spec::OpSpec& start = contents.principal(to);
  const bool is_there = std::ranges::any_of(contents.twins(start),
                                            [&](const Twin& one) { return one.to == &back && !one.bridge; });
  if (!is_there) return std::nullopt;
  return link(fmt::format("{} -> {}", start.api, back.api), file_of_pair(start.api, back.api) + "#examples");
}

/// A call about which only the second document says something is shown to those who port from there.
std::vector<SiteBlock> examples_of(const std::vector<PairDifference>& all, const std::string& from,
                                   const std::optional<SiteSpan>& other) {
  std::vector<SiteBlock> blocks = {heading(2, "examples", "The smallest calls")};
  std::size_t elsewhere = 0;
  for (const PairDifference& one : all) {
    if (other && one.first_outcome.empty() && !one.second_outcome.empty())
      ++elsewhere;
    else
      blocks.push_back(example_of(one));
  }
  if (elsewhere > 0)
    blocks.push_back(
        paragraph({plain(fmt::format(
                       "Of {} the document of {} promises no result, or does not say it: the smallest {} on ",
                       count_words(elsewhere, "kind of call", "kinds of calls"), from,
                       elsewhere == 1 ? "call is" : "calls are")),
                   *other, plain(".")}));
  return blocks;
}

std::vector<SiteBlock> differences_of_twins(SiteContents& contents, const spec::OpSpec& from,
                                            const spec::OpSpec& to) {
  const Forecast& documents = contents.forecast(*contents.family(from));
  std::vector<PairDifference> all = contents.differences(from, to);
  for (PairDifference& one : all) {
    one.first_call = contents.named(from, one.first_call);
    one.second_call = contents.named(to, one.second_call);
    for (PairAdvice& way : one.advice) way.second = contents.named(to, way.second);
  }
  // Calls that the document of `from` defines come first: these are what there is to port.
  std::ranges::stable_partition(
      all, [](const PairDifference& one) { return gives_a_result(one.first_outcome, one.first); });
  std::vector<SiteBlock> blocks = {heading(2, "differences", "Where they differ")};
  if (all.empty()) {
    blocks.push_back(
        paragraph({plain("Nothing was found: on all calls that were tried, the two documents "
                         "say the same, or say nothing.")}));
    return blocks;
  }
  reports::SiteTable table{.label = "Differences by calls",
                           .heads = {"calls", from.api, to.api, "to get the result of " + from.api},
                           .rows = {}};
  for (const PairDifference& one : all)
    table.rows.push_back(
        {.id = reports::site_id(name_of_class(one.input_class)),
         .cells = {{code(name_of_class(one.input_class)), plain(" " + one.says)},
                   side_line(one.first, "", seen_of(contents, from, documents.comparison(), one.input_class)),
                   side_line(one.second, "", seen_of(contents, to, documents.comparison(), one.input_class)),
                   {plain(advice_line(one))}}});
  table.rows = told_once(std::move(table.rows));
  blocks.push_back(std::move(table));
  std::ranges::move(examples_of(all, from.api, other_way(contents, from, to)), std::back_inserter(blocks));
  return blocks;
}

/// What an API's document says, and its engines do, by class.
struct OneSide {
  std::map<std::string, std::string> by_class;
  std::map<std::string, std::string> says;  ///< what the classes are
};

OneSide side_of(SiteContents& contents, const spec::OpSpec& op) {
  OneSide side;
  const Forecast& documents = contents.forecast(*contents.family(op));
  const auto place = documents.place_of(contents.base(op).api);
  if (!place) return side;
  for (const auto& [input_class, all] : documents.behaviours(*place)) {
    const spec::FamilyInputClass* known = documents.comparison().find_class(input_class);
    if (!known) continue;
    side.says[input_class] = known->says;
    for (const ForeseenBehaviour& one : all)
      side.by_class[input_class] +=
          (side.by_class[input_class].empty() ? "" : ", or ") + documents.words_of(one.name);
  }
  return side;
}

/// Whether the bridge's code makes updates that are too large fit, so that what the other API does with
/// larger ones does not matter.
bool fits_updates(const Bridge& bridge, const std::string& input_class) {
  return input_class == "updates/larger" &&
         bridge.code.find("updates[tuple(slice(n) for n in index.shape") != std::string::npos;
}

/// APIs of two families take different arguments, so each is told by calls of its own.
std::vector<SiteBlock> differences_of_families(SiteContents& contents, const spec::OpSpec& from,
                                               const Twin& twin) {
  const spec::OpSpec& to = *twin.to;
  const OneSide a = side_of(contents, from), b = side_of(contents, to);
  reports::SiteTable table{.label = "Differences by calls", .heads = {"calls", from.api, to.api}, .rows = {}};
  for (const auto& [input_class, first] : a.by_class) {
    const auto second = b.by_class.find(input_class);
    if (second == b.by_class.end() || second->second == first) continue;
    if (fits_updates(*twin.bridge, input_class)) continue;
    const auto seen = [&](const spec::OpSpec& op) {
      return seen_of(contents, op, contents.forecast(*contents.family(op)).comparison(), input_class);
    };
    const auto example = [&](const spec::OpSpec& op) {
      return file_of_api(op.api) + "#" + row_of_class(input_class);
    };
    table.rows.push_back({.id = reports::site_id(input_class),
                          .cells = {{code(input_class), plain(" " + a.says.at(input_class))},
                                    side_line(first, example(from), seen(from)),
                                    side_line(second->second, example(to), seen(to))}});
  }
  std::vector<SiteBlock> blocks = {heading(2, "differences", "Where they differ")};
  if (table.rows.empty())
    blocks.push_back(paragraph({plain("No kind of call was found about which the two documents differ.")}));
  else {
    blocks.push_back(
        paragraph({plain("Each API was given calls of its own, not those that the code builds. "
                         "The links lead to these calls.")}));
    blocks.push_back(std::move(table));
  }
  return blocks;
}

/// Calls under another name of the same meaning have the same differences: one page tells them.
std::vector<SiteBlock> differences_elsewhere(const spec::OpSpec& principal, const spec::OpSpec& from,
                                             const spec::OpSpec& to) {
  return {heading(2, "differences", "Where they differ"),
          paragraph({link(fmt::format("{} -> {}", principal.api, to.api),
                          file_of_pair(principal.api, to.api) + "#differences"),
                     plain(fmt::format(" says it: {} has the same meaning.", from.api))})};
}

std::vector<SiteBlock> how_section(SiteContents& contents, const spec::OpSpec& from, const Twin& twin) {
  std::vector<SiteBlock> blocks = {heading(2, "how", "How to write it")};
  const std::string families =
      fmt::format("{} and {}", contents.family(from)->name, contents.family(*twin.to)->name);
  blocks.push_back(
      twin.bridge
          ? paragraph({plain(twin.bridge->says + " The two are of different families (" + families +
                             "), so the call has to be built. The index must not have negative values here" +
                             (twin.to->framework == "jax"
                                  ? "."
                                  : ", and numpy makes it: convert what it makes to a tensor where the "
                                    "framework asks for one."))})
          : paragraph(
                {plain("Both are of the family " + contents.family(from)->name +
                       ": the same arguments, under other names. Where the results then differ is below.")}));
  if (std::string text = translation(from, twin, contents.sources().families); !text.empty())
    blocks.push_back(reports::SiteCode{std::move(text)});
  return blocks;
}

std::vector<SiteBlock> claims_section(SiteContents& contents, const spec::OpSpec& from,
                                      const spec::OpSpec& to) {
  const std::vector<std::string> a = contents.names_of(from), b = contents.names_of(to);
  const auto is_in = [](const std::vector<std::string>& names, const spec::OpSpec* op) {
    return op && std::ranges::find(names, op->api) != names.end();
  };
  std::vector<SiteLine> items;
  for (const auto& [file, claim] : contents.claims_of(from)) {
    if (!((is_in(a, claim->a) && is_in(b, claim->b)) || (is_in(b, claim->a) && is_in(a, claim->b)))) continue;
    SiteLine line = {link(claim->id, place_of_claim(*file, claim->id)), plain(": " + claim->says + " ")};
    append(line, standing_of(*claim));
    items.push_back(std::move(line));
  }
  if (items.empty()) return {};
  return {heading(2, "claims", "What vendors claim"), reports::SiteList{.items = std::move(items)}};
}

}  // namespace

reports::SitePage pair_page(SiteContents& contents, const spec::OpSpec& from, const Twin& twin) {
  const spec::OpSpec& to = *twin.to;
  reports::SitePage page{.file = file_of_pair(from.api, to.api),
                         .title = fmt::format("{} -> {}", from.api, to.api),
                         .lead = {api_link(from.api), plain(" " + from.summary + ". "), api_link(to.api),
                                  plain(" " + to.summary + ".")}};
  const auto add = [&](std::vector<SiteBlock> blocks) {
    for (SiteBlock& block : blocks) page.blocks.push_back(std::move(block));
  };
  add(how_section(contents, from, twin));
  if (const spec::OpSpec& principal = contents.principal(from); &principal != &from)
    add(differences_elsewhere(principal, from, to));
  else
    add(twin.bridge ? differences_of_families(contents, from, twin)
                    : differences_of_twins(contents, from, to));
  add(claims_section(contents, from, to));
  return page;
}

}  // namespace scatterproof::runner::site
