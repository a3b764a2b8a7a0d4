// SPDX-License-Identifier: Apache-2.0
#include "contents.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

namespace scatterproof::runner::site {

std::string file_of_api(const std::string& api) { return "api-" + reports::site_file(api) + ".html"; }
std::string file_of_pair(const std::string& from, const std::string& to) {
  return "pair-" + reports::site_file(from) + "-to-" + reports::site_file(to) + ".html";
}
std::string file_of_finding(const std::string& id) { return "finding-" + reports::site_file(id) + ".html"; }
std::string file_of_claims(const claims::ClaimFile& file) {
  return "claims-" + reports::site_file(std::filesystem::path(file.file).stem().string()) + ".html";
}
std::string row_of_class(const std::string& input_class) {
  return "class-" + (input_class.empty() ? "none" : reports::site_id(input_class));
}

std::string place_of_claim(const claims::ClaimFile& file, const std::string& id) {
  return file_of_claims(file) + '#' + reports::site_id(id);
}
SiteSpan api_link(const std::string& api) { return code(api, file_of_api(api)); }

const Forecast& SiteContents::forecast(const spec::Family& family) {
  std::unique_ptr<Forecast>& known = forecasts_[family.name];
  if (!known) {
    const auto comparison = std::ranges::find(sources_.comparisons, &family, &spec::FamilyComparison::family);
    if (sources_.doing) sources_.doing(family.name);
    known = std::make_unique<Forecast>(*comparison, sources_.families, specs(), sources_.interrupted);
  }
  return *known;
}

const std::vector<Twin>& SiteContents::twins(const spec::OpSpec& op) {
  const auto [known, is_new] = twins_.try_emplace(op.api);
  if (is_new) known->second = twins_of(op, specs(), sources_.families, sources_.code);
  return known->second;
}

const SaidByClass& SiteContents::said_by_class(const spec::OpSpec& op) {
  const spec::OpSpec& own = base(op);
  const auto [known, is_new] = said_.try_emplace(own.api);
  if (!is_new) return known->second;
  const Forecast& documents = forecast(*family(own));
  if (const auto place = documents.place_of(own.api))
    for (const auto& [input_class, all] : documents.behaviours(*place))
      for (const ForeseenBehaviour& one : all) known->second[input_class].insert(one.name);
  return known->second;
}

std::vector<std::string> SiteContents::names_of(const spec::OpSpec& op) const {
  const spec::OpSpec& own = base(op);
  std::vector<std::string> names = {own.api};
  for (const spec::Variant& variant : own.variants) names.push_back(variant.api);
  return names;
}

const spec::OpSpec& SiteContents::principal(const spec::OpSpec& op) const {
  const std::vector<std::string> names = names_of(op);
  return *specs().find(*std::ranges::min_element(
      names, {}, [](const std::string& one) { return std::pair(one.size(), one); }));
}

std::vector<std::pair<const KeptEngine*, const KeptApi*>> SiteContents::newest(const spec::OpSpec& op) const {
  std::vector<std::pair<const KeptEngine*, const KeptApi*>> found;
  for (const std::string& name : {op.api, base(op).api})
    for (const KeptEngine* engine : sources_.kept.newest_with(name))
      if (std::ranges::find(found, engine->engine, [](const auto& one) { return one.first->engine; }) ==
          found.end())
        found.emplace_back(engine, &engine->apis.at(name));
  return found;
}

std::vector<const PublishedFinding*> SiteContents::findings_of(const spec::OpSpec& op) const {
  const std::vector<std::string> names = names_of(op);
  std::vector<const PublishedFinding*> found;
  for (const PublishedFinding& one : sources_.findings)
    if (std::ranges::any_of(one.apis, [&](const auto& about) {
          return std::ranges::find(names, about.first) != names.end();
        }))
      found.push_back(&one);
  return found;
}

std::vector<std::pair<const claims::ClaimFile*, const claims::MappingClaim*>> SiteContents::claims_of(
    const spec::OpSpec& op) const {
  const std::vector<std::string> names = names_of(op);
  const auto is_it = [&](const spec::OpSpec* side) {
    return side && std::ranges::find(names, side->api) != names.end();
  };
  std::vector<std::pair<const claims::ClaimFile*, const claims::MappingClaim*>> found;
  for (const claims::ClaimFile& file : sources_.claims)
    for (const claims::MappingClaim& claim : file.claims)
      if (is_it(claim.a) || is_it(claim.b) ||
          std::ranges::any_of(claim.prints, [&](const auto& printed) { return is_it(printed.op); }))
        found.emplace_back(&file, &claim);
  return found;
}

namespace {

/// The same with the sides exchanged.
PairDifference exchanged(PairDifference one) {
  std::swap(one.first, one.second);
  std::swap(one.first_call, one.second_call);
  std::swap(one.first_outcome, one.second_outcome);
  for (PairAdvice& advice : one.advice) {
    std::swap(advice.keeps_first, advice.keeps_second);
    std::swap(advice.first, advice.second);
  }
  return one;
}

/// What an API was seen to do in a class, by all engines, in a form that can be compared.
std::set<std::string> names_seen(const SiteContents& contents, const spec::OpSpec& op,
                                 const std::string& input_class) {
  std::set<std::string> names;
  for (const auto& [_, api] : contents.newest(op))
    if (const auto seen = api->seen.find(input_class); seen != api->seen.end())
      for (const KeptBehaviour& one : seen->second) names.insert(one.name);
  return names;
}

}  // namespace

std::string SiteContents::named(const spec::OpSpec& op, const std::string& call) const {
  const std::string name = base(op).api + "(";
  return call.starts_with(name) ? op.api + call.substr(name.size() - 1) : call;
}

const std::vector<PairDifference>& SiteContents::differences(const spec::OpSpec& from,
                                                             const spec::OpSpec& to) {
  const spec::OpSpec& a = base(from);
  const spec::OpSpec& b = base(to);
  const auto [known, is_new] = differences_.try_emplace({a.api, b.api});
  if (!is_new) return known->second;
  const Forecast& documents = forecast(*family(a));
  const auto first = documents.place_of(a.api), second = documents.place_of(b.api);
  if (!first || !second) return known->second;
  std::vector<std::string> also;
  for (const spec::FamilyInputClass& one : documents.comparison().classes) {
    const auto seen_a = names_seen(*this, a, one.id), seen_b = names_seen(*this, b, one.id);
    if (!seen_a.empty() && !seen_b.empty() && seen_a != seen_b) also.push_back(one.id);
  }
  known->second = documents.differences(*first, *second, also);
  std::vector<PairDifference> other_way;
  for (const PairDifference& one : known->second) other_way.push_back(exchanged(one));
  differences_.try_emplace({b.api, a.api}, std::move(other_way));
  return known->second;
}

}  // namespace scatterproof::runner::site
