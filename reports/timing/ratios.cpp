// SPDX-License-Identifier: Apache-2.0
#include "ratios.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "scatterproof/spec/core/verdict.hpp"
#include "scatterproof/spec/record/engine_name.hpp"

namespace scatterproof::reports {
namespace {

using spec::Spread;
using spec::TimingRecord;

constexpr std::string_view deterministic_suffix = "-deterministic";

/// A record with its times: spreads are needed again and again.
struct Timed {
  const TimingRecord* record = nullptr;
  Spread times;
};

/// What two records must share to be compared; the engine without its release, as any release of a peer will
/// do.
using Place = std::tuple<std::string, std::string, std::string, int, bool>;

Place place_of(const TimingRecord& record, std::string engine, int threads) {
  return {record.row, std::move(engine), record.device, threads, record.in_place};
}

/// The fastest call of each place.
class Best {
 public:
  explicit Best(const std::vector<TimingRecord>& records) {
    for (const TimingRecord& record : records) {
      if (record.seconds.empty()) continue;
      const Spread times = spec::spread(record.seconds);
      const Place place = place_of(record, spec::without_release(record.engine), record.threads);
      const auto [at, is_new] = best_.try_emplace(place, times);
      if (!is_new && times.minimum < at->second.minimum) at->second = times;
      if (is_peer(record.engine)) peers_.insert(spec::without_release(record.engine));
    }
  }

  const Spread* find(const TimingRecord& like, const std::string& engine, int threads) const {
    const auto found = best_.find(place_of(like, engine, threads));
    return found == best_.end() ? nullptr : &found->second;
  }
  /// Names of the peers that were timed.
  const std::set<std::string>& peers() const { return peers_; }

 private:
  std::map<Place, Spread> best_;
  std::set<std::string> peers_;
};

/// What takes `seconds` at the least, over what it took. The machine's rates are taken as they are: they are
/// the best of many tries.
Ratio share(double seconds, const Spread& times) {
  return {seconds / times.minimum, seconds / times.median, spec::is_steady(times)};
}

std::optional<Ratio> share_of_copy(const TimingRecord& record, const spec::MachineRecord& machine,
                                   const Spread& times) {
  const auto rate = machine.copy_bytes_per_second.find(record.threads);
  const bool known = rate != machine.copy_bytes_per_second.end() && rate->second > 0;
  if (record.device != "cpu" || !known || record.bytes_algorithmic <= 0) return {};
  return share(record.bytes_algorithmic / rate->second, times);
}

std::optional<Ratio> over_fast_mode(const TimingRecord& record, const Best& best, const Spread& times) {
  if (!record.engine.ends_with(deterministic_suffix)) return {};
  const std::string fast = record.engine.substr(0, record.engine.size() - deterministic_suffix.size());
  const Spread* other = best.find(record, fast, record.threads);
  if (!other) return {};
  return ratio(times, *other);
}

Figures figures(const TimingRecord& record, const spec::MachineRecord& machine, const Best& best) {
  Figures all;
  all.record = record;
  if (record.seconds.empty()) return all;
  const Spread times = spec::spread(record.seconds);
  all.times = times;
  if (record.bytes_algorithmic > 0) all.bytes_per_second = record.bytes_algorithmic / times.minimum;
  if (record.lookups > 0) all.seconds_per_lookup = times.minimum / static_cast<double>(record.lookups);
  if (record.floor_seconds > 0) all.share_of_floor = share(record.floor_seconds, times);
  all.share_of_copy = share_of_copy(record, machine, times);
  all.deterministic = over_fast_mode(record, best, times);
  if (record.threads > 1)
    if (const Spread* one = best.find(record, spec::without_release(record.engine), 1))
      all.scaling = ratio(*one, times);
  if (is_peer(record.engine)) return all;
  for (const std::string& peer : best.peers())
    if (const Spread* other = best.find(record, peer, record.threads))
      all.against[peer] = ratio(*other, times);
  return all;
}

/// Everything but the distribution; floors may differ, as they are what distributions differ by.
using Sizes = std::tuple<std::string, std::string, int, std::string, std::string, std::string, std::int64_t,
                         std::int64_t, std::int64_t, bool>;

Sizes sizes_of(const TimingRecord& r) {
  return {r.engine,      r.device,  r.threads,   r.operation,   r.dtype,
          r.index_dtype, r.lookups, r.row_bytes, r.table_bytes, r.in_place};
}

Skew skew(const Timed& worst, const Timed& best) {
  Skew all{.worst = *worst.record, .best = *best.record, .factor = ratio(worst.times, best.times)};
  if (worst.record->floor_seconds > 0 && best.record->floor_seconds > 0) {
    const double floors = worst.record->floor_seconds / best.record->floor_seconds;
    all.beyond_floors = {all.factor.by_minimum / floors, all.factor.by_median / floors,
                         all.factor.significant};
  }
  return all;
}

}  // namespace

bool Ratio::has_lucky_minimum() const {
  constexpr double tenth = 1.1;
  const auto [low, high] = std::minmax(by_minimum, by_median);
  return significant && high > tenth * low;
}

Ratio ratio(const Spread& over, const Spread& under) {
  return {over.minimum / under.minimum, over.median / under.median,
          spec::is_steady(over) && spec::is_steady(under)};
}

std::vector<std::string> in_order(std::set<std::string> peers) {
  std::vector<std::string> order;
  for (const char* first : {"torch", "onnxruntime", "numpy"})
    if (peers.erase(first) > 0) order.emplace_back(first);
  order.insert(order.end(), peers.begin(), peers.end());
  return order;
}

bool is_peer(const std::string& engine) {
  return !spec::is_named_by_path(engine) && engine.find('@') != std::string::npos;
}

bool is_wrong(const spec::TimingRecord& record) {
  const auto verdict = spec::parse_verdict(record.verdict);
  using enum spec::Verdict;
  return !verdict || !(*verdict == pass || *verdict == weak || *verdict == unsupported || *verdict == open ||
                       *verdict == infra);
}

std::vector<Figures> figures_of(const spec::TimingRun& run) {
  const Best best(run.records);
  std::vector<Figures> all;
  for (const TimingRecord& record : run.records) all.push_back(figures(record, run.machine, best));
  return all;
}

std::vector<Skew> skews_of(const spec::TimingRun& run) {
  std::map<Sizes, std::map<std::string, Timed>> groups;  // by distribution, each by its fastest call
  std::vector<Sizes> order;
  for (const TimingRecord& record : run.records) {
    if (record.seconds.empty()) continue;
    const Timed timed{&record, spec::spread(record.seconds)};
    auto& group = groups[sizes_of(record)];
    if (group.empty()) order.push_back(sizes_of(record));
    const auto [at, is_new] = group.try_emplace(record.distribution, timed);
    if (!is_new && timed.times.minimum < at->second.times.minimum) at->second = timed;
  }
  std::vector<Skew> all;
  for (const Sizes& sizes : order) {
    const auto& group = groups[sizes];
    if (group.size() < 2) continue;
    Timed worst = group.begin()->second;
    Timed best = worst;
    for (const auto& [distribution, timed] : group) {
      if (timed.times.minimum > worst.times.minimum) worst = timed;
      if (timed.times.minimum < best.times.minimum) best = timed;
    }
    all.push_back(skew(worst, best));
  }
  return all;
}

}  // namespace scatterproof::reports
