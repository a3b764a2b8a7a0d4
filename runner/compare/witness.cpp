// SPDX-License-Identifier: Apache-2.0
#include "witness.hpp"

#include <algorithm>

#include "differences.hpp"
#include "scatterproof/runner/compare/readings.hpp"
#include "scatterproof/runner/shrink/shrink.hpp"

namespace scatterproof::runner::compare {
namespace {

/// The members that were asked about the witness. A member that crashed often enough in its classes was not
/// asked, and is not in a difference because of it.
Group asked_about(const Group& group, const Divergence& difference) {
  Group asked;
  std::ranges::copy_if(group, std::back_inserter(asked), [&](std::size_t m) {
    const Observation& answer = difference.answers[m];
    return answer.kind != Observation::Kind::absent || !answer.why_absent.empty();
  });
  return asked;
}

/// Whether a witness may be replaced by an input: it is in the same classes, and the members do as `smaller`
/// says.
class StillParted {
 public:
  StillParted(const Plan& plan, const Group& group, const std::vector<Cell>& cells,
              const Divergence& difference, const Group& keep)
      : plan_(plan), cells_(cells), difference_(difference), does_(plan.members.size()) {
    for (const Divergence::Side& side : difference.sides) {
      Group kept;
      std::ranges::copy_if(side.members, std::back_inserter(kept),
                           [&](std::size_t m) { return is_in(keep, m); });
      for (const std::size_t m : kept) does_[m] = side.does;
      if (!kept.empty()) speakers_.push_back(quickest(kept));
    }
    std::ranges::copy_if(group, std::back_inserter(others_),
                         [&](std::size_t m) { return !is_in(speakers_, m); });
  }

  /// A search uses only the first of these that is kept, so it is found with as few questions as possible:
  /// one member speaks for each side, and the others are asked about the candidates that pass. An engine that
  /// compiles for every new shape takes a thousand times as long as another one, so the quickest member
  /// speaks.
  std::vector<bool> operator()(std::span<const spec::Call> candidates) const {
    std::vector<bool> keep(candidates.size());
    std::vector<Input> inputs;
    std::vector<std::size_t> places;
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      spec::FamilyCall said = as_said(plan_.comparison, candidates[c]);
      if (!result_fits(plan_.comparison, said)) continue;
      Input input = classified(plan_.comparison, std::move(said));
      if (input.classes != difference_.witness.classes) continue;
      inputs.push_back(std::move(input));
      places.push_back(c);
    }
    auto answers = asked(speakers_, inputs);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!same(speakers_, answers[i])) continue;
      const auto of_others = asked(others_, {&inputs[i], 1}).front();
      for (const std::size_t m : others_) answers[i][m] = of_others[m];
      keep[places[i]] = same(others_, answers[i]) && still_differ(answers[i]);
      if (keep[places[i]]) break;
    }
    return keep;
  }

 private:
  std::size_t quickest(const Group& members) const {
    return *std::ranges::min_element(members, {},
                                     [&](std::size_t m) { return difference_.answers[m].outcome.seconds; });
  }

  Observations asked(const Group& group, std::span<const Input> inputs) const {
    return ask(asking_only(plan_, group), inputs);
  }

  bool same(const Group& group, const std::vector<Observation>& answers) const {
    return std::ranges::all_of(group, [&](std::size_t m) {
      const Behaviour* does = shown_by(plan_, cells_[m], difference_.witness.classes, answers[m]);
      if (!does_[m].empty()) return does && does->name == does_[m];
      return does || answers[m].kind == Observation::Kind::absent;
    });
  }

  bool still_differ(const std::vector<Observation>& answers) const {
    const auto& before = difference_.answers;
    for (std::size_t a = 0; a < answers.size(); ++a)
      for (std::size_t b = a + 1; b < answers.size(); ++b)
        if (!does_[a].empty() && !does_[b].empty() && differ(before[a], before[b]) &&
            !differ(answers[a], answers[b]))
          return false;
    return true;
  }

  const Plan& plan_;
  const std::vector<Cell>& cells_;
  const Divergence& difference_;
  std::vector<std::string> does_;  ///< by member; empty: it need not do the same
  Group speakers_, others_;
};

bool hangs(const Divergence& difference) {
  return std::ranges::any_of(difference.answers, [](const Observation& answer) {
    return std::holds_alternative<spec::TimedOut>(answer.outcome.what);
  });
}

}  // namespace

ComparisonSetting asking_only(const Plan& plan, const Group& group) {
  return {.comparison = plan.comparison,
          .members = plan.members,
          .timeout = plan.timeout,
          .skips = [&group](std::size_t member, const Input&) { return !is_in(group, member); }};
}

bool is_in(const Group& group, std::size_t member) { return std::ranges::find(group, member) != group.end(); }

Divergence divergence(const Plan& plan, const Group& group, const std::vector<Cell>& cells, Input witness,
                      const std::vector<Observation>& answers) {
  std::vector<Observation> theirs(answers.size());
  for (const std::size_t m : group) theirs[m] = answers[m];
  return {.in = name_of(plan.comparison, witness.classes),
          .sides = sides_of(plan, cells, witness.classes, theirs),
          .kind = kind_of(plan, theirs),
          .witness = std::move(witness),
          .answers = std::move(theirs)};
}

Divergence smaller(const Plan& plan, const Group& group, const std::vector<Cell>& cells,
                   const Divergence& difference, const Group& keep) {
  if (plan.seconds && hangs(difference)) return difference;  // each question would take the longest time
  const Group asked = asked_about(group, difference);
  const StillParted still(plan, asked, cells, difference, keep);
  const spec::Call call = as_call(plan.comparison, difference.witness.said);
  if (plan.shrink_seconds <= 0) return difference;
  if (!still({&call, 1}).front()) {
    Divergence by_chance = difference;
    by_chance.repeated = false;
    return by_chance;
  }
  const shrink::Limits limits{.seconds = plan.shrink_seconds, .too_large = [&](const spec::Call& now) {
                                return !is_small(as_said(plan.comparison, now));
                              }};
  const auto shrunk = shrink::shrink(plan.comparison.meaning, call, still, limits);
  Input witness = classified(plan.comparison, as_said(plan.comparison, shrunk.call));
  const auto answers = ask(asking_only(plan, asked), {&witness, 1});
  Divergence found = divergence(plan, asked, cells, std::move(witness), answers.front());
  found.minimal = shrunk.minimal;
  return found;
}

}  // namespace scatterproof::runner::compare
