// SPDX-License-Identifier: Apache-2.0
#include "open_ranks.hpp"

#include "scatterproof/spec/core/work_limit.hpp"

namespace scatterproof::spec::solve {

OpenRanks::OpenRanks(const OpSpec& spec, const FormLimits& limits)
    : spec_(spec), limits_(limits), looks_(looks_of_rules(spec)) {
  // The choices of a selection depend on how many tensors its list has.
  for (std::size_t i = 0; i < spec.arguments.size(); ++i)
    for (std::size_t item = 0; item < spec.arguments.size(); ++item)
      if (!spec.arguments[i].selects_with.empty() &&
          spec.arguments[item].list == spec.arguments[i].selects_with)
        for (Dependencies& looks : looks_)
          if (looks.meets(change_of_all(i))) looks |= change_of_all(item);
}

Skeleton OpenRanks::seen_by(std::size_t rule, const Skeleton& skeleton) const {
  Skeleton seen;
  for (std::size_t i = 0; i < skeleton.size(); ++i)
    if ((looks_[rule].sizes & Dependencies::bit(i)) != 0)
      seen.push_back(skeleton[i]);
    else if ((looks_[rule].dtypes & Dependencies::bit(i)) != 0)
      seen.push_back({skeleton[i].kind, 0});
  return seen;
}

OpenRanks::Open OpenRanks::of(const Skeleton& skeleton, std::optional<SolverContext>& context) {
  WorkLimit::check();
  const std::size_t rules = spec_.rules.size();
  std::optional<Problem> problem;
  Open open{.valid = true, .breaks = std::vector<bool>(rules, true)};
  std::optional<std::size_t> surely_broken;
  for (std::size_t i = 0; i < rules; ++i) {
    const auto [at, is_new] = known_.try_emplace({i, seen_by(i, skeleton)});
    Known& known = at->second;
    if (is_new) {
      if (!context) context.emplace();
      if (!problem) problem.emplace(spec_, skeleton, limits_, context->get(), Problem::WithoutRules{});
      const Problem::Standing standing = problem->standing(i);
      known = {.obeyed = standing.obeyed.known(), .broken = standing.broken.known()};
    }
    open.valid = open.valid && known.obeyed != false;
    open.breaks[i] = known.broken != false;
    if (known.broken != true) continue;
    if (surely_broken) return {.valid = false, .breaks = std::vector<bool>(rules, false)};
    surely_broken = i;
  }
  for (std::size_t i = 0; surely_broken && i < rules; ++i)
    if (i != *surely_broken) open.breaks[i] = false;
  return open;
}

}  // namespace scatterproof::spec::solve
