// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "contents.hpp"
#include "words.hpp"

namespace scatterproof::runner::site {
namespace {

using reports::SiteBlock;

constexpr std::array<std::string_view, 9> worst_first = {
    "crash",   "hang",    "unrelated memory", "wrong result", "wrong gradient", "writes an argument",
    "accepts", "refuses", "message"};

std::string where_seen(const PublishedFinding& one) {
  std::vector<std::string> all;
  for (const auto& [engine, releases] : one.seen)
    all.push_back(fmt::format("{} {}", engine, fmt::join(releases, ", ")));
  return fmt::format("{}", fmt::join(all, "; "));
}

SiteLine status_line(const PublishedFinding& one) {
  SiteLine line = {one.link.empty() ? plain(one.status) : link(one.status, one.link)};
  if (!one.fixed_in.empty()) line.push_back(plain(" in " + one.fixed_in));
  if (!one.because.empty()) line.push_back(plain(": " + one.because));
  return line;
}

SiteLine apis_line(const SiteContents& contents, const PublishedFinding& one) {
  SiteLine line;
  for (const auto& [api, rules] : one.apis) {
    if (!line.empty()) line.push_back(plain(", "));
    const bool known = contents.specs().find(api) != nullptr;
    line.push_back(known ? api_link(api) : code(api));
    line.push_back(plain(fmt::format(" ({})", fmt::join(rules, ", "))));
  }
  return line;
}

std::vector<SiteBlock> clauses_blocks(const PublishedFinding& one) {
  std::vector<SiteLine> items;
  for (const auto& clause : one.clauses)
    items.push_back(
        {plain('"' + clause.says + "\" "),
         clause.where.starts_with("https://") ? link(clause.where, clause.where) : code(clause.where),
         plain(clause.against ? " (against the finding)" : "")});
  std::vector<SiteBlock> blocks = {heading(2, "clauses", "What the document says"),
                                   reports::SiteList{.items = std::move(items)}};
  if (!one.silent.empty()) blocks.push_back(paragraph({plain("It does not say: " + one.silent)}));
  if (!one.mathematics.empty()) blocks.push_back(paragraph({plain("Mathematics: " + one.mathematics)}));
  return blocks;
}

}  // namespace

reports::SitePage finding_page(SiteContents& contents, const PublishedFinding& one) {
  reports::SitePage page{.file = file_of_finding(one.id),
                         .title = fmt::format("{}: {}", one.id, one.title),
                         .trail = {link("All findings", findings_file)},
                         .lead = {shown(Look::bad, one.severity),
                                  plain(", seen in " + where_seen(one) + ". "), plain("Status: ")}};
  append(page.lead, status_line(one));
  page.blocks = {heading(2, "what", "What happens"), paragraph({plain(one.what)})};
  if (!one.configuration.empty()) page.blocks.push_back(paragraph({plain("Set up: " + one.configuration)}));
  SiteLine apis = {plain("APIs, with the rules that the calls break: ")};
  append(apis, apis_line(contents, one));
  page.blocks.push_back(paragraph(std::move(apis)));
  for (SiteBlock& block : clauses_blocks(one)) page.blocks.push_back(std::move(block));
  page.blocks.push_back(heading(2, "scripts", "Scripts that show it"));
  for (const std::string& script : one.scripts) page.blocks.push_back(reports::SiteCode{script});
  SiteLine last = {plain("Public threads were last searched on " + one.searched + ".")};
  for (const std::string& thread : one.threads) {
    last.push_back(plain(" "));
    last.push_back(link(thread, thread));
  }
  page.blocks.push_back(paragraph(std::move(last)));
  return page;
}

reports::SitePage findings_page(SiteContents& contents) {
  reports::SitePage page{.file = findings_file,
                         .title = "Findings",
                         .lead = {plain("Where released frameworks do something that their documents do not "
                                        "say. Each has scripts of plain framework code that show it.")}};
  page.blocks.push_back(reports::SiteSearch{.label = "Search, such as torch scatter crash"});
  for (const std::string_view severity : worst_first) {
    std::vector<SiteLine> items;
    for (const PublishedFinding& one : contents.sources().findings) {
      if (one.severity != severity) continue;
      SiteLine line = {link(one.id, file_of_finding(one.id)),
                       plain(fmt::format(": {}. {}. ", one.title, where_seen(one)))};
      append(line, {one.link.empty() ? plain(one.status) : link(one.status, one.link)});
      items.push_back(std::move(line));
    }
    if (items.empty()) continue;
    page.blocks.push_back(heading(2, reports::site_id(std::string(severity)), std::string(severity)));
    page.blocks.push_back(reports::SiteList{.items = std::move(items), .searched = true});
  }
  return page;
}

}  // namespace scatterproof::runner::site
