// SPDX-License-Identifier: Apache-2.0
#include "difference_search.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace scatterproof::runner::compare {

DifferenceSearch::DifferenceSearch(const Plan& plan, const Group& group, const std::vector<Cell>& cells,
                                   const std::vector<Input>& inputs, const Observations& answers,
                                   const std::vector<std::size_t>& which, const std::vector<bool>& is_news,
                                   const Budget& budget)
    : plan_(plan),
      group_(group),
      cells_(cells),
      inputs_(inputs),
      answers_(answers),
      which_(which),
      budget_(budget) {
  for (const std::size_t i : which) {
    for (const MemberPair& pair : parted(answers[i]))
      if (is_in(group, pair.first) && is_in(group, pair.second) &&
          (is_news[pair.first] || is_news[pair.second]))
        shows_[i].insert(pair);
    to_show_.insert(shows_[i].begin(), shows_[i].end());
  }
}

std::vector<Divergence> DifferenceSearch::run() {
  while (!to_show_.empty()) {
    const std::size_t best = showing_most();
    const Divergence found = shown_small(best);
    const std::size_t before = to_show_.size();
    for (const MemberPair& pair : parted(found.answers)) to_show_.erase(pair);
    if (to_show_.size() == before)  // an engine that answers in one way and then in another
      for (const MemberPair& pair : shows_[best]) to_show_.erase(pair);
    add(found);
  }
  return std::move(found_);
}

std::size_t DifferenceSearch::showing_most() {
  const auto wanted = [&](std::size_t i) {
    return std::ranges::count_if(shows_[i], [&](const MemberPair& pair) { return to_show_.contains(pair); });
  };
  return *std::ranges::max_element(
      which_, {}, [&](std::size_t i) { return std::pair(wanted(i), -elements_of(inputs_[i].said)); });
}

/// An input made smaller. If it stays large because all members must keep their behaviour, an input that
/// shows two of them is smaller.
Divergence DifferenceSearch::shown_small(std::size_t best) {
  const Divergence whole = difference(best);
  Divergence of_all = large_.contains(best) ? whole : made_smaller(whole, group_);
  if (is_small(of_all.witness.said)) return of_all;
  large_.insert(best);
  const MemberPair pair =
      *std::ranges::find_if(shows_[best], [&](const MemberPair& one) { return to_show_.contains(one); });
  std::vector<std::size_t> showing;
  std::ranges::copy_if(which_, std::back_inserter(showing),
                       [&](std::size_t i) { return shows_[i].contains(pair); });
  const std::size_t least =
      *std::ranges::min_element(showing, {}, [&](std::size_t i) { return elements_of(inputs_[i].said); });
  Divergence of_two = made_smaller(difference(least), {pair.first, pair.second});
  const auto merit = [](const Divergence& one) {
    return std::pair(one.repeated, -elements_of(one.witness.said));
  };
  return merit(of_two) > merit(of_all) ? of_two : of_all;
}

Divergence DifferenceSearch::made_smaller(const Divergence& whole, const Group& keep) const {
  Plan plan = plan_;
  plan.shrink_seconds = budget_.to_shrink_one();
  return smaller(plan, group_, cells_, whole, keep);
}

Divergence DifferenceSearch::difference(std::size_t input) const {
  return divergence(plan_, group_, cells_, inputs_[input], answers_[input]);
}

/// Unless the same members do the same in one that was found before.
void DifferenceSearch::add(Divergence difference) {
  if (std::ranges::find(found_, difference.sides, &Divergence::sides) != found_.end()) return;
  difference.in_time = budget_.has_time_for_differences();
  if (difference.in_time) difference.portable = written_portably(difference);
  found_.push_back(std::move(difference));
}

/// Without those that bring no two members together that part.
std::vector<Portable> DifferenceSearch::written_portably(const Divergence& difference) const {
  std::vector<Portable> found =
      portable(asking_only(plan_, group_), difference.witness, difference.answers,
               [this](std::size_t member, const Explanation& made) {
                 return means(plan_.comparison, inputs_, answers_, which_, member, made);
               });
  std::erase_if(found, [&](const Portable& way) {
    return std::ranges::count_if(difference.sides, [&](const Divergence::Side& side) {
             return std::ranges::any_of(side.members, [&](std::size_t m) { return is_in(way.agree, m); });
           }) < 2;
  });
  return found;
}

}  // namespace scatterproof::runner::compare
