// SPDX-License-Identifier: Apache-2.0
// From one framework to another: every API, and what it is written with there.
#include <fmt/format.h>

#include <set>

#include "contents.hpp"
#include "words.hpp"

namespace scatterproof::runner::site {
namespace {

std::string file_of_frameworks(const std::string& from, const std::string& to) {
  return "from-" + reports::site_file(from) + "-to-" + reports::site_file(to) + ".html";
}

/// The ways of an API to a framework, each with what is to be known of it.
SiteLine ways_to(SiteContents& contents, const spec::OpSpec& op, const std::string& framework) {
  SiteLine line;
  for (const Twin& twin : contents.twins(op)) {
    if (twin.to->framework != framework) continue;
    if (!line.empty()) line.push_back(plain(", "));
    line.push_back(code(twin.to->api, file_of_pair(op.api, twin.to->api)));
    line.push_back(plain(twin.bridge
                             ? " (to be built)"
                             : fmt::format(" ({})", count_words(contents.differences(op, *twin.to).size(),
                                                                "difference", "differences"))));
  }
  return line;
}

reports::SitePage framework_page(SiteContents& contents, const std::string& from, const std::string& to) {
  reports::SitePage page{
      .file = file_of_frameworks(from, to),
      .title = fmt::format("From {} to {}", from, to),
      .trail = {link("All APIs", index_file), link("the other way", file_of_frameworks(to, from))},
      .lead = {plain("Each API, and what its calls can be written with. In brackets is in how many kinds of "
                     "calls the two differ, or that the call has to be built because no API takes the same "
                     "arguments.")}};
  reports::SiteTable table{.label = page.title, .heads = {from, "does", "in " + to}, .rows = {}};
  std::vector<SiteLine> alone;
  for (const spec::OpSpec& op : contents.specs().all()) {
    if (op.framework != from) continue;
    SiteLine ways = ways_to(contents, op, to);
    if (ways.empty())
      alone.push_back({api_link(op.api)});
    else
      table.rows.push_back({.id = reports::site_id(op.api),
                            .cells = {{api_link(op.api)}, {plain(op.summary)}, std::move(ways)}});
  }
  if (!table.rows.empty()) page.blocks.push_back(std::move(table));
  if (alone.empty()) return page;
  page.blocks.push_back(heading(2, "none", fmt::format("No API of {} is known to take the calls of", to)));
  page.blocks.push_back(reports::SiteList{.items = std::move(alone)});
  return page;
}

}  // namespace

std::vector<std::string> frameworks_of(const SiteContents& contents) {
  std::set<std::string> names;
  for (const spec::OpSpec& op : contents.specs().all()) names.insert(op.framework);
  return {names.begin(), names.end()};
}

std::vector<reports::SiteBlock> frameworks_section(const SiteContents& contents) {
  const std::vector<std::string> names = frameworks_of(contents);
  reports::SiteTable table{.label = "From framework to framework", .heads = {"from"}, .rows = {}};
  for (const std::string& name : names) table.heads.push_back("to " + name);
  for (const std::string& from : names) {
    table.rows.push_back({.id = {}, .cells = {{plain(from)}}});
    for (const std::string& to : names)
      table.rows.back().cells.push_back(
          {from == to ? plain("-") : link(fmt::format("{} -> {}", from, to), file_of_frameworks(from, to))});
  }
  return {heading(2, "frameworks", "From framework to framework"), std::move(table)};
}

std::vector<reports::SitePage> framework_pages(SiteContents& contents) {
  std::vector<reports::SitePage> pages;
  const std::vector<std::string> names = frameworks_of(contents);
  for (const std::string& from : names)
    for (const std::string& to : names)
      if (from != to) pages.push_back(framework_page(contents, from, to));
  return pages;
}

}  // namespace scatterproof::runner::site
