// SPDX-License-Identifier: Apache-2.0
// What engines were seen to do with one API, release by release.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "contents.hpp"
#include "scatterproof/spec/core/verdict.hpp"
#include "words.hpp"

namespace scatterproof::runner::site {
namespace {

using reports::SiteBlock;
using Columns = std::vector<std::pair<const KeptEngine*, const KeptApi*>>;

/// All engines and releases that were seen with the API, releases in their order.
Columns columns_of(const SiteContents& contents, const spec::OpSpec& op,
                   const std::function<bool(const KeptApi&)>& has) {
  Columns columns;
  for (const KeptEngine& engine : contents.sources().kept.all())
    if (const auto api = engine.apis.find(op.api); api != engine.apis.end() && has(api->second))
      columns.emplace_back(&engine, &api->second);
  return columns;
}

std::vector<std::string> heads_of(std::vector<std::string> heads, const Columns& columns) {
  for (const auto& [engine, _] : columns) heads.push_back(engine->name());
  return heads;
}

SiteSpan practice_span(const std::string& text) {
  if (text.starts_with("enforced")) return shown(Look::good, text);
  return text.starts_with("crashes") || text.starts_with("contradicts") ? shown(Look::bad, text)
                                                                        : shown(Look::unsure, text);
}

SiteBlock missing(const std::string& what, const std::string& command) {
  return paragraph({plain(what + " "), code(command), plain(" makes what is missing.")});
}

std::vector<SiteBlock> practice_section(const SiteContents& contents, const spec::OpSpec& op) {
  std::vector<SiteBlock> blocks = {heading(2, "breaks", "Where calls break a rule")};
  const Columns columns = columns_of(contents, op, [](const KeptApi& one) { return !one.rules.empty(); });
  if (columns.empty()) {
    blocks.push_back(
        missing("No results are kept of what engines do where a call breaks a rule.",
                fmt::format("scatterproof run '{}/*' -e {} --report jsonl=run.jsonl", op.api, op.framework)));
    return blocks;
  }
  blocks.push_back(
      paragraph({plain("Enforced: the call is refused. Lenient: it is taken; in brackets is how. "
                       "Mixed: some calls are refused. Many documents do not say what must "
                       "happen, so this alone is no fault.")}));
  std::set<std::string> broken;
  for (const auto& [_, api] : columns)
    for (const auto& [rule, text] : api->rules) broken.insert(rule);
  reports::SiteTable table{
      .label = "What engines do where calls break a rule", .heads = heads_of({"rule"}, columns), .rows = {}};
  for (const std::string& rule : broken) {
    reports::SiteRow row{.id = "breaks-" + reports::site_id(rule),
                         .cells = {{code(rule, op.rule(rule) ? "#rule-" + reports::site_id(rule) : "")}}};
    for (const auto& [_, api] : columns) {
      const auto does = api->rules.find(rule);
      row.cells.push_back(does == api->rules.end() ? SiteLine{plain("-")}
                                                   : SiteLine{practice_span(does->second)});
    }
    table.rows.push_back(std::move(row));
  }
  blocks.push_back(std::move(table));
  return blocks;
}

std::vector<SiteBlock> classes_section(SiteContents& contents, const spec::OpSpec& op) {
  const spec::Family* family = contents.family(op);
  const spec::OpSpec& base = contents.base(op);
  if (!family) return {};
  const Forecast& documents = contents.forecast(*family);
  const auto place = documents.place_of(base.api);
  if (!place) return {};
  if (const spec::OpSpec& principal = contents.principal(op); &principal != &op)
    return {heading(2, "classes", "By kind of call"),
            paragraph({link(principal.api, file_of_api(principal.api) + "#classes"),
                       plain(" says it: the two names have one meaning.")})};
  const Columns columns = columns_of(contents, base, [](const KeptApi& one) { return !one.seen.empty(); });
  std::vector<SiteBlock> blocks = {heading(2, "classes", "By kind of call")};
  if (columns.empty())
    blocks.push_back(missing("Only what the document says is known; no results are kept of what engines do.",
                             fmt::format("scatterproof compare {} --json now.json", family->name)));
  reports::SiteTable table{.label = "What is done by kind of call",
                           .heads = heads_of({"calls", "the document"}, columns),
                           .rows = {}};
  const auto behaviours = documents.behaviours(*place);
  const auto row_of = [&](const std::string& id, const std::string& says) {
    SiteLine said;
    if (const auto known = behaviours.find(id); known != behaviours.end())
      for (const ForeseenBehaviour& one : known->second) {
        said.push_back(plain((said.empty() ? "" : ", or ") + documents.words_of(one.name) + ": "));
        said.push_back(code(contents.named(op, documents.call_text(*place, one.input))));
      }
    bool anything = !said.empty();
    if (said.empty()) said.push_back(plain("-"));
    reports::SiteRow row{
        .id = row_of_class(id),
        .cells = {{id.empty() ? plain("all other calls") : code(id), plain(" " + says)}, std::move(said)}};
    for (const auto& [_, api] : columns) {
      const auto seen = api->seen.find(id);
      anything |= seen != api->seen.end();
      row.cells.push_back(
          {plain(seen == api->seen.end() ? "-" : seen_words(documents.comparison(), seen->second))});
    }
    if (anything) table.rows.push_back(std::move(row));
  };
  for (const spec::FamilyInputClass& one : documents.comparison().classes) row_of(one.id, one.says);
  row_of("", "");
  blocks.push_back(std::move(table));
  return blocks;
}

std::string verdict_counts(const KeptApi& api) {
  std::vector<std::string> words;
  for (const auto& [verdict, calls] : api.verdicts) words.push_back(fmt::format("{} {}", calls, verdict));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::vector<SiteBlock> runs_section(const SiteContents& contents, const spec::OpSpec& op) {
  const Columns columns = columns_of(contents, op, [](const KeptApi& one) { return !one.verdicts.empty(); });
  if (columns.empty()) return {};
  reports::SiteTable table{.label = "Verdicts of the cases by engine and release",
                           .heads = {"engine", "date", "verdicts", "failures"},
                           .rows = {}};
  std::vector<SiteBlock> folds;
  for (const auto& [engine, api] : columns) {
    table.rows.push_back({.id = "run-" + reports::site_id(engine->name()),
                          .cells = {{code(engine->name())},
                                    {plain(engine->date)},
                                    {plain(verdict_counts(*api))},
                                    {plain(std::to_string(api->failures.size()))}}});
    if (api->failures.empty()) continue;
    std::vector<SiteLine> items;
    for (const KeptFailure& failure : api->failures)
      items.push_back(
          {code(failure.id), plain(" "), shown(Look::bad, failure.verdict), plain(" " + failure.why)});
    folds.push_back(reports::SiteFold{.id = "failures-" + reports::site_id(engine->name()),
                                      .title = {plain("Failures on " + engine->name())},
                                      .blocks = {reports::SiteList{.items = std::move(items)}}});
  }
  std::vector<SiteBlock> blocks = {heading(2, "runs", "Release by release"), std::move(table)};
  for (SiteBlock& fold : folds) blocks.push_back(std::move(fold));
  return blocks;
}

}  // namespace

std::vector<SiteBlock> seen_sections(SiteContents& contents, const spec::OpSpec& op) {
  std::vector<SiteBlock> all = practice_section(contents, op);
  for (auto section : {classes_section(contents, op), runs_section(contents, op)})
    for (SiteBlock& block : section) all.push_back(std::move(block));
  return all;
}

}  // namespace scatterproof::runner::site
