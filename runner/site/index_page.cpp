// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>
#include <set>

#include "contents.hpp"
#include "words.hpp"

namespace scatterproof::runner::site {
namespace {

/// `torch.gather: reads .. In: jax numpy`. The frameworks lead to the place of the API's page with its twins.
SiteLine entry_of(SiteContents& contents, const spec::OpSpec& op) {
  SiteLine line = {api_link(op.api), plain(": " + op.summary)};
  std::set<std::string> frameworks;
  for (const Twin& twin : contents.twins(op)) frameworks.insert(twin.to->framework);
  if (frameworks.empty()) return line;
  line.push_back(plain(". In"));
  for (const std::string& framework : frameworks) {
    line.push_back(plain(" "));
    line.push_back(link(framework, file_of_api(op.api) + "#to-" + reports::site_id(framework)));
  }
  return line;
}

std::vector<reports::SiteBlock> by_framework(SiteContents& contents) {
  std::map<std::string, std::vector<SiteLine>> entries;
  for (const spec::OpSpec& op : contents.specs().all())
    entries[op.framework].push_back(entry_of(contents, op));
  std::vector<reports::SiteBlock> blocks = {heading(2, "by-framework", "By framework")};
  for (auto& [framework, lines] : entries) {
    blocks.push_back(heading(3, "framework-" + reports::site_id(framework), framework));
    blocks.push_back(reports::SiteList{.items = std::move(lines), .searched = true});
  }
  return blocks;
}

std::vector<reports::SiteBlock> by_family(SiteContents& contents) {
  std::vector<reports::SiteBlock> blocks = {
      heading(2, "by-family", "By family"),
      paragraph({plain("APIs of a family mean the same where they agree.")})};
  std::vector<SiteLine> alone;
  std::map<std::string, SiteLine> members;
  for (const spec::OpSpec& op : contents.specs().all()) {
    const spec::Family* family = contents.family(op);
    if (!family) {
      alone.push_back({api_link(op.api), plain(": " + op.summary)});
      continue;
    }
    SiteLine& line = members[family->name];
    if (!line.empty()) line.push_back(plain(", "));
    line.push_back(api_link(op.api));
  }
  for (const spec::Family& family : contents.sources().families.all()) {
    blocks.push_back(heading(3, "family-" + reports::site_id(family.name), family.name));
    blocks.push_back(paragraph({plain(family.summary + ".")}));
    blocks.push_back(paragraph(members[family.name]));
  }
  blocks.push_back(heading(3, "no-family", "In no family"));
  blocks.push_back(reports::SiteList{.items = std::move(alone)});
  return blocks;
}

}  // namespace

reports::SitePage index_page(SiteContents& contents) {
  reports::SitePage page{.file = index_file,
                         .title = {},
                         .lead = {plain("What each API's document says, what engines do, and how to write a "
                                        "call of one framework in another. Choose the API that you have; its "
                                        "page has a link for each API that it can be written with.")}};
  page.title = fmt::format("Scatter and gather in {}",
                           count_words(frameworks_of(contents).size(), "framework", "frameworks"));
  page.blocks.push_back(reports::SiteSearch{.label = "Search, such as torch.scatter_add jax"});
  for (auto& block : frameworks_section(contents)) page.blocks.push_back(std::move(block));
  for (auto& block : by_framework(contents)) page.blocks.push_back(std::move(block));
  for (auto& block : by_family(contents)) page.blocks.push_back(std::move(block));
  return page;
}

}  // namespace scatterproof::runner::site
