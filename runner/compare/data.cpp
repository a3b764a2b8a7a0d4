// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "scatterproof/runner/calls/call_text.hpp"
#include "scatterproof/runner/compare/render.hpp"
#include "scatterproof/spec/record/engine_name.hpp"

namespace scatterproof::runner::compare {
namespace {

using nlohmann::json;
using spec::FamilyComparison;

json data_of(const FamilyMember& member) {
  return {{"api", member.spec->api},
          {"engine", member.engine->info().name},
          {"version", member.engine->info().version},
          {"device", member.engine->info().device}};
}

json data_of(const FamilyComparison& comparison, const FamilyMember& member, const Behaviour& behaviour,
             const Input& example, const SavedAs& saved_as) {
  const auto call = std::get<spec::Call>(call_of(comparison, member, example.said));
  json data = {{"name", behaviour.name},        {"letter", behaviour.letter},
               {"inputs", behaviour.count},     {"example", text_of(comparison, example)},
               {"call", runner::text_of(call)}, {"outcome", behaviour.outcome},
               {"repeated", behaviour.repeated}};
  if (!behaviour.asked_again) data["asked_again"] = false;
  if (!behaviour.digest.empty()) data["digest"] = behaviour.digest;
  if (const std::string file = saved_as(call); !file.empty()) data["case"] = file;
  return data;
}

std::string_view name(Promised promised) {
  switch (promised) {
    case Promised::result:
      return "result";
    case Promised::refusal:
      return "refusal";
    case Promised::undefined:
      return "undefined";
    case Promised::open:
      break;
  }
  return "open";
}

json data_of(const FamilyComparison& comparison, const ComparisonResult& compared,
             const Divergence& difference, const MakeSnippet& snippet) {
  json sides = json::array();
  for (const Divergence::Side& side : difference.sides) {
    json answers = json::array();
    for (const std::size_t m : side.members) {
      const FamilyMember& member = compared.members[m];
      const Observation& answer = difference.answers[m];
      const auto call = call_of(comparison, member, difference.witness.said);
      json one = {{"member", m},
                  {"call", runner::text_of(std::get<spec::Call>(call))},
                  {"outcome", shown(answer)},
                  {"promised", name(answer.promised)},
                  {"keeps_word", answer.keeps_word}};
      if (!answer.because.empty()) one["because"] = answer.because;
      if (const std::string script = snippet(member, std::get<spec::Call>(call), answer); !script.empty())
        one["snippet"] = script;
      answers.push_back(std::move(one));
    }
    sides.push_back({{"does", side.does}, {"answers", std::move(answers)}});
  }
  return {{"class", difference.in},
          {"name", difference.name()},
          {"kind", compare::name(difference.kind)},
          {"witness", text_of(comparison, difference.witness)},
          {"minimal", difference.minimal},
          {"repeated", difference.repeated},
          {"small", is_small(difference.witness.said)},
          {"in_time", difference.in_time},
          {"portable", portable_words(comparison, compared, difference)},
          {"sides", std::move(sides)}};
}

}  // namespace

json as_json(const FamilyComparison& comparison, const ComparisonResult& compared, const MakeSnippet& snippet,
             const SavedAs& saved_as) {
  json members = json::array(), cells = json::array(), differences = json::array(), missed = json::array();
  for (const FamilyMember& member : compared.members) members.push_back(data_of(member));
  for (const ClassRow& row : compared.rows)
    for (std::size_t m = 0; m < row.cells.size(); ++m) {
      json does = json::array();
      for (const Behaviour& one : row.cells[m].does)
        does.push_back(data_of(comparison, compared.members[m], one, compared.inputs[one.input], saved_as));
      cells.push_back(
          {{"class", name_of(comparison, row.classes)}, {"member", m}, {"does", std::move(does)}});
      if (row.cells[m].does.empty() && row.cells[m].unasked) cells.back()["unasked"] = true;
    }
  for (const Divergence& one : compared.differences)
    differences.push_back(data_of(comparison, compared, one, snippet));
  for (const std::size_t c : compared.classes_missed)
    missed.push_back(c < comparison.classes.size() ? comparison.classes[c].id : "");
  return {{"family", comparison.family->name},          {"members", std::move(members)},
          {"inputs", compared.inputs.size()},           {"cells", std::move(cells)},
          {"differences", std::move(differences)},      {"missed", std::move(missed)},
          {"pairs_reached", compared.pairs_reached},    {"left_out", compared.left_out},
          {"not_asked_again", compared.not_asked_again}};
}

std::vector<std::string> new_since(const json& former, const ComparisonResult& compared) {
  using Key = std::pair<std::string, std::string>;  // API and engine
  std::vector<Key> members;
  for (const json& one : former.at("members"))
    members.emplace_back(one.at("api"), spec::without_release(one.at("engine")));
  std::set<std::tuple<std::string, Key, std::string>> seen;
  for (const json& cell : former.at("cells"))
    for (const json& does : cell.at("does"))
      seen.emplace(cell.at("class"), members.at(cell.at("member").get<std::size_t>()), does.at("name"));
  std::vector<std::string> news;
  for (const Divergence& difference : compared.differences) {
    if (!difference.repeated) continue;
    for (const Divergence::Side& side : difference.sides)
      for (const std::size_t m : side.members) {
        const FamilyMember& member = compared.members[m];
        const Key key{member.spec->api, spec::without_release(member.engine->info().name)};
        if (std::ranges::find(members, key) == members.end() ||
            !seen.emplace(difference.in, key, side.does).second)
          continue;
        news.push_back(fmt::format("{}: {} {}", difference.in.empty() ? "(none)" : difference.in,
                                   member.name(compared.members), side.does));
      }
  }
  return news;
}

}  // namespace scatterproof::runner::compare
