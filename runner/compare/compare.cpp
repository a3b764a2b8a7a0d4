// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/compare/compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "again.hpp"
#include "budget.hpp"
#include "difference_search.hpp"

namespace scatterproof::runner::compare {
namespace {

/// Of the family itself: the calls of others are made of theirs.
std::vector<const spec::OpSpec*> specs_of(const std::vector<FamilyMember>& members) {
  std::vector<const spec::OpSpec*> specs;
  for (const FamilyMember& member : members)
    if (!member.restated && std::ranges::find(specs, member.spec) == specs.end())
      specs.push_back(member.spec);
  return specs;
}

/// Puts the inputs to the members, each engine at its own pace. One that crashes or hangs takes more time
/// still, as its process is started again each time. A member with three crashes in a class, or, where time
/// is limited, one call that hangs, is not asked more about that class; a member with one is not asked about
/// calls that are in another class too.
class Asking {
 public:
  Asking(const Plan& plan, const Budget& budget, ComparisonResult& compared)
      : plan_(plan),
        budget_(budget),
        compared_(compared),
        seen_(plan.members.size()),
        crashes_(plan.members.size()) {}

  Observations run() {
    return ask({.comparison = plan_.comparison,
                .members = plan_.members,
                .timeout = plan_.timeout,
                .skips = [this](std::size_t member, const Input& input) { return skips(member, input); },
                .saw = [this](std::size_t member, const Input& input,
                              const spec::Outcome& outcome) { note(member, input, outcome); }},
               compared_.inputs);
  }

 private:
  static constexpr int enough = 3;

  bool skips(std::size_t member, const Input& input) {
    if (plan_.is_interrupted()) return true;
    if (!has_no_time(member, input) && !has_crashed_enough(member, input)) return false;
    const std::scoped_lock lock(mutex_);
    ++compared_.left_out[plan_.members[member].engine->info().name];
    return true;
  }

  /// A slow member has longer for its first input of each class than for more.
  bool has_no_time(std::size_t member, const Input& input) const {
    return budget_.has_ended_asking() ||
           (budget_.has_asked_enough() &&
            (input.classes.size() > 1 || seen_[member].contains(input.classes)));
  }

  bool has_crashed_enough(std::size_t member, const Input& input) const {
    const int most = input.classes.size() > 1 ? 1 : enough;
    return std::ranges::any_of(input.classes, [&](std::size_t c) {
      const auto found = crashes_[member].find(c);
      return found != crashes_[member].end() && found->second >= most;
    });
  }

  void note(std::size_t member, const Input& input, const spec::Outcome& outcome) {
    seen_[member].insert(input.classes);
    const bool hung = std::holds_alternative<spec::TimedOut>(outcome.what);
    if (hung || std::holds_alternative<spec::Crashed>(outcome.what))
      for (const std::size_t c : input.classes) crashes_[member][c] += hung && plan_.seconds ? enough : 1;
    const std::scoped_lock lock(mutex_);
    if (++asked_ % 64 == 0) plan_.tell(fmt::format("{} calls asked", asked_));
  }

  const Plan& plan_;
  const Budget& budget_;
  ComparisonResult& compared_;
  std::vector<std::set<std::vector<std::size_t>>> seen_;  ///< by member, which one thread asks: classes
  std::vector<std::map<std::size_t, int>> crashes_;       ///< likewise, by class
  std::mutex mutex_;                                      ///< of what follows, and of compared_
  std::size_t asked_ = 0;
};

/// The members among whom differences are looked for.
std::vector<Group> groups_of(const Plan& plan) {
  std::vector<Group> groups;
  std::map<const spec::OpSpec*, std::size_t> of_api;
  for (std::size_t m = 0; m < plan.members.size(); ++m) {
    const auto [at, is_new] = of_api.try_emplace(plan.drift ? plan.members[m].spec : nullptr, groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(m);
  }
  return groups;
}

/// What may be expected where two classes hold: what is done in either, and the readings of both together.
Cell together(const Cell& first, const Cell& second) {
  Cell both;
  for (const Behaviour& one : first.does) {
    both.does.push_back(one);
    for (const Behaviour& other : second.does)
      both.does.push_back({.name = one.name + " and " + other.name, .letter = {}});
  }
  both.does.insert(both.does.end(), second.does.begin(), second.does.end());
  return both;
}

/// What a comparison finds, row by row.
class Comparison {
 public:
  Comparison(const Plan& plan, Budget& budget, std::vector<Input> inputs)
      : plan_(plan), budget_(budget), groups_(groups_of(plan)) {
    compared_.members = plan.members;
    compared_.inputs = std::move(inputs);
    answers_ = Asking(plan, budget, compared_).run();
    for (std::size_t i = 0; i < answers_.size(); ++i) of_classes_[compared_.inputs[i].classes].push_back(i);
  }

  ComparisonResult run() {
    const std::vector<bool> all(plan_.members.size(), true);
    const std::size_t classes = plan_.comparison.classes.size();
    for (std::size_t c = 0; c <= classes; ++c) {
      ClassRow row = row_of(c < classes ? std::vector{c} : std::vector<std::size_t>{});
      if (of_classes_[row.classes].empty()) compared_.classes_missed.push_back(c);
      add(std::move(row), all);
    }
    for (const auto& [both, which] : of_classes_) {
      if (both.size() < 2) continue;
      ++compared_.pairs_reached;
      ClassRow row = row_of(both);
      const std::vector<bool> news = news_in(row);
      if (std::ranges::count(news, true) > 0) add(std::move(row), news);
    }
    if (plan_.is_interrupted()) return std::move(compared_);  // the rows lack what was not asked
    if (plan_.found) plan_.found(compared_);
    AskingAgain again(plan_, budget_);
    budget_.begin_differences();
    for (std::size_t row = 0; row < news_.size() && !plan_.is_interrupted(); ++row) find_differences(row);
    plan_.tell("asking again in new processes");
    again.run(compared_, answers_);
    return std::move(compared_);
  }

 private:
  ClassRow row_of(const std::vector<std::size_t>& classes) {
    ClassRow row{.classes = classes, .cells = {}};
    for (std::size_t m = 0; m < plan_.members.size(); ++m)
      row.cells.push_back(cell_of(plan_, compared_.inputs, answers_, of_classes_[classes], m));
    return row;
  }

  /// The members whose behaviour where both classes hold does not follow from their behaviour in either class
  /// alone.
  std::vector<bool> news_in(const ClassRow& both) {
    std::vector<bool> news;
    for (std::size_t m = 0; m < plan_.members.size(); ++m) {
      const Cell& first = compared_.rows[both.classes[0]].cells[m];
      const Cell& second = compared_.rows[both.classes[1]].cells[m];
      const Cell expected = together(first, second);
      news.push_back(!first.does.empty() && !second.does.empty() &&
                     std::ranges::any_of(of_classes_[both.classes], [&](std::size_t i) {
                       const Observation& answer = answers_[i][m];
                       return answer.kind != Observation::Kind::absent &&
                              !shown_by(plan_, expected, both.classes, answer);
                     }));
    }
    return news;
  }

  /// The differences of these members from others are to be found.
  void add(ClassRow row, std::vector<bool> of) {
    compared_.rows.push_back(std::move(row));
    news_.push_back(std::move(of));
  }

  void find_differences(std::size_t row) {
    const ClassRow& in = compared_.rows[row];
    const std::string name = name_of(plan_.comparison, in.classes);
    plan_.tell("making small calls that show differences" + (name.empty() ? "" : " in " + name));
    for (const Group& group : groups_)
      for (Divergence& one : DifferenceSearch(plan_, group, in.cells, compared_.inputs, answers_,
                                              of_classes_[in.classes], news_[row], budget_)
                                 .run()) {
        compared_.differences.push_back(std::move(one));
        if (plan_.found) plan_.found(compared_);
      }
  }

  const Plan& plan_;
  Budget& budget_;
  std::vector<Group> groups_;
  Observations answers_;
  std::map<std::vector<std::size_t>, std::vector<std::size_t>> of_classes_;  ///< inputs
  std::vector<std::vector<bool>> news_;  ///< by row, members whose differences are looked for
  ComparisonResult compared_;
};

}  // namespace

std::string_view name(DivergenceKind kind) {
  switch (kind) {
    case DivergenceKind::documented:
      return "documented difference";
    case DivergenceKind::undocumented:
      return "undocumented difference";
    case DivergenceKind::contradicts:
      return "contradicts own document";
    case DivergenceKind::form_drift:
      return "form drift";
    case DivergenceKind::drift:
      break;
  }
  return "drift";
}

std::string Cell::letters() const {
  if (does.empty()) return unasked ? "." : "-";
  std::string all;
  for (const Behaviour& one : does) all += one.letter + (one.repeated ? "" : "~");
  return all;
}

std::string Divergence::name() const {
  std::vector<std::string> does;
  for (const Side& side : sides) does.push_back(side.does);
  return fmt::format("{}: {}", in.empty() ? "agreed" : in, fmt::join(does, " | "));
}

/// Half of the time would not do for a few calls that hang: each takes this twice.
std::chrono::milliseconds longest_answer(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000 / 9));
}

bool compiles(const Plan& plan) {
  return std::ranges::any_of(
      plan.members, [](const FamilyMember& member) { return member.engine->info().signature_seconds > 0; });
}

ComparisonResult compare(const Plan& plan) {
  Budget budget(plan);
  std::vector<Input> inputs = draw_inputs(plan.comparison, specs_of(plan.members), plan.wishes);
  budget.begin_asking();
  Plan asked = plan;  // without members of other families that can say none of them
  if (plan.seconds && !compiles(plan)) asked.timeout = std::min(asked.timeout, longest_answer(*plan.seconds));
  std::erase_if(asked.members, [&](const FamilyMember& member) {
    return member.restated && std::ranges::none_of(inputs, [&](const Input& input) {
             return std::holds_alternative<spec::Call>(call_of(plan.comparison, member, input.said));
           });
  });
  return Comparison(asked, budget, std::move(inputs)).run();
}

std::string name_of(const spec::FamilyComparison& comparison, const std::vector<std::size_t>& classes) {
  std::vector<std::string> names;
  for (const std::size_t c : classes) names.push_back(comparison.classes[c].id);
  return fmt::format("{}", fmt::join(names, " + "));
}

std::string words_of(const spec::FamilyComparison& comparison, const std::vector<std::size_t>& classes) {
  if (classes.empty()) return "calls in none of these classes";
  return classes.size() == 1 ? comparison.classes[classes.front()].says : "both hold";
}

}  // namespace scatterproof::runner::compare
