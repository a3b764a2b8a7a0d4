// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/claims/scorecard.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "scatterproof/runner/calls/call_text.hpp"
#include "scatterproof/runner/claims/scripts.hpp"
#include "scatterproof/spec/record/engine_name.hpp"

namespace scatterproof::runner::claims {
namespace {

using Json = nlohmann::ordered_json;

std::size_t executed(const CheckedClaim& checked) { return checked.agree + checked.differ; }

std::string counts(const ClaimDifference& one) { return fmt::format("{} of {} calls", one.count, one.of); }

std::string pair_of(const CheckedClaim& checked) {
  return checked.a.name == checked.b.name ? checked.b.name
                                          : fmt::format("{} -> {}", checked.a.name, checked.b.name);
}

std::string remark(const CheckedClaim& checked) {
  std::vector<std::string> parts;
  if (!checked.why_not_run.empty()) parts.push_back(checked.why_not_run);
  for (std::size_t i = 0; i < checked.stated_seen.size(); ++i)
    if (checked.stated_seen[i] > 0)
      parts.push_back(
          fmt::format("stated: {} ({} calls)", checked.claim->stated[i].says, checked.stated_seen[i]));
  return fmt::format("{}", fmt::join(parts, "; "));
}

/// In a cell of a table, where a bar would end it.
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find_first_of("|\n", at)) != std::string::npos; at += 2)
    text.replace(at, 1, text[at] == '|' ? "\\|" : " ");
  return text;
}

std::string shortened(std::string text) {
  constexpr std::size_t most = 300;
  std::ranges::replace(text, '\n', ' ');
  std::ranges::replace(text, '`', '\'');
  if (text.size() > most) text = text.substr(0, most) + " ...";
  return text;
}

bool is_chosen(const Scorecard& card, const MappingClaim& claim) {
  return std::ranges::find(card.chosen, &claim) != card.chosen.end();
}

std::vector<const CheckedClaim*> checks_of(const Scorecard& card, const MappingClaim& claim) {
  std::vector<const CheckedClaim*> all;
  for (const CheckedClaim& one : card.checked)
    if (one.claim == &claim) all.push_back(&one);
  return all;
}

std::string sources_text(const ClaimFile& file) {
  std::string text;
  for (const ClaimSource& source : file.sources)
    text += fmt::format("- **{}**: {}{}\n", source.id, source.title,
                        source.date.empty() ? "" : fmt::format(" ({})", source.date));
  return text;
}

std::string why_not_executed(const Scorecard& card, const MappingClaim& claim) {
  if (!claim.because.empty()) return claim.because;
  return card.interrupted ? "interrupted before" : "no engine for it was started";
}

std::string not_executed(const Scorecard& card, const ClaimFile& file) {
  std::string rows;
  for (const MappingClaim& claim : file.claims)
    if (is_chosen(card, claim) && checks_of(card, claim).empty())
      rows +=
          fmt::format("| {} | {} | {} |\n", claim.id, cell(claim.says), cell(why_not_executed(card, claim)));
  return rows.empty() ? "" : "\nNot executed:\n\n| claim | says | why |\n|---|---|---|\n" + rows;
}

std::string row(const CheckedClaim& checked) {
  const MappingClaim& claim = *checked.claim;
  std::vector<std::string> differences;
  for (const ClaimDifference& one : checked.differences)
    differences.push_back(fmt::format("{0}{1}{0} ({2})", is_silent(one.did) ? "**" : "",
                                      name_of(one, checked.classes), counts(one)));
  const std::string what = remark(checked);
  if (!what.empty()) differences.push_back(what);
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", claim.id, cell(claim.says),
                     fmt::join(claim.sources, ", "), cell(claim.word), pair_of(checked),
                     executed(checked) == 0 ? std::string(name(checked.standing))
                                            : fmt::format("**{}**, {}/{}", name(checked.standing),
                                                          checked.agree, executed(checked)),
                     cell(fmt::format("{}", fmt::join(differences, "; "))));
}

bool is_printed(const CheckedClaim& checked) { return !checked.claim->prints.empty(); }

/// A call and what an engine did with it.
std::string call_text(const spec::Call& call, const std::string& engine, const spec::Outcome& outcome) {
  return fmt::format("        {}\n        {}: {}\n", shortened(text_of(call)), engine,
                     shortened(spec::to_string(outcome)));
}

std::string witness_text(const CheckedClaim& checked, const ClaimDifference& one) {
  const ClaimTrial& witness = one.witness;
  return fmt::format("  - {} ({})\n\n{}{}", name_of(one, checked.classes), counts(one),
                     is_printed(checked) ? "" : call_text(witness.a, checked.a.name, witness.outcome_a),
                     call_text(witness.b, checked.b.name, witness.outcome_b));
}

std::string witnesses(const Scorecard& card, const ClaimFile& file) {
  std::string text;
  for (const MappingClaim& claim : file.claims)
    for (const CheckedClaim* checked : checks_of(card, claim)) {
      if (checked->differences.empty()) continue;
      text += fmt::format("- **{}**, {}", claim.id, pair_of(*checked));
      if (checked->left > 0)
        text += fmt::format(": {} calls agree with these differences kept off", checked->left);
      text += "\n";
      for (const ClaimDifference& one : checked->differences) text += witness_text(*checked, one);
    }
  return text.empty() ? "" : "\nThe smallest call found for each difference:\n\n" + text;
}

std::string executed_rows(const Scorecard& card, const ClaimFile& file) {
  std::string rows;
  for (const MappingClaim& claim : file.claims)
    for (const CheckedClaim* checked : checks_of(card, claim)) rows += row(*checked);
  if (rows.empty()) return "";
  return "\n| claim | says | source | classed as | on | standing, calls that agree | differences |\n"
         "|---|---|---|---|---|---|---|\n" +
         rows;
}

bool is_silent_one(const CheckedClaim& checked) {
  return std::ranges::any_of(checked.differences,
                             [](const ClaimDifference& one) { return is_silent(one.did); });
}

std::string totals(const Scorecard& card) {
  std::map<ClaimStanding, std::size_t> by_standing;
  std::size_t executable = 0;
  for (const CheckedClaim& one : card.checked) ++by_standing[one.standing];
  const auto silent = std::ranges::count_if(card.checked, is_silent_one);
  for (const MappingClaim* claim : card.chosen) executable += !checks_of(card, *claim).empty();
  return fmt::format(
      "{} claims, {} of them executed, on {} pairs of engines: {} hold, {} hold with what they except, {} "
      "refuted ({} by other results, {} by refusals alone), {} not run{}",
      card.chosen.size(), executable, card.checked.size(), by_standing[ClaimStanding::holds],
      by_standing[ClaimStanding::holds_if], by_standing[ClaimStanding::refuted], silent,
      by_standing[ClaimStanding::refuted] - static_cast<std::size_t>(silent),
      by_standing[ClaimStanding::not_run],
      card.interrupted ? "; interrupted, so that the last standing may rest on few calls" : "");
}

std::string used_classes(const Scorecard& card) {
  std::map<std::string, std::string> used;
  for (const CheckedClaim& checked : card.checked)
    for (const ClaimDifference& one : checked.differences)
      for (const std::size_t place : one.when)
        used.emplace(checked.classes[place].id, checked.classes[place].says);
  std::string text;
  for (const auto& [id, says] : used) text += fmt::format("| {} | {} |\n", id, cell(says));
  return text.empty() ? "" : "\n## Input classes\n\n| class | calls in it |\n|---|---|\n" + text;
}

Json json_of(const CheckedClaim& checked, const ClaimDifference& one, const engines::Places& places) {
  Json classes = Json::array();
  for (const std::size_t number : one.when) classes.push_back(checked.classes[number].id);
  Json object{{"name", name_of(one, checked.classes)},
              {"classes", classes},
              {"did", name(one.did)},
              {"calls", one.count},
              {"of", one.of}};
  if (!is_printed(checked)) {
    object["a"] = {{"call", text_of(one.witness.a)}, {"outcome", spec::to_string(one.witness.outcome_a)}};
    if (const auto script = script_of_a(checked, one, places)) object["a"]["script"] = *script;
  }
  object["b"] = {{"call", text_of(one.witness.b)}, {"outcome", spec::to_string(one.witness.outcome_b)}};
  object["explanation"] = with_causes(one.witness.judgement_b.explanation, one.witness.judgement_b.causes);
  if (const auto script = script_of_b(checked, one, places)) object["b"]["script"] = *script;
  return object;
}

Json json_of(const CheckedClaim& checked, const engines::Places& places) {
  Json differences = Json::array(), stated = Json::array(), reached = Json::array(),
       one_sided = Json::array();
  for (const ClaimDifference& one : checked.differences) differences.push_back(json_of(checked, one, places));
  for (std::size_t i = 0; i < checked.stated_seen.size(); ++i)
    stated.push_back({{"says", checked.claim->stated[i].says}, {"calls", checked.stated_seen[i]}});
  for (std::size_t i = 0; i < checked.classes.size(); ++i)
    (checked.inside.test(i) && checked.outside.test(i) ? reached : one_sided)
        .push_back(checked.classes[i].id);
  return {{"claim", checked.claim->id},
          {"a", checked.a.name},
          {"b", checked.b.name},
          {"standing", name(checked.standing)},
          {"as_recorded", is_as_recorded(checked)},
          {"agree", checked.agree},
          {"telling", checked.telling},
          {"differ", checked.differ},
          {"agree_with_differences_kept_off", checked.left},
          {"a_departs_from_its_document", checked.a_departs},
          {"not_offered", checked.not_offered},
          {"why_not_run", checked.why_not_run},
          {"differences", differences},
          {"stated", stated},
          {"classes_reached_on_both_sides", reached},
          {"classes_reached_on_one_side", one_sided}};
}

}  // namespace

bool is_as_recorded(const CheckedClaim& checked) {
  const auto& expect = checked.claim->expect;
  auto known = expect.find(spec::without_release(checked.b.name));
  if (known == expect.end()) known = expect.find("");
  return known == expect.end() || !was_run(checked) || known->second == checked.standing;
}

bool was_run(const CheckedClaim& checked) { return checked.standing != ClaimStanding::not_run; }

std::string console(const Scorecard& card) {
  std::size_t id = 0, pair = 0;
  for (const CheckedClaim& one : card.checked) {
    id = std::max(id, one.claim->id.size());
    pair = std::max(pair, pair_of(one).size());
  }
  std::string text;
  for (const CheckedClaim& one : card.checked) {
    text += fmt::format("{:<{}}  {:<{}}  {:<8}  {} of {} calls agree{}\n", one.claim->id, id, pair_of(one),
                        pair, name(one.standing), one.agree, executed(one),
                        is_as_recorded(one) ? "" : "  <- another standing than recorded");
    for (const ClaimDifference& difference : one.differences)
      text +=
          fmt::format("{:<{}}    {} ({})\n", "", id, name_of(difference, one.classes), counts(difference));
    if (const std::string what = remark(one); !what.empty())
      text += fmt::format("{:<{}}    {}\n", "", id, what);
  }
  for (const MappingClaim* claim : card.chosen)
    if (checks_of(card, *claim).empty())
      text += fmt::format("{:<{}}  not executed: {}\n", claim->id, id, why_not_executed(card, *claim));
  return text + totals(card) + "\n";
}

std::string markdown(const Scorecard& card) {
  std::string text = fmt::format(
      "# What vendors claim, executed\n\n"
      "Written by `{}` on {}, with {}. How to read it, and what a standing rests on: "
      "docs/formats/claims-format.md.\n\n"
      "A claim was made for the releases of its time. It is checked here against the releases above, on the "
      "CPU, and by "
      "what A's document requires: calls that the document leaves undefined are not part of it.\n\n{}.\n",
      card.command, card.date, fmt::join(card.engines, ", "), totals(card));
  for (const ClaimFile& file : card.files) {
    const std::string rows = executed_rows(card, file) + not_executed(card, file);
    if (!rows.empty())
      text += fmt::format("\n## {}\n\n{}{}{}", file.title, sources_text(file), rows, witnesses(card, file));
  }
  return text + used_classes(card);
}

std::string json(const Scorecard& card, const engines::Places& places) {
  Json claims = Json::array(), not_executed = Json::array();
  for (const CheckedClaim& one : card.checked) claims.push_back(json_of(one, places));
  for (const MappingClaim* claim : card.chosen)
    if (checks_of(card, *claim).empty())
      not_executed.push_back({{"claim", claim->id}, {"because", why_not_executed(card, *claim)}});
  const Json whole{{"date", card.date},
                   {"command", card.command},
                   {"engines", card.engines},
                   {"claims", claims},
                   {"not_executed", not_executed}};
  return whole.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace scatterproof::runner::claims
