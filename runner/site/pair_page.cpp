// SPDX-License-Identifier: Apache-2.0
// From an API to one of another framework: how a call is written there, and where the two differ.
#include <fmt/format.h>

#include <algorithm>

#include "contents.hpp"
#include "differences.hpp"
#include "preparations.hpp"
#include "translation.hpp"
#include "words.hpp"

namespace scatterproof::runner::site {
namespace {

using reports::SiteBlock;

/// Calls under another name of the same meaning have the same differences: one page tells them.
std::vector<SiteBlock> differences_elsewhere(const spec::OpSpec& principal, const spec::OpSpec& from,
                                             const spec::OpSpec& to) {
  return {heading(2, "differences", "Where they differ"),
          paragraph({link(fmt::format("{} -> {}", principal.api, to.api),
                          file_of_pair(principal.api, to.api) + "#differences"),
                     plain(fmt::format(" says it: {} has the same meaning.", from.api))})};
}

/// What is to be known of the code.
std::string about_code(SiteContents& contents, const spec::OpSpec& from, const Twin& twin,
                       const Prepared& prepared, const std::string& code) {
  const std::string& family = contents.family(from)->name;
  std::string text =
      twin.bridge
          ? fmt::format("{} The two are of different families ({} and {}), so the call has to be built.",
                        twin.bridge->says, family, contents.family(*twin.to)->name)
          : fmt::format("Both are of the family {}: the same arguments, under other names.", family);
  if (twin.bridge && !prepared.classes.contains("index/negative"))
    text += " The index must not have negative values here.";
  if (code.find("import numpy as np") != std::string::npos)
    text += " Convert what numpy makes to a tensor where the framework asks for one.";
  return text;
}

std::vector<SiteBlock> how_section(SiteContents& contents, const spec::OpSpec& from, const Twin& twin,
                                   const Prepared& prepared) {
  std::string code = translation(from, twin, prepared.steps, contents.sources().families);
  std::vector<SiteBlock> blocks = {heading(2, "how", "How to write it"),
                                   paragraph({plain(about_code(contents, from, twin, prepared, code))})};
  if (!code.empty()) blocks.push_back(reports::SiteCode{std::move(code)});
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
  const Prepared prepared = preparations_of(contents, from, twin);
  add(how_section(contents, from, twin, prepared));
  if (const spec::OpSpec& principal = contents.principal(from); &principal != &from)
    add(differences_elsewhere(principal, from, to));
  else
    add(differences_section(contents, from, twin, prepared));
  add(claims_section(contents, from, to));
  return page;
}

}  // namespace scatterproof::runner::site
