// SPDX-License-Identifier: Apache-2.0
#include "highlights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "text.hpp"
#include "words.hpp"

namespace scatterproof::reports {
namespace {

struct Found {
  Ratio ratio;
  Extreme at;
};

std::string as_percent(double value) { return percent_words({value, value, true}); }
std::string as_ratio(double value) { return digits(value) + "x"; }

/// Ranks what was found of one measure.
RatioSummary measure(std::string name, std::function<std::string(double)> words, bool more_is_better,
                     const std::vector<Found>& found) {
  RatioSummary all{.name = std::move(name),
                   .words = std::move(words),
                   .more_is_better = more_is_better,
                   .all = found.size()};
  std::vector<Extreme> ranked;
  for (const Found& one : found)
    if (one.ratio.is_fact()) ranked.push_back({one.ratio.by_minimum, one.at.row, one.at.threads});
  all.facts = ranked.size();
  if (ranked.empty()) return all;
  std::stable_sort(ranked.begin(), ranked.end(), [&](const Extreme& a, const Extreme& b) {
    return more_is_better ? a.value > b.value : a.value < b.value;
  });
  all.best = ranked.front();
  all.worst = ranked.back();
  const std::size_t half = ranked.size() / 2;
  all.median =
      ranked.size() % 2 == 1 ? ranked[half].value : (ranked[half - 1].value + ranked[half].value) / 2;
  all.above_one = static_cast<std::size_t>(std::count_if(found.begin(), found.end(), [](const Found& one) {
    return one.ratio.is_fact() && one.ratio.by_minimum > 1 && one.ratio.by_median > 1;
  }));
  return all;
}

/// What an engine's rows say, by the names of measures.
struct Collected {
  std::vector<Found> floor, scaling, deterministic, skew;
  std::map<std::string, std::vector<Found>> against;

  void take(const Figures& one) {
    const Extreme at{0, one.record.row, one.record.threads};
    if (one.share_of_floor) floor.push_back({*one.share_of_floor, at});
    if (one.scaling) scaling.push_back({*one.scaling, at});
    if (one.deterministic) deterministic.push_back({*one.deterministic, at});
    for (const auto& [peer, ratio] : one.against) against[peer].push_back({ratio, at});
  }

  std::vector<RatioSummary> measures() const {
    std::vector<RatioSummary> all;
    const auto add = [&](std::string name, auto words, bool more_is_better, const std::vector<Found>& found) {
      if (!found.empty()) all.push_back(measure(std::move(name), words, more_is_better, found));
    };
    add("share of floor", as_percent, true, floor);
    std::set<std::string> peers;
    for (const auto& [peer, found] : against) peers.insert(peer);
    for (const std::string& peer : in_order(peers))
      add("against " + printable(peer), as_ratio, true, against.at(peer));
    add("against 1 thread", as_ratio, true, scaling);
    add("deterministic over fast", as_ratio, false, deterministic);
    add("skew beyond floors", as_ratio, false, skew);
    return all;
  }
};

}  // namespace

std::vector<Highlights> highlights_of(const spec::TimingRun& run, const std::vector<Figures>& all) {
  std::map<std::string, Collected> collected;
  std::vector<std::string> order;
  for (const Figures& one : all) {
    if (is_peer(one.record.engine) || !one.times) continue;
    if (!collected.contains(one.record.engine)) order.push_back(one.record.engine);
    collected[one.record.engine].take(one);
  }
  for (const Skew& skew : skews_of(run))
    if (!is_peer(skew.worst.engine) && skew.beyond_floors)
      collected[skew.worst.engine].skew.push_back(
          {*skew.beyond_floors, {0, skew.worst.row, skew.worst.threads}});
  std::vector<Highlights> highlights;
  for (const std::string& engine : order) highlights.push_back({engine, collected[engine].measures()});
  return highlights;
}

std::string in_a_sentence(const Highlights& engine) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  for (const RatioSummary& one : engine.measures) {
    if (one.name == "share of floor" && one.facts > 0)
      add(fmt::format("{} of the floor in the median", one.words(one.median)));
    if (one.name.starts_with("against ") && one.name != "against 1 thread")
      add(one.facts > 0 ? fmt::format("faster than {} in {} of {} comparisons, {} in the median",
                                      one.name.substr(8), one.above_one, one.facts, one.words(one.median))
                        : fmt::format("no significant comparison with {}", one.name.substr(8)));
  }
  return text.empty() ? "timed" : text;
}

}  // namespace scatterproof::reports
