// SPDX-License-Identifier: Apache-2.0
#include "forecast.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <set>

#include "scatterproof/runner/calls/call_text.hpp"
#include "scatterproof/runner/compare/documents.hpp"
#include "scatterproof/runner/compare/render.hpp"
#include "scatterproof/runner/fuzz/form_store.hpp"
#include "words.hpp"

namespace scatterproof::runner::site {
namespace {

using compare::Observation;

constexpr std::uint64_t calls_drawn = 400;  // of each API

/// What a document says where it gives neither the one result nor a refusal.
std::string without_promise(const Observation& answer) {
  const auto* why = std::get_if<spec::Unsupported>(&answer.outcome.what);
  if (!why) return "cannot say";
  if (why->reason == "the document promises nothing") return "undefined";
  return why->reason == "the document is silent" ? "silent" : "several";
}

}  // namespace

Forecast::Forecast(const spec::FamilyComparison& comparison, const spec::FamilyLibrary& families,
                   const spec::SpecLibrary& specs, const std::atomic<bool>& interrupted)
    : comparison_(comparison), documents_(compare::document_engine(specs)) {
  members_ = compare::members_of(*comparison.family, families, specs, {&documents_, 1});
  std::erase_if(members_,
                [](const compare::FamilyMember& member) { return !member.spec->variant_of.empty(); });
  std::vector<const spec::OpSpec*> ops;
  for (const compare::FamilyMember& member : members_) ops.push_back(member.spec);
  compare::InputWishes wishes;
  wishes.calls = calls_drawn;
  wishes.interrupted = &interrupted;
  wishes.store = fuzz::FormStore::of_user();
  inputs_ = compare::draw_inputs(comparison, ops, wishes);
  answers_ = compare::ask({.comparison = comparison_, .members = members_}, inputs_);
  std::vector<std::size_t> order(inputs_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::vector<std::pair<std::int64_t, std::size_t>> sizes;  // a tie goes to the shorter text
  for (const compare::Input& input : inputs_)
    sizes.emplace_back(compare::elements_of(input.said), compare::text_of(comparison_, input).size());
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return sizes[i]; });
  for (const std::size_t i : order)
    if (inputs_[i].classes.size() < 2)
      of_classes_[compare::name_of(comparison_, inputs_[i].classes)].push_back(i);
  count_explained();
}

std::optional<std::size_t> Forecast::place_of(const std::string& api) const {
  for (std::size_t m = 0; m < members_.size(); ++m)
    if (members_[m].spec->api == api) return m;
  return std::nullopt;
}

/// Counts, for each class and member, which explanations explain how many results.
void Forecast::count_explained() {
  for (const auto& [input_class, which] : of_classes_) {
    std::vector<Explained>& counts = explained_[input_class];
    counts.resize(members_.size());
    for (const std::size_t i : which)
      for (std::size_t m = 0; m < members_.size(); ++m) {
        if (answers_[i][m].kind != Observation::Kind::produced) continue;
        for (std::size_t bit = 0; bit < counts[m].size(); ++bit)
          counts[m][bit] += answers_[i][m].readings >> bit & 1;
      }
  }
}

/// In the class of an input; null: it is in several.
const Forecast::Explained* Forecast::explained(std::size_t input, std::size_t member) const {
  const auto found = explained_.find(compare::name_of(comparison_, inputs_[input].classes));
  return found != explained_.end() ? &found->second[member] : nullptr;
}

/// Of the explanations of a result, the one that explains most results of its class: some calls, such as
/// those of zeros, fit many.
std::string Forecast::reading_name(std::size_t input, std::size_t member) const {
  const auto explanations = compare::explanations_of(comparison_, inputs_[input].classes);
  const Explained* counts = explained(input, member);
  std::optional<std::size_t> best;
  for (std::size_t bit = 0; bit < explanations.size(); ++bit)
    if ((answers_[input][member].readings >> bit & 1) != 0 &&
        (!best || (counts && (*counts)[bit] > (*counts)[*best])))
      best = bit;
  return best ? compare::name_of(explanations[*best]) : "unexplained";
}

std::string Forecast::name_of(std::size_t input, std::size_t member) const {
  const Observation& answer = answers_[input][member];
  switch (answer.kind) {
    case Observation::Kind::absent:
      return without_promise(answer);
    case Observation::Kind::produced:
      return reading_name(input, member);
    default:
      return "refuses";
  }
}

std::map<std::string, std::vector<ForeseenBehaviour>> Forecast::behaviours(std::size_t member) const {
  std::map<std::string, std::vector<ForeseenBehaviour>> all;
  for (const auto& [input_class, which] : of_classes_) {
    std::set<std::string> named;
    for (const std::size_t i : which) {
      const std::string behaviour = name_of(i, member);
      if (behaviour != "cannot say" && named.insert(behaviour).second)
        all[input_class].push_back({behaviour, i});
    }
  }
  return all;
}

bool Forecast::can_say(std::size_t input, std::size_t member) const {
  return std::holds_alternative<spec::Call>(
      compare::call_of(comparison_, members_[member], inputs_[input].said));
}

std::string Forecast::call_text(std::size_t member, std::size_t input) const {
  const auto call = compare::call_of(comparison_, members_[member], inputs_[input].said);
  const auto* said = std::get_if<spec::Call>(&call);
  return said ? text_of(*said) : "";
}

std::string Forecast::outcome_text(std::size_t member, std::size_t input) const {
  const Observation& answer = answers_[input][member];
  return answer.kind == Observation::Kind::absent ? "" : compare::shown(answer);
}

std::string Forecast::words_of(const std::string& behaviour) const {
  return behaviour_words(comparison_, behaviour);
}

/// The smallest input on which two documents differ; else one that only one of them answers; else, with
/// `any`, one that both can say.
std::optional<std::size_t> Forecast::showing(const std::vector<std::size_t>& which, std::size_t first,
                                             std::size_t second, bool any) const {
  std::optional<std::size_t> one_sided, said;
  for (const std::size_t i : which) {
    const Observation& a = answers_[i][first];
    const Observation& b = answers_[i][second];
    if (compare::differ(a, b)) return i;
    const bool a_tells = a.kind != Observation::Kind::absent, b_tells = b.kind != Observation::Kind::absent;
    if (one_sided || a_tells == b_tells || !can_say(i, first) || !can_say(i, second)) {
      if (any && !said && can_say(i, first) && can_say(i, second)) said = i;
      continue;
    }
    one_sided = i;
  }
  return one_sided ? one_sided : said;
}

std::vector<PairAdvice> Forecast::advice(std::size_t first, std::size_t second, std::size_t input) const {
  const std::vector<compare::FamilyMember> two = {members_[first], members_[second]};
  const std::vector<Observation> answers = {answers_[input][first], answers_[input][second]};
  const auto found = of_classes_.find(compare::name_of(comparison_, inputs_[input].classes));
  const std::vector<std::size_t> in_class =
      found != of_classes_.end() ? found->second : std::vector<std::size_t>{};
  const compare::Means means = [&](std::size_t of_two, const compare::Explanation& made) {
    return compare::means(comparison_, inputs_, answers_, in_class, of_two == 0 ? first : second, made);
  };
  std::vector<PairAdvice> all;
  for (const compare::Portable& way :
       compare::portable({.comparison = comparison_, .members = two}, inputs_[input], answers, means)) {
    const auto keeps = [&](std::size_t of_two) {
      return std::ranges::find(way.keeps, of_two) != way.keeps.end();
    };
    std::vector<std::string> says;
    for (const spec::CallReading* reading : way.made) says.push_back(reading->says);
    const auto call_of = [&](std::size_t m) {
      const auto call = compare::call_of(comparison_, two[m], way.input.said);
      return std::holds_alternative<spec::Call>(call) ? text_of(std::get<spec::Call>(call)) : "";
    };
    all.push_back({.keeps_first = keeps(0),
                   .keeps_second = keeps(1),
                   .says = fmt::format("{}", fmt::join(says, "; ")),
                   .first = call_of(0),
                   .second = call_of(1)});
  }
  return all;
}

std::vector<PairDifference> Forecast::differences(std::size_t first, std::size_t second,
                                                  const std::vector<std::string>& also) const {
  std::vector<PairDifference> all;
  for (const auto& [input_class, which] : of_classes_) {
    const bool any = std::ranges::find(also, input_class) != also.end();
    const auto shows = showing(which, first, second, any);
    if (!shows) continue;
    all.push_back({.input_class = input_class,
                   .says = compare::words_of(comparison_, inputs_[*shows].classes),
                   .first = words_of(name_of(*shows, first)),
                   .second = words_of(name_of(*shows, second)),
                   .first_call = call_text(first, *shows),
                   .second_call = call_text(second, *shows),
                   .first_outcome = outcome_text(first, *shows),
                   .second_outcome = outcome_text(second, *shows),
                   .advice = advice(first, second, *shows)});
  }
  return all;
}

}  // namespace scatterproof::runner::site
