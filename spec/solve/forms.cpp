// SPDX-License-Identifier: Apache-2.0
// Chooses the ranks of forms at random among those that the rules allow; drawing.cpp does the rest.
#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>

#include "drawing.hpp"
#include "open_ranks.hpp"
#include "scatterproof/spec/core/work_limit.hpp"

namespace scatterproof::spec {
namespace {

using namespace solve;
constexpr int attempts = 24;  // at ranks that have a form
constexpr std::size_t few_attempts_to_break = 4;
constexpr std::size_t many_attempts_to_break = 64;  // where few are not enough at any ranks
// At some ranks most rules allow no valid call except one with an empty index: few draws use unrestricted
// ranks. The same goes for a rule about index values, which ranks cannot break. Any other rule may be broken
// by ranks.
constexpr std::int64_t one_odd_in = 8;
constexpr std::int64_t one_odd_broken_in = 2;
constexpr int looks = 12;  // for ranks at which tensors may have elements; after that, equal ranks must do
}  // namespace

class FormSolver::Impl {
 public:
  Impl(const OpSpec& spec, FormLimits limits)
      : spec_(spec),
        limits_(limits),
        values_(spec),
        skeletons_(all_skeletons(spec, limits.largest_rank)),
        open_ranks_(spec_, limits_) {
    open_.resize(skeletons_.size());
    has_elements_.resize(skeletons_.size());
    likely_.resize(skeletons_.size());
    std::iota(likely_.begin(), likely_.end(), 0);
    std::ranges::stable_sort(likely_, {}, [&](std::size_t i) { return spread(skeletons_[i]); });
  }

  std::vector<CallForm> draw(std::span<const Rule* const> broken, std::size_t count, Dice& dice) const {
    FormDrawer drawing(spec_, limits_, values_, dice);
    std::optional<SolverContext> looking;  // what is asked there must not change what is drawn
    std::vector<CallForm> forms;
    for (const Rule* rule : broken) add(rule, count, dice, drawing, looking, forms);
    return forms;
  }

  std::vector<CallForm> draw_near(const Call& call, std::span<const Rule* const> broken, std::size_t count,
                                  Dice& dice) const {
    FormDrawer drawing(spec_, limits_, values_, dice, &call);
    const Skeleton skeleton = skeleton_of(spec_, call);
    std::vector<CallForm> forms;
    for (const Rule* rule : broken) drawing.add(skeleton, rule, count, forms);
    return forms;
  }

  bool reads_index_values(const Rule& rule) const { return values_.reads(rule); }
  bool any_reads_data() const { return values_.any_reads_data(); }
  bool any_compares_index() const { return values_.any_compares_index(); }

  bool possible(const Rule* broken) const { return where_possible(broken).has_value(); }

 private:
  /// Most rules require equal ranks, and few dimensions are solved fastest.
  static std::size_t spread(const Skeleton& skeleton) {
    std::size_t least = max_rank, most = 0;
    for (const Alternative& one : skeleton)
      if (one.kind == Alternative::Kind::tensor)
        least = std::min(least, one.rank), most = std::max(most, one.rank);
    return most < least ? 0 : (most - least) * max_rank + most;
  }

  /// Skeletons of one greatest rank. In the first `alike` of them, the ranks are as close to each other as
  /// possible; with the others most rules allow only an empty index.
  struct Group {
    std::vector<std::size_t> skeletons;
    std::size_t alike = 0;
  };
  using Groups = std::vector<Group>;

  void add(const Rule* broken, std::size_t count, Dice& dice, FormDrawer& drawing,
           std::optional<SolverContext>& looking, std::vector<CallForm>& forms) const {
    const Groups groups = by_greatest_rank(broken);
    for (int attempt = 0; attempt < attempts && !groups.empty(); ++attempt) {
      const Group& group = dice.pick(groups);
      const bool odd = dice.one_in(broken && !values_.reads(*broken) ? one_odd_broken_in : one_odd_in);
      const std::size_t chosen =
          odd ? any(group.skeletons.size(), group, dice) : one_with_elements(group, dice, looking);
      if (drawing.add(skeletons_[chosen], broken, count, forms)) return;
    }
    if (const auto known = where_possible(broken))
      for (int attempt = 0; attempt < attempts; ++attempt)
        if (drawing.add(skeletons_[*known], broken, count, forms)) return;
  }

  /// Of the first `count` of the group.
  static std::size_t any(std::size_t count, const Group& group, Dice& dice) {
    return group.skeletons[static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(count)))];
  }
  std::size_t one_with_elements(const Group& group, Dice& dice, std::optional<SolverContext>& looking) const {
    for (int i = 0; i < looks; ++i)
      if (const std::size_t chosen = any(group.skeletons.size(), group, dice); has_elements(chosen, looking))
        return chosen;
    return any(group.alike, group, dice);
  }
  bool has_elements(std::size_t skeleton, std::optional<SolverContext>& looking) const {
    const std::scoped_lock lock(mutex_);
    std::optional<bool>& known = has_elements_[skeleton];
    if (known) return *known;
    if (!looking) looking.emplace();
    known = may_have_elements(spec_, skeletons_[skeleton], limits_, looking->get());
    return *known;
  }

  /// The first ranks at which calls break the rule; empty: there are none.
  std::optional<std::size_t> where_possible(const Rule* broken) const {
    const std::scoped_lock lock(mutex_);
    const auto [known, unknown] = where_possible_.try_emplace(broken);
    if (!unknown) return known->second;
    Dice dice(0, 0);
    FormDrawer drawing(spec_, limits_, values_, dice);
    std::optional<SolverContext> looking;
    for (const std::size_t attempts : {few_attempts_to_break, many_attempts_to_break}) {
      const auto first = std::ranges::find_if(likely_, [&](std::size_t i) {
        return is_open(i, broken, looking) && drawing.has_any(skeletons_[i], broken, attempts);
      });
      if (first == likely_.end()) continue;
      known->second = *first;
      break;
    }
    return known->second;
  }

  /// Precondition: mutex_ is held.
  bool is_open(std::size_t skeleton, const Rule* broken, std::optional<SolverContext>& looking) const {
    std::optional<OpenRanks::Open>& open = open_[skeleton];
    if (!open) open = open_ranks_.of(skeletons_[skeleton], looking);
    return broken ? open->breaks[static_cast<std::size_t>(broken - spec_.rules.data())] : open->valid;
  }

  /// Each greatest rank is equally likely: weighted by number of skeletons, high ranks would crowd out low
  /// ones.
  Groups by_greatest_rank(const Rule* broken) const {
    std::map<std::size_t, Group> by_rank;
    std::optional<SolverContext> looking;
    const std::scoped_lock lock(mutex_);
    for (const std::size_t i : likely_) {
      if (!is_open(i, broken, looking)) continue;
      std::size_t rank = 0;
      for (const Alternative& one : skeletons_[i]) rank = std::max(rank, one.rank);
      Group& group = by_rank[rank];
      group.skeletons.push_back(i);
      group.alike += spread(skeletons_[i]) == spread(skeletons_[group.skeletons.front()]);
    }
    Groups groups;
    for (auto& [rank, group] : by_rank) groups.push_back(std::move(group));
    return groups;
  }

  const OpSpec& spec_;
  FormLimits limits_;
  ValueRules values_;
  std::vector<Skeleton> skeletons_;
  std::vector<std::size_t> likely_;  ///< skeletons, those first in which a rule is most likely breakable
  mutable std::mutex mutex_;         ///< of what follows
  mutable OpenRanks open_ranks_;
  mutable std::vector<std::optional<OpenRanks::Open>> open_;  ///< by skeleton, found out when asked
  mutable std::vector<std::optional<bool>> has_elements_;     ///< by skeleton, found out when asked
  mutable std::map<const Rule*, std::optional<std::size_t>> where_possible_;  ///< the same, by rule
};

FormSolver::FormSolver(const OpSpec& spec, FormLimits limits) : impl_(std::make_unique<Impl>(spec, limits)) {}
FormSolver::~FormSolver() = default;
FormSolver::FormSolver(FormSolver&&) noexcept = default;

std::vector<CallForm> FormSolver::draw(std::span<const Rule* const> broken, std::size_t count,
                                       Dice& dice) const {
  return impl_->draw(broken, count, dice);
}
std::vector<CallForm> FormSolver::draw_near(const Call& call, std::span<const Rule* const> broken,
                                            std::size_t count, Dice& dice) const {
  return impl_->draw_near(call, broken, count, dice);
}
bool FormSolver::reads_index_values(const Rule& rule) const { return impl_->reads_index_values(rule); }
bool FormSolver::any_reads_data() const { return impl_->any_reads_data(); }
bool FormSolver::any_compares_index() const { return impl_->any_compares_index(); }
bool FormSolver::possible(const Rule* broken) const { return impl_->possible(broken); }

}  // namespace scatterproof::spec
