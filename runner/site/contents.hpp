// SPDX-License-Identifier: Apache-2.0
// What all pages of a site are made from, and where each stands.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "forecast.hpp"
#include "lines.hpp"
#include "scatterproof/runner/site/site.hpp"
#include "twins.hpp"

namespace scatterproof::runner::site {

inline constexpr const char* index_file = "index.html";
inline constexpr const char* findings_file = "findings.html";
inline constexpr const char* claims_file = "claims.html";
inline constexpr const char* figures_file = "figures.html";

std::string file_of_api(const std::string& api);
std::string file_of_pair(const std::string& from, const std::string& to);
std::string file_of_finding(const std::string& id);
/// The row of a class of calls on the page of an API; an empty class: all other calls.
std::string row_of_class(const std::string& input_class);
/// The place of a claim on its page.
std::string place_of_claim(const claims::ClaimFile& file, const std::string& id);
std::string file_of_claims(const claims::ClaimFile& file);

/// By input class, the names of what a document says of calls, as in forecasts.
using SaidByClass = std::map<std::string, std::set<std::string>>;

/// What the pages need in addition to the sources, worked out once.
class SiteContents {
 public:
  explicit SiteContents(const SiteSources& sources) : sources_(sources) {}

  const SiteSources& sources() const { return sources_; }
  const spec::SpecLibrary& specs() const { return sources_.catalogue.specs; }
  const spec::OpSpec& base(const spec::OpSpec& op) const { return base_of(op, specs()); }
  /// A call of the base, as one of the API itself.
  std::string named(const spec::OpSpec& op, const std::string& call) const;
  const spec::Family* family(const spec::OpSpec& op) const { return sources_.families.said_in(op); }

  /// Of a family; made when it is first asked for.
  const Forecast& forecast(const spec::Family& family);
  const std::vector<Twin>& twins(const spec::OpSpec& op);
  const SaidByClass& said_by_class(const spec::OpSpec& op);
  /// The variants of an API, and itself.
  std::vector<std::string> names_of(const spec::OpSpec& op) const;
  /// The one of them whose pair pages say where calls differ: that with the shortest name, such as
  /// torch.scatter_add.
  const spec::OpSpec& principal(const spec::OpSpec& op) const;
  /// What the newest releases were seen to do, by engine, API or a variant of it counting.
  std::vector<std::pair<const KeptEngine*, const KeptApi*>> newest(const spec::OpSpec& op) const;
  /// The findings about an API or a variant of it.
  std::vector<const PublishedFinding*> findings_of(const spec::OpSpec& op) const;
  /// The claims that it is one side of.
  std::vector<std::pair<const claims::ClaimFile*, const claims::MappingClaim*>> claims_of(
      const spec::OpSpec& op) const;

  /// Both ways at once: the second API's page has the same facts the other way round.
  const std::vector<PairDifference>& differences(const spec::OpSpec& from, const spec::OpSpec& to);

 private:
  const SiteSources& sources_;
  std::map<std::string, std::unique_ptr<Forecast>> forecasts_;
  std::map<std::string, std::vector<Twin>> twins_;
  std::map<std::string, SaidByClass> said_;  ///< by API
  std::map<std::pair<std::string, std::string>, std::vector<PairDifference>> differences_;
};

reports::SitePage index_page(SiteContents& contents);
reports::SitePage api_page(SiteContents& contents, const spec::OpSpec& op);
reports::SitePage pair_page(SiteContents& contents, const spec::OpSpec& from, const Twin& twin);
reports::SitePage findings_page(SiteContents& contents);
reports::SitePage finding_page(SiteContents& contents, const PublishedFinding& finding);
reports::SitePage claims_page(SiteContents& contents);
reports::SitePage claims_page(SiteContents& contents, const claims::ClaimFile& file);
reports::SitePage figures_page(SiteContents& contents);
/// One for each ordered pair of frameworks.
std::vector<reports::SitePage> framework_pages(SiteContents& contents);

std::vector<std::string> frameworks_of(const SiteContents& contents);
/// The section of the index with links to them.
std::vector<reports::SiteBlock> frameworks_section(const SiteContents& contents);

/// The sections of an API's page about what was seen: where rules are broken, by input class and release,
/// verdicts, failures. They say what is missing.
std::vector<reports::SiteBlock> seen_sections(SiteContents& contents, const spec::OpSpec& op);
/// A claim's standing, in a line.
SiteLine standing_of(const claims::MappingClaim& claim);
/// An API as a link to its page.
SiteSpan api_link(const std::string& api);

}  // namespace scatterproof::runner::site
