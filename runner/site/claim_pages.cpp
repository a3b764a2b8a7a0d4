// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "contents.hpp"
#include "words.hpp"

namespace scatterproof::runner::site {
namespace {

Look look_of(claims::ClaimStanding standing) {
  using claims::ClaimStanding;
  if (standing == ClaimStanding::holds) return Look::good;
  return standing == ClaimStanding::refuted ? Look::bad : Look::unsure;
}

/// The APIs whose calls a source prints, each once.
SiteLine printed_apis(const claims::MappingClaim& claim) {
  SiteLine line;
  std::set<const spec::OpSpec*> named;
  for (const claims::PrintedCall& printed : claim.prints) {
    if (!named.insert(printed.op).second) continue;
    if (!line.empty()) line.push_back(plain(", "));
    line.push_back(api_link(printed.op->api));
  }
  return line;
}

SiteLine sides_of(const claims::MappingClaim& claim) {
  if (!claim.prints.empty()) return printed_apis(claim);
  if (!claim.a) return {plain("-")};
  SiteLine line = {api_link(claim.a->api), plain(claim.gives ? ", then " : " -> ")};
  line.push_back(claim.form.empty() ? api_link(claim.b->api) : plain("the same in the form " + claim.form));
  return line;
}

}  // namespace

SiteLine standing_of(const claims::MappingClaim& claim) {
  if (!claim.because.empty()) return {shown(Look::quiet, "not executed: "), plain(claim.because)};
  if (claim.expect.empty()) return {shown(Look::quiet, "no standing is kept")};
  SiteLine line;
  for (const auto& [engine, standing] : claim.expect) {
    if (!line.empty()) line.push_back(plain(", "));
    line.push_back(shown(look_of(standing), std::string(name(standing))));
    if (!engine.empty()) line.push_back(plain(" on " + engine));
  }
  return line;
}

reports::SitePage claims_page(SiteContents&, const claims::ClaimFile& file) {
  reports::SitePage page{.file = file_of_claims(file),
                         .title = file.title,
                         .trail = {link("All claims", claims_file)},
                         .lead = {plain("Published claims that two calls mean the same, and what executing "
                                        "both showed. Repeat one with "),
                                  code("scatterproof claims ID"), plain(".")}};
  std::vector<SiteLine> sources;
  for (const claims::ClaimSource& source : file.sources)
    sources.push_back(
        {code(source.id), plain(": " + source.title), plain(source.date.empty() ? "" : ", " + source.date)});
  reports::SiteTable table{
      .label = file.title, .heads = {"claim", "says", "APIs", "standing", "source"}, .rows = {}};
  for (const claims::MappingClaim& claim : file.claims) {
    SiteLine says = {plain(claim.says)};
    for (const claims::StatedDifference& stated : claim.stated)
      says.push_back(plain(fmt::format(". The source excepts: {}", stated.says)));
    table.rows.push_back({.id = reports::site_id(claim.id),
                          .cells = {{link(claim.id, "#" + reports::site_id(claim.id))},
                                    std::move(says),
                                    sides_of(claim),
                                    standing_of(claim),
                                    {plain(fmt::format("{}", fmt::join(claim.sources, ", ")))}}});
  }
  page.blocks = {heading(2, "claims", "Claims"), std::move(table), heading(2, "sources", "Sources"),
                 reports::SiteList{.items = std::move(sources)}};
  return page;
}

reports::SitePage claims_page(SiteContents& contents) {
  reports::SitePage page{.file = claims_file,
                         .title = "Claims",
                         .lead = {plain("What vendors and tools claim about calls of other frameworks: that "
                                        "they mean the same. Each claim that can be executed was.")}};
  page.blocks.push_back(reports::SiteSearch{.label = "Search, such as paddle gather refuted"});
  for (const claims::ClaimFile& file : contents.sources().claims) {
    std::vector<SiteLine> items;
    for (const claims::MappingClaim& claim : file.claims) {
      SiteLine line = {link(claim.id, place_of_claim(file, claim.id)), plain(": " + claim.says + " ")};
      append(line, standing_of(claim));
      items.push_back(std::move(line));
    }
    page.blocks.push_back(heading(2, reports::site_id(file.title), file.title));
    page.blocks.push_back(reports::SiteList{.items = std::move(items), .searched = true});
  }
  return page;
}

}  // namespace scatterproof::runner::site
