// SPDX-License-Identifier: Apache-2.0
#include "differences.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "words.hpp"

namespace scatterproof::runner::site {
namespace {

using reports::SiteBlock;

constexpr std::string_view refusing = "refuses the call";

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

/// Each deed once, with the names of all that do it.
SiteLine side_line(const std::string& document, const std::vector<Deed>& seen) {
  std::vector<Deed> told = {{"document", document}};
  for (const Deed& one : seen) {
    const auto same = std::ranges::find(told, one.does, &Deed::does);
    if (same == told.end())
      told.push_back(one);
    else
      same->who += ", " + one.who;
  }
  SiteLine line;
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
  return !outcome.empty() && words != refusing;
}

/// What to change so that the second API gives what the first one does.
std::string advice_line(const PairDifference& one, const Prepared& prepared) {
  if (prepared.classes.contains(one.input_class) && gives_a_result(one.first_outcome, one.first))
    return "The code above does it.";
  for (const PairAdvice& way : one.advice)
    if (way.keeps_first) return "Change the arguments first: " + way.says + ".";
  if (gives_a_result(one.first_outcome, one.first)) return "No change is known that gives it.";
  if (!one.first_outcome.empty())
    return gives_a_result(one.second_outcome, one.second) ? "Refuse such calls yourself." : "";
  return "Its document promises none.";
}

std::string example_id(const std::string& input_class) {
  return "example-" + reports::site_id(name_of_class(input_class));
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
  return reports::SiteFold{.id = example_id(one.input_class),
                           .title = {code(name_of_class(one.input_class))},
                           .blocks = {reports::SiteCode{text}}};
}

/// A kind of call that two APIs take in different ways.
struct Parting {
  std::string input_class, says;
  std::string first, second;                             ///< what the documents say
  bool first_promised = false, second_promised = false;  ///< one result, or a refusal
  std::vector<Deed> first_seen, second_seen;
};

/// What a porter has to know of it.
enum class Use {
  to_port,       ///< the second API may give another result
  seen_alike,    ///< its document does not promise the result, but its engines were seen to give it
  not_promised,  ///< neither the document nor an engine of the first API gives a result that the other lacks
};

Use use_of(const Parting& one) {
  const auto second_does = [&](const Deed& seen) {
    return seen.does == one.second ||
           std::ranges::find(one.second_seen, seen.does, &Deed::does) != one.second_seen.end();
  };
  if (!one.first_promised) {
    const bool is_new = std::ranges::any_of(
        one.first_seen, [&](const Deed& seen) { return seen.does != refusing && !second_does(seen); });
    return is_new ? Use::to_port : Use::not_promised;
  }
  const bool alike =
      !one.second_promised && !one.second_seen.empty() &&
      std::ranges::all_of(one.second_seen, [&](const Deed& seen) { return seen.does == one.first; });
  return alike ? Use::seen_alike : Use::to_port;
}

/// A sentence with the names of the kinds of this use; empty: there is none.
SiteLine listed(const std::vector<Parting>& all, Use use, const std::string& says) {
  SiteLine line;
  for (const Parting& one : all) {
    if (use_of(one) != use) continue;
    line.push_back(plain(line.empty() ? says : ", "));
    line.push_back(code(name_of_class(one.input_class)));
    line.back().id = reports::site_id(name_of_class(one.input_class));
  }
  if (!line.empty()) line.push_back(plain(". "));
  return line;
}

/// The kinds of calls that are in no table.
SiteBlock other_kinds(const std::vector<Parting>& all, const spec::OpSpec& from, const spec::OpSpec& to) {
  SiteLine line =
      listed(all, Use::seen_alike,
             fmt::format("Of these the document of {} promises no one result, but its engines were "
                         "seen to give what the document of {} says: ",
                         to.api, from.api));
  append(line, listed(all, Use::not_promised,
                      fmt::format("Of these the document of {} promises no one result: ", from.api)));
  line.push_back(plain("The pages of both APIs have all kinds, with the smallest call of each."));
  return paragraph(std::move(line));
}

reports::SiteRow row_of(const Parting& one, const std::string& example) {
  const std::string name = name_of_class(one.input_class);
  return {.id = reports::site_id(name),
          .cells = {{code(name, example), plain(" " + one.says)},
                    side_line(one.first, one.first_seen),
                    side_line(one.second, one.second_seen)}};
}

/// Whether the page of the pair shows the calls: both documents say what they give, or there is a way to
/// write the second one. Else the page of the first API has its call.
bool is_shown_here(const PairDifference& one) {
  return (!one.first_outcome.empty() && !one.second_outcome.empty()) ||
         std::ranges::any_of(one.advice, &PairAdvice::keeps_first);
}

/// With calls in the names of the two, those first that the document of `from` defines.
std::vector<PairDifference> named_differences(SiteContents& contents, const spec::OpSpec& from,
                                              const spec::OpSpec& to) {
  std::vector<PairDifference> all = contents.differences(from, to);
  for (PairDifference& one : all) {
    one.first_call = contents.named(from, one.first_call);
    one.second_call = contents.named(to, one.second_call);
    for (PairAdvice& way : one.advice) way.second = contents.named(to, way.second);
  }
  std::ranges::stable_partition(
      all, [](const PairDifference& one) { return gives_a_result(one.first_outcome, one.first); });
  return all;
}

std::vector<SiteBlock> differences_of_twins(SiteContents& contents, const spec::OpSpec& from,
                                            const spec::OpSpec& to, const Prepared& prepared) {
  const spec::FamilyComparison& comparison = contents.forecast(*contents.family(from)).comparison();
  const std::vector<PairDifference> all = named_differences(contents, from, to);
  std::vector<Parting> partings;
  for (const PairDifference& one : all)
    partings.push_back({.input_class = one.input_class,
                        .says = one.says,
                        .first = one.first,
                        .second = one.second,
                        .first_promised = !one.first_outcome.empty(),
                        .second_promised = !one.second_outcome.empty(),
                        .first_seen = seen_of(contents, from, comparison, one.input_class),
                        .second_seen = seen_of(contents, to, comparison, one.input_class)});
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
  std::vector<SiteBlock> examples;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (use_of(partings[i]) != Use::to_port) continue;
    const bool is_here = is_shown_here(all[i]);
    table.rows.push_back(row_of(partings[i], is_here ? "#" + example_id(all[i].input_class) : ""));
    table.rows.back().cells.push_back({plain(advice_line(all[i], prepared))});
    if (is_here) examples.push_back(example_of(all[i]));
  }
  table.rows = told_once(std::move(table.rows));
  if (!table.rows.empty()) blocks.push_back(std::move(table));
  blocks.push_back(other_kinds(partings, from, to));
  if (!examples.empty()) blocks.push_back(heading(2, "examples", "The smallest calls"));
  std::ranges::move(examples, std::back_inserter(blocks));
  return blocks;
}

/// What an API's document says of the calls of a class.
struct Said {
  std::string words;  ///< empty: nothing is known
  bool promised = false;
};

Said said_of(SiteContents& contents, const spec::OpSpec& op, const std::string& input_class) {
  const auto& all = contents.said_by_class(op);
  const auto names = all.find(input_class);
  if (names == all.end()) return {};
  const Forecast& documents = contents.forecast(*contents.family(op));
  std::vector<std::string> words;
  for (const std::string& name : names->second) words.push_back(documents.words_of(name));
  return {.words = fmt::format("{}", fmt::join(words, ", or ")),
          .promised = std::ranges::any_of(names->second, &promises_something)};
}

/// APIs of two families take different arguments, so each is told by calls of its own.
std::vector<Parting> partings_of_families(SiteContents& contents, const spec::OpSpec& from,
                                          const spec::OpSpec& to, const Prepared& prepared) {
  const spec::FamilyComparison& a = contents.forecast(*contents.family(from)).comparison();
  const spec::FamilyComparison& b = contents.forecast(*contents.family(to)).comparison();
  std::vector<Parting> all;
  for (const auto& [input_class, _] : contents.said_by_class(from)) {
    const spec::FamilyInputClass* known = a.find_class(input_class);
    const Said first = said_of(contents, from, input_class), second = said_of(contents, to, input_class);
    if (!known || second.words.empty() || first.words == second.words) continue;
    if (prepared.classes.contains(input_class)) continue;
    all.push_back({.input_class = input_class,
                   .says = known->says,
                   .first = first.words,
                   .second = second.words,
                   .first_promised = first.promised,
                   .second_promised = second.promised,
                   .first_seen = seen_of(contents, from, a, input_class),
                   .second_seen = seen_of(contents, to, b, input_class)});
  }
  return all;
}

std::vector<SiteBlock> differences_of_families(SiteContents& contents, const spec::OpSpec& from,
                                               const spec::OpSpec& to, const Prepared& prepared) {
  const std::vector<Parting> partings = partings_of_families(contents, from, to, prepared);
  std::vector<SiteBlock> blocks = {heading(2, "differences", "Where they differ")};
  if (partings.empty()) {
    blocks.push_back(paragraph({plain("No kind of call was found about which the two documents differ.")}));
    return blocks;
  }
  reports::SiteTable table{.label = "Differences by calls", .heads = {"calls", from.api, to.api}, .rows = {}};
  for (const Parting& one : partings)
    if (use_of(one) == Use::to_port) table.rows.push_back(row_of(one, ""));
  blocks.push_back(
      paragraph({plain("Each API was given calls of its own, not those that the code builds.")}));
  if (!table.rows.empty()) blocks.push_back(std::move(table));
  blocks.push_back(other_kinds(partings, from, to));
  return blocks;
}

}  // namespace

std::vector<SiteBlock> differences_section(SiteContents& contents, const spec::OpSpec& from, const Twin& twin,
                                           const Prepared& prepared) {
  return twin.bridge ? differences_of_families(contents, from, *twin.to, prepared)
                     : differences_of_twins(contents, from, *twin.to, prepared);
}

}  // namespace scatterproof::runner::site
