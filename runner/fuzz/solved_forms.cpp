// SPDX-License-Identifier: Apache-2.0
#include "solved_forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "scatterproof/runner/fuzz/form_store.hpp"
#include "shares.hpp"
#include "turns.hpp"

namespace scatterproof::runner::fuzz {

SolvedForms::SolvedForms(const spec::OpSpec& spec, std::uint64_t seed, const GenerationOptions& wishes)
    : spec_(spec), seed_(seed), wishes_(wishes) {
  if (wishes.rule.empty() && wishes.sides == GenerationOptions::Sides::valid) return;
  for (const spec::Rule& rule : spec.rules)
    if (wishes.rule.empty() || wishes.rule == rule.id) rules_.push_back({.rule = &rule});
}

std::vector<spec::CallForm> SolvedForms::of_page(std::uint64_t page) {
  if (!wishes_.store || wishes_.from || page >= stored_pages) return solve(page);
  const std::string key =
      fmt::format("{} {} {} {}", seed_, page, wishes_.rule, static_cast<int>(wishes_.sides));
  if (auto stored = wishes_.store->read(spec_, key)) {
    if (!checks_) checks_ = {stored->any_reads_data, stored->any_compares_index};
    return std::move(stored->forms);
  }
  std::vector<spec::CallForm> solved = solve(page);
  wishes_.store->write(spec_, key, {solved, checks_->data, checks_->index});
  return solved;
}

std::vector<const spec::Rule*> SolvedForms::breakable() {
  std::vector<const spec::Rule*> found;
  for (Asked& one : rules_)
    if (is_breakable(one)) found.push_back(one.rule);
  return found;
}

/// Made when something has to be solved: that takes some milliseconds.
const spec::FormSolver& SolvedForms::solver() {
  if (!solver_) solver_.emplace(spec_);
  return *solver_;
}

std::vector<spec::CallForm> SolvedForms::solve(std::uint64_t page) {
  if (turns_.empty()) take_turns();
  if (!checks_) checks_ = {solver().any_reads_data(), solver().any_compares_index()};
  // Whether a rule can be broken alone costs as much to find out as its forms, which mostly say it.
  for (;;) {
    const std::vector<const spec::Rule*> broken = broken_in(page);
    spec::Dice dice(~seed_, page);
    std::vector<spec::CallForm> forms =
        wishes_.from ? solver().draw_near(*wishes_.from, broken, 1, dice) : solver().draw(broken, 1, dice);
    if (are_breakable(broken, forms)) return forms;
  }
}

std::vector<const spec::Rule*> SolvedForms::broken_in(std::uint64_t page) {
  std::vector<const spec::Rule*> broken;
  for (std::uint64_t n = 0; n < sides_a_page; ++n)
    if (const auto rule = side(page * sides_a_page + n)) broken.insert(broken.end(), draws_a_side, *rule);
  return broken;
}

/// Whether each rule of `broken` is. Those that have one of the forms are.
bool SolvedForms::are_breakable(const std::vector<const spec::Rule*>& broken,
                                const std::vector<spec::CallForm>& forms) {
  bool all = true;
  for (Asked& one : rules_) {
    if (std::ranges::find(broken, one.rule) == broken.end()) continue;
    if (std::ranges::find(forms, one.rule, &spec::CallForm::broken) != forms.end())
      one.breakable = true;
    else
      all &= is_breakable(one);
  }
  return all;
}

/// Each rule's turns, spread over the round so that none waits long for its first.
void SolvedForms::take_turns() {
  constexpr double golden = 0.6180339887498949;
  std::vector<std::pair<double, std::size_t>> at;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    const std::size_t count = turns(*rules_[i].rule);
    const double begin = std::fmod(golden * static_cast<double>(i), 1);
    for (std::size_t n = 0; n < count; ++n)
      at.emplace_back((begin + static_cast<double>(n)) / static_cast<double>(count), i);
  }
  std::ranges::sort(at);
  for (const auto& [place, rule] : at) turns_.push_back(rule);
}

/// An index value may be wrong in more ways, and at more positions, than a rank, a size or a dtype. And where
/// the document demands an error, a call without one is a failure; elsewhere it may be wrong.
std::size_t SolvedForms::turns(const spec::Rule& rule) {
  return (solver().reads_index_values(rule) ? 3 : 1) * (promises_error(rule) ? 3 : 1);
}

bool SolvedForms::is_breakable(Asked& one) {
  if (!one.breakable) one.breakable = solver().possible(one.rule);
  return *one.breakable;
}

/// The rule that a side breaks, as far as is known; null: it obeys all. Three sides in five do; the others
/// break the rules in turn. Empty when only broken calls are requested, and no call can break one of the
/// rules alone.
std::optional<const spec::Rule*> SolvedForms::side(std::uint64_t number) const {
  const bool valid =
      wishes_.rule.empty() && (wishes_.sides == GenerationOptions::Sides::valid ||
                               (wishes_.sides == GenerationOptions::Sides::both && number % 5 < 3));
  if (valid) return nullptr;
  const std::uint64_t turn =
      wishes_.sides == GenerationOptions::Sides::both ? number / 5 * 2 + number % 5 - 3 : number;
  for (std::size_t i = 0; i < turns_.size(); ++i) {
    const Asked& one = rules_[turns_[(turn + i) % turns_.size()]];
    if (one.breakable != false) return one.rule;
  }
  if (wishes_.rule.empty() && wishes_.sides == GenerationOptions::Sides::both) return nullptr;
  return std::nullopt;
}

}  // namespace scatterproof::runner::fuzz
