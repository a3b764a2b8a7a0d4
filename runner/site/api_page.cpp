// SPDX-License-Identifier: Apache-2.0
// One API: what its document says, its cases, and what is known of it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "contents.hpp"
#include "scatterproof/runner/calls/call_text.hpp"
#include "scatterproof/runner/catalogue/spec_text.hpp"
#include "scatterproof/spec/language/language.hpp"
#include "scatterproof/spec/oracle/doubt.hpp"
#include "translation.hpp"
#include "words.hpp"

namespace scatterproof::runner::site {
namespace {

using reports::SiteBlock;
using Blocks = std::vector<SiteBlock>;

SiteLine family_line(SiteContents& contents, const spec::OpSpec& op) {
  const spec::Family* family = contents.family(op);
  if (!family) return {plain("It is in no family: no API of another framework is known to mean the same.")};
  return {plain("Family: "),
          link(family->name, std::string(index_file) + "#family-" + reports::site_id(family->name)),
          plain(": " + family->summary + ".")};
}

Blocks twins_section(SiteContents& contents, const spec::OpSpec& op) {
  Blocks blocks = {heading(2, "to", "In other frameworks"), paragraph(family_line(contents, op))};
  std::map<std::string, std::vector<SiteLine>> by_framework;
  for (const Twin& twin : contents.twins(op)) {
    SiteLine line = {link(twin.to->api, file_of_pair(op.api, twin.to->api))};
    line.push_back(plain(
        twin.bridge ? ": of another family; the page says how to build the call"
                    : fmt::format(": {}", count_words(contents.differences(op, *twin.to).size(),
                                                      "kind of call differs", "kinds of calls differ"))));
    by_framework[twin.to->framework].push_back(std::move(line));
  }
  for (auto& [framework, lines] : by_framework) {
    blocks.push_back(heading(3, "to-" + reports::site_id(framework), "To " + framework));
    blocks.push_back(reports::SiteList{.items = std::move(lines)});
  }
  if (by_framework.empty())
    blocks.push_back(paragraph({plain("No API of another framework is known to take the same calls.")}));
  return blocks;
}

Blocks documents_section(SiteContents& contents, const spec::OpSpec& op) {
  std::vector<SiteLine> items;
  for (const spec::DocumentRef& document : op.documents) {
    SiteLine line = {code(document.id), plain(": ")};
    line.push_back(document.url.empty() ? plain(document.title) : link(document.title, document.url));
    if (!document.versions.empty())
      line.push_back(plain(fmt::format(" ({} {})", document.framework, document.versions)));
    items.push_back(std::move(line));
  }
  Blocks blocks = {heading(2, "documents", "Documents"), reports::SiteList{.items = std::move(items)}};
  if (!op.deprecated.says.empty())
    blocks.push_back(paragraph({shown(Look::unsure, "Deprecated: "), plain(op.deprecated.says)}));
  if (!op.platforms.devices.empty())
    blocks.push_back(
        paragraph({plain(fmt::format("Promises nothing of other devices than {}: {}",
                                     fmt::join(op.platforms.devices, ", "), op.platforms.says))}));
  const std::vector<std::string> names = contents.names_of(op);
  if (names.size() < 2) return blocks;
  SiteLine line = {
      plain("Calls with the same arguments and meaning, out of place, in place or as a method:")};
  for (const std::string& name : names)
    if (name != op.api) {
      line.push_back(plain(" "));
      line.push_back(api_link(name));
    }
  blocks.push_back(paragraph(std::move(line)));
  return blocks;
}

std::string promise_words(const spec::Rule& rule) {
  std::vector<std::string> all;
  for (const spec::Promise& promise : rule.broken) all.push_back(words(promise) + words(promise.applies));
  return fmt::format("{}", fmt::join(all, "; "));
}

Blocks rules_section(const spec::OpSpec& op) {
  reports::SiteTable table{.label = "Rules of " + op.api,
                           .heads = {"rule", "a call must", "a call that breaks it", "said in"},
                           .rows = {}};
  const auto add = [&table](const spec::Rule& rule, const std::string& of) {
    SiteLine condition = {plain(of + rule.says + " "), code(rule.require->text())};
    if (rule.unless) {
      condition.push_back(plain(" unless "));
      condition.push_back(code(rule.unless->text()));
    }
    table.rows.push_back({.id = "rule-" + reports::site_id(rule.id),
                          .cells = {{code(rule.id), plain(words(rule.applies))},
                                    std::move(condition),
                                    {plain(promise_words(rule))},
                                    {plain(words(rule.from))}}});
  };
  for (const spec::Rule& rule : op.rules) add(rule, "");
  for (const spec::Rule& rule : op.gradient.rules) add(rule, "for a gradient: ");
  if (table.rows.empty())
    return {heading(2, "rules", "Rules and promises"), paragraph({plain("The document names no rule.")})};
  return {heading(2, "rules", "Rules and promises"), std::move(table)};
}

Blocks meaning_section(const spec::OpSpec& op) {
  Blocks blocks = {heading(2, "meaning", "Meaning"), reports::SiteCode{describe_meaning(op.meaning)}};
  for (const spec::Formula& formula : op.formulas)
    blocks.push_back(reports::SiteFold{.id = "formula-" + reports::site_id(formula.id),
                                       .title = {plain("Formula as printed: "), code(formula.id),
                                                 plain(formula.wrong ? " (wrong: see its doubt)" : "")},
                                       .blocks = {reports::SiteCode{formula.reads}}});
  return blocks;
}

SiteBlock doubt_fold(const spec::OpSpec& op, const spec::Doubt& doubt) {
  std::vector<SiteLine> claims;
  const auto results = spec::run_doubt(op, doubt);
  for (std::size_t i = 0; i < results.size(); ++i) {
    SiteLine line = {plain(results[i].says + " "), shown(Look::quiet, words(doubt.claims[i].from))};
    if (!results[i].text.empty()) {
      line.push_back(plain(" gives "));
      line.push_back(code(results[i].text));
    }
    claims.push_back(std::move(line));
  }
  Blocks blocks;
  if (doubt.witness) blocks.push_back(reports::SiteCode{text_of(*doubt.witness)});
  blocks.push_back(reports::SiteList{.items = std::move(claims)});
  blocks.push_back(paragraph({shown(Look::strong, "Resolved: "), plain(doubt.resolution)}));
  return reports::SiteFold{.id = "doubt-" + reports::site_id(doubt.id),
                           .title = {code(doubt.id), plain(": " + doubt.about)},
                           .blocks = std::move(blocks)};
}

/// Doubts and omissions of a variant are those of its spec.
Blocks doubts_section(SiteContents& contents, const spec::OpSpec& op) {
  const spec::OpSpec& base = contents.base(op);
  Blocks blocks = {heading(2, "doubts", "Doubts")};
  if (base.doubts.empty()) blocks.push_back(paragraph({plain("None: no two sentences were found to part.")}));
  for (const spec::Doubt& doubt : base.doubts) blocks.push_back(doubt_fold(base, doubt));
  std::vector<SiteLine> omitted;
  for (const spec::Omission& one : base.omits)
    omitted.push_back({plain(one.says + (one.because.empty() ? "" : fmt::format(" ({})", one.because)))});
  if (omitted.empty()) return blocks;
  blocks.push_back(heading(2, "not-covered", "Not covered"));
  blocks.push_back(reports::SiteList{.items = std::move(omitted)});
  return blocks;
}

std::string expectation_words(const spec::Case& one) {
  using Kind = spec::CaseExpectation::Kind;
  switch (one.expect.kind) {
    case Kind::values:
      return "values";
    case Kind::error:
      return one.expect.classes.empty() ? "an error"
                                        : fmt::format("{}", fmt::join(one.expect.classes, " or "));
    case Kind::undefined:
      return "undefined";
    case Kind::open:
      return "open";
    case Kind::spec:
      break;
  }
  return "what the spec says";
}

std::vector<reports::SiteRow> case_rows(const SiteContents& contents, const spec::OpSpec& op) {
  const std::string prefix = op.api + '/';
  std::vector<reports::SiteRow> rows;
  for (const spec::Case& one : contents.sources().catalogue.cases) {
    if (one.call.api != op.api) continue;
    const std::string id = one.id.starts_with(prefix) ? one.id.substr(prefix.size()) : one.id;
    SiteLine why = {plain(one.why)};
    if (one.breaks) {
      why.push_back(plain(" Breaks "));
      why.push_back(code(one.rule, "#rule-" + reports::site_id(one.rule)));
    }
    rows.push_back({.id = "case-" + reports::site_id(id),
                    .cells = {{code(id)}, std::move(why), {plain(expectation_words(one))}}});
  }
  return rows;
}

/// Cases of another name of the same meaning are told on the page of the shortest name, but for those that
/// only this name has.
Blocks cases_section(SiteContents& contents, const spec::OpSpec& op) {
  std::vector<reports::SiteRow> rows = case_rows(contents, op);
  const std::size_t all = rows.size();
  const spec::OpSpec& principal = contents.principal(op);
  if (&principal != &op) {
    const std::vector<reports::SiteRow> told = case_rows(contents, principal);
    std::erase_if(rows, [&](const auto& row) { return std::ranges::find(told, row) != told.end(); });
  }
  SiteLine line = {plain("Run them with "), code(fmt::format("scatterproof run '{}/*'", op.api)), plain(".")};
  const std::size_t own = rows.size(), shared = all - own;
  if (shared > 0) {
    line.push_back(
        plain(fmt::format(" {} listed with those of ", count_words(shared, "case is", "cases are"))));
    line.push_back(code(principal.api, file_of_api(principal.api) + "#all-cases"));
    line.push_back(plain(own > 0 ? ", and these are its own." : "."));
  }
  Blocks blocks = {heading(2, "cases", "Cases"), paragraph(std::move(line))};
  if (own == 0) return blocks;
  blocks.push_back(reports::SiteFold{
      .id = "all-cases",
      .title = {plain(count_words(own, "case", "cases"))},
      .blocks = {reports::SiteTable{
          .label = "Cases of " + op.api, .heads = {"case", "why", "expects"}, .rows = std::move(rows)}}});
  return blocks;
}

Blocks findings_section(SiteContents& contents, const spec::OpSpec& op) {
  std::vector<SiteLine> items;
  for (const PublishedFinding* one : contents.findings_of(op))
    items.push_back({link(one->id, file_of_finding(one->id)),
                     plain(fmt::format(" ({}, {}): {}", one->severity, one->status, one->title))});
  if (items.empty()) return {};
  return {heading(2, "findings", "Findings"), reports::SiteList{.items = std::move(items)}};
}

Blocks claims_about(SiteContents& contents, const spec::OpSpec& op) {
  std::vector<SiteLine> items;
  for (const auto& [file, claim] : contents.claims_of(op)) {
    SiteLine line = {link(claim->id, place_of_claim(*file, claim->id)), plain(": " + claim->says + " ")};
    append(line, standing_of(*claim));
    items.push_back(std::move(line));
  }
  if (items.empty()) return {};
  return {heading(2, "claims", "Claims"), reports::SiteList{.items = std::move(items)}};
}

}  // namespace

reports::SitePage api_page(SiteContents& contents, const spec::OpSpec& op) {
  reports::SitePage page{
      .file = file_of_api(op.api),
      .title = op.api,
      .trail = {link("All APIs", index_file),
                link(op.framework, std::string(index_file) + "#framework-" + reports::site_id(op.framework))},
      .lead = {plain(op.summary + ".")}};
  if (!op.python.empty()) append(page.lead, {plain(" "), code(call_in_python(op))});
  const auto add = [&](Blocks blocks) {
    for (SiteBlock& block : blocks) page.blocks.push_back(std::move(block));
  };
  add(twins_section(contents, op));
  add(rules_section(op));
  add(seen_sections(contents, op));
  add(findings_section(contents, op));
  add(claims_about(contents, op));
  add(meaning_section(op));
  add(doubts_section(contents, op));
  add(cases_section(contents, op));
  add(documents_section(contents, op));
  return page;
}

}  // namespace scatterproof::runner::site
