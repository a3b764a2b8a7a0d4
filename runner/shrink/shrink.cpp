// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/shrink/shrink.hpp"

#include <algorithm>
#include <chrono>
#include <unordered_set>

#include "measure.hpp"
#include "scatterproof/runner/calls/call_hash.hpp"
#include "shared.hpp"
#include "steps.hpp"

namespace scatterproof::runner::shrink {
namespace {

using Clock = std::chrono::steady_clock;
using AddSteps = void (*)(const spec::OpSpec&, const spec::Call&, std::vector<Step>&);

constexpr AddSteps families[] = {add_rank_steps, add_size_steps, add_attribute_steps, add_form_steps,
                                 add_value_steps};
constexpr std::size_t first_batch = 4;  // early on, most steps are kept, and the rest of a batch is wasted

class Search {
 public:
  Search(const spec::OpSpec& op, const spec::Call& call, const Keeps& keeps, const Limits& limits)
      : op_(op), keeps_(keeps), limits_(limits) {
    shrunk_.call = call;
  }

  ShrinkResult run() {
    std::size_t before = 0;
    do {
      before = shrunk_.steps;
      for (const AddSteps family : families) exhaust(family);
    } while (shrunk_.steps != before && !stopped_);
    shrunk_.minimal = !stopped_;
    return std::move(shrunk_);
  }

 private:
  /// Takes steps of one family until none is left. Steps before one that was taken are not tried again until
  /// the next round: they have just failed for nearly the same call.
  void exhaust(AddSteps family) {
    for (std::size_t at = 0; !out_of_limits();) {
      std::vector<Step> steps;
      family(op_, shrunk_.call, steps);
      const std::size_t taken = first_kept(steps, at);
      if (taken == steps.size()) return;
      at = taken;
    }
  }

  /// The first step from `at` on that keeps the failure, taken; or the number of steps.
  std::size_t first_kept(const std::vector<Step>& steps, std::size_t at) {
    const Measure now = measure(op_, shrunk_.call);
    std::size_t size = std::min(first_batch, limits_.batch);
    while (at < steps.size() && !out_of_limits()) {
      std::vector<spec::Call> batch;
      std::vector<std::size_t> origins;
      std::vector<std::uint64_t> hashes;
      const auto add = [&](spec::Call candidate) {
        if (item_behind_gap(op_, candidate) || !fault_of_selections(op_, candidate).empty()) return;
        if (measure(op_, candidate) >= now) return;
        const std::uint64_t hash = hash_of(candidate);
        if (refused_.contains(hash) || std::ranges::find(hashes, hash) != hashes.end()) return;
        batch.push_back(std::move(candidate));
        hashes.push_back(hash);
        origins.push_back(at);
      };
      for (; at < steps.size() && batch.size() < size; ++at) {
        spec::Call candidate = steps[at]();
        auto shared = shared_again(shrunk_.call, candidate);
        add(std::move(candidate));
        if (shared) add(*std::move(shared));
      }
      if (const std::size_t i = first_kept_of(batch, hashes); i < batch.size()) {
        shrunk_.call = std::move(batch[i]);
        ++shrunk_.steps;
        return origins[i];
      }
      size = std::min(2 * size, limits_.batch);
    }
    return steps.size();
  }

  std::size_t first_kept_of(const std::vector<spec::Call>& batch, const std::vector<std::uint64_t>& hashes) {
    if (batch.empty()) return 0;
    const std::vector<bool> kept = keeps_(batch);
    const auto first = static_cast<std::size_t>(std::ranges::find(kept, true) - kept.begin());
    refused_.insert(hashes.begin(), hashes.begin() + static_cast<std::ptrdiff_t>(first));
    shrunk_.tried += std::min(first + 1, batch.size());
    return first;
  }

  bool out_of_limits() {
    const std::chrono::duration<double> spent = Clock::now() - start_;
    const double limit = limits_.seconds * (limits_.too_large && limits_.too_large(shrunk_.call) ? 30 : 1);
    stopped_ = stopped_ || spent.count() > limit || shrunk_.tried >= limits_.candidates;
    return stopped_;
  }

  const spec::OpSpec& op_;
  const Keeps& keeps_;
  const Limits& limits_;
  const Clock::time_point start_ = Clock::now();
  bool stopped_ = false;
  ShrinkResult shrunk_;
  std::unordered_set<std::uint64_t> refused_;  // hashes of candidates that did not keep the failure
};

}  // namespace

std::vector<Step> steps(const spec::OpSpec& op, const spec::Call& call) {
  std::vector<Step> all;
  for (const AddSteps family : families) family(op, call, all);
  return all;
}

ShrinkResult shrink(const spec::OpSpec& op, const spec::Call& call, const Keeps& keeps,
                    const Limits& limits) {
  return Search(op, call, keeps, limits).run();
}

}  // namespace scatterproof::runner::shrink
