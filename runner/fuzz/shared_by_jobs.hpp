// SPDX-License-Identifier: Apache-2.0
// What the jobs of a campaign share.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "practice.hpp"
#include "scatterproof/engines/core/hang_limit.hpp"
#include "scatterproof/runner/fuzz/campaign.hpp"
#include "scatterproof/runner/fuzz/generator.hpp"
#include "scatterproof/runner/fuzz/schedule.hpp"

namespace scatterproof::runner::fuzz {

/// `mutex` guards the result and the practices, and what is thrown.
struct SharedByJobs {
  SharedByJobs(const Campaign& all, const Observer& step, const CallObserver& see, const Found& fresh)
      : campaign(all),
        progress(step),
        observer(see),
        found(fresh),
        schedule(all.apis.size(), (all.calls + all.apis.size() - 1) / all.apis.size(), all.shard),
        generators_(all.apis.size()) {}

  const Campaign& campaign;
  const Observer& progress;
  const CallObserver& observer;
  const Found& found;
  Schedule schedule;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  std::atomic<bool> stop{false};
  std::atomic<bool> found_one{false};       ///< and stops there
  std::atomic<std::uint64_t> to_shrink{0};  ///< kinds of failure that are not expected
  std::mutex mutex;
  FuzzResult result;
  Practices practices;
  std::exception_ptr thrown;  ///< by the first job that threw

  /// The generator of the API at this position. The first caller waits until its rules are read, which takes
  /// some milliseconds.
  Generator& generator(std::size_t api) {
    GeneratorOfApi& one = generators_[api];
    std::call_once(one.once,
                   [&] { one.generator.emplace(*campaign.apis[api], campaign.seed, campaign.wishes); });
    return *one.generator;
  }

  /// Of the calls that break one rule of an API, or none, on one engine.
  engines::HangLimit& hang_limit(const std::string& engine, const spec::OpSpec& op,
                                 const spec::Rule* broken) {
    const std::scoped_lock lock(mutex);
    // A failure that a baseline expects does not stop the run.
    const bool one_is_enough = campaign.stop_at_first && !campaign.known;
    return hang_limits_.try_emplace({engine, &op, one_is_enough ? nullptr : broken}, one_is_enough)
        .first->second;
  }

  void fail() {
    const std::scoped_lock lock(mutex);
    if (!thrown) thrown = std::current_exception();
    stop = true;
  }

  /// When even a call that is being executed is given up.
  std::chrono::steady_clock::time_point end() const {
    constexpr double longest = 1e8;  // three years: a clock counts no further than some centuries
    if (campaign.seconds <= 0 || campaign.seconds > longest)
      return std::chrono::steady_clock::time_point::max();
    return start + campaign.grace +
           std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::duration<double>(campaign.seconds));
  }

  bool over() {
    if (campaign.interrupted && *campaign.interrupted) stop = true;
    if (campaign.seconds > 0 && seconds_gone() >= campaign.seconds - kept_for_shrinking()) stop = true;
    return stop;
  }

  /// What shows only when all calls are seen together.
  void add_mixed_practices() {
    for (auto& [kind, failure] : practices.mixed()) {
      Kind known = kind;
      if (campaign.known) known.known = campaign.known(kind, failure);
      ++result.failed;
      Tally& tally = result.kinds[known];
      tally.count = 1;
      tally.first = std::make_shared<Failure>(std::move(failure));
    }
  }

  double seconds_gone() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  double kept_for_shrinking() const {
    constexpr double shrinking_share = 0.25;  // of a limited time, at most
    return std::min(campaign.seconds * shrinking_share,
                    static_cast<double>(to_shrink) * campaign.shrink_seconds);
  }

 private:
  struct GeneratorOfApi {
    std::once_flag once;
    std::optional<Generator> generator;
  };
  std::vector<GeneratorOfApi> generators_;
  std::map<std::tuple<std::string, const spec::OpSpec*, const spec::Rule*>, engines::HangLimit> hang_limits_;
};

}  // namespace scatterproof::runner::fuzz
