// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>
#include <set>

#include "contents.hpp"
#include "words.hpp"

namespace scatterproof::runner::site {
namespace {

using reports::SiteBlock;
using Counts = std::map<std::string, std::map<std::string, std::size_t>>;  // row, column

/// A table of counts, with a last row of sums.
SiteBlock count_table(const std::string& label, const std::string& of,
                      const std::vector<std::string>& columns, const Counts& counts) {
  reports::SiteTable table{.label = label, .heads = {of}, .rows = {}};
  table.heads.insert(table.heads.end(), columns.begin(), columns.end());
  reports::SiteRow sums{.id = {}, .cells = {{plain("all")}}};
  for (const std::string& column : columns) {
    std::size_t sum = 0;
    for (const auto& [_, row] : counts)
      if (const auto cell = row.find(column); cell != row.end()) sum += cell->second;
    sums.cells.push_back({plain(std::to_string(sum))});
  }
  for (const auto& [name, row] : counts) {
    table.rows.push_back({.id = {}, .cells = {{plain(name)}}});
    for (const std::string& column : columns) {
      const auto cell = row.find(column);
      table.rows.back().cells.push_back({plain(std::to_string(cell == row.end() ? 0 : cell->second))});
    }
  }
  table.rows.push_back(std::move(sums));
  return table;
}

SiteBlock documents_figures(SiteContents& contents) {
  Counts counts;
  for (const spec::OpSpec& op : contents.specs().all()) {
    auto& row = counts[op.framework];
    ++row["APIs"];
    row["rules"] += op.rules.size();
    row["doubts"] += op.doubts.size();
    row["ways to other frameworks"] += contents.twins(op).size();
  }
  for (const spec::Case& one : contents.sources().catalogue.cases)
    if (const spec::OpSpec* op = contents.specs().find(one.call.api)) ++counts[op->framework]["cases"];
  return count_table("By framework", "framework",
                     {"APIs", "rules", "doubts", "cases", "ways to other frameworks"}, counts);
}

SiteBlock findings_figures(SiteContents& contents) {
  Counts counts;
  std::set<std::string> statuses;
  for (const PublishedFinding& one : contents.sources().findings) {
    ++counts[one.severity][one.status];
    statuses.insert(one.status);
  }
  return count_table("Findings by severity and status", "severity", {statuses.begin(), statuses.end()},
                     counts);
}

SiteBlock claims_figures(SiteContents& contents) {
  Counts counts;
  for (const claims::ClaimFile& file : contents.sources().claims) {
    auto& row = counts[file.title];
    for (const claims::MappingClaim& claim : file.claims) {
      ++row["claims"];
      row["not executed"] += !claim.because.empty();
      for (const auto& [_, standing] : claim.expect) ++row[std::string(name(standing))];
    }
  }
  return count_table("Claims by standing", "claims",
                     {"claims", "holds", "holds if", "refuted", "not run", "not executed"}, counts);
}

std::vector<SiteBlock> runs_figures(SiteContents& contents) {
  Counts counts;
  std::set<std::string> verdicts;
  std::vector<std::string> dates;
  for (const KeptEngine& engine : contents.sources().kept.all())
    for (const auto& [_, api] : engine.apis)
      for (const auto& [verdict, calls] : api.verdicts) {
        counts[engine.name()][verdict] += calls;
        verdicts.insert(verdict);
      }
  if (counts.empty())
    return {paragraph({plain("No results of runs are kept. "), code("scatterproof site DIR --run run.jsonl"),
                       plain(" takes those of "), code("scatterproof run --report jsonl=run.jsonl"),
                       plain(".")})};
  return {
      count_table("Verdicts by engine and release", "engine", {verdicts.begin(), verdicts.end()}, counts)};
}

}  // namespace

reports::SitePage figures_page(SiteContents& contents) {
  reports::SitePage page{.file = figures_file,
                         .title = "Figures",
                         .lead = {plain("How much of everything there is on these pages.")}};
  page.blocks = {heading(2, "documents", "Documents"), documents_figures(contents),
                 heading(2, "runs", "Cases on engines")};
  for (SiteBlock& block : runs_figures(contents)) page.blocks.push_back(std::move(block));
  page.blocks.push_back(heading(2, "findings", "Findings"));
  page.blocks.push_back(findings_figures(contents));
  page.blocks.push_back(heading(2, "claims", "Claims"));
  page.blocks.push_back(claims_figures(contents));
  return page;
}

}  // namespace scatterproof::runner::site
