// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/fuzz/schedule.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "shares.hpp"

namespace scatterproof::runner::fuzz {

std::vector<const spec::OpSpec*> in_turns(std::vector<const spec::OpSpec*> apis) {
  std::map<std::pair<bool, std::string_view>, std::size_t> before;  // of this kind and framework
  std::vector<std::tuple<bool, std::size_t, const spec::OpSpec*>> turns;
  for (const spec::OpSpec* api : apis) {
    const bool is_variant = !api->variant_of.empty();
    turns.emplace_back(is_variant, before[{is_variant, api->framework}]++, api);
  }
  std::ranges::stable_sort(turns, {},
                           [](const auto& one) { return std::pair(std::get<0>(one), std::get<1>(one)); });
  for (std::size_t i = 0; i < apis.size(); ++i) apis[i] = std::get<2>(turns[i]);
  return apis;
}

Schedule::Schedule(std::size_t apis, std::uint64_t calls, Shard shard)
    : apis_(apis), calls_(calls), shard_(shard) {}

std::optional<Block> Schedule::next() {
  const std::scoped_lock lock(mutex_);
  if (calls_ == 0) return take(least_served());
  for (std::size_t tried = 0; tried < apis_.size(); ++tried) {
    const std::size_t api = turn_++ % apis_.size();
    if (const auto taken = take(api)) return taken;
  }
  return std::nullopt;
}

/// Blocks and APIs are dealt to the shards together, so that every shard gets all APIs.
std::optional<Block> Schedule::take(std::size_t at) {
  Api& api = apis_[at];
  while ((api.next + at) % shard_.total != shard_.index - 1) ++api.next;
  const std::uint64_t first = api.next * block;
  if (calls_ != 0 && first >= calls_) return std::nullopt;
  api.clock += api.last;  // until done() knows better: other jobs are to take other APIs
  api.is_beginning = calls_ == 0 && api.is_new && api.part == 0;
  if (calls_ == 0 && api.is_new) return part_of(at);
  ++api.next;
  return Block{
      .api = at, .first = first, .last = calls_ == 0 ? first + block : std::min(first + block, calls_)};
}

/// In its block: each part doubles what was handed out.
std::uint64_t Schedule::end_of_part(const Api& api) { return std::clamp(2 * api.part, first_part, block); }

Block Schedule::part_of(std::size_t at) {
  Api& api = apis_[at];
  const std::uint64_t first = api.next * block + api.part;
  api.part = end_of_part(api);
  const Block part{.api = at, .first = first, .last = api.next * block + api.part};
  api.is_new = api.part < block;
  if (!api.is_new) ++api.next;
  return part;
}

std::size_t Schedule::least_served() const {
  const auto least = std::ranges::min_element(apis_, {}, [&](const Api& api) { return clock_of(api); });
  return static_cast<std::size_t>(least - apis_.begin());
}

/// To begin an API costs what it cost to begin others, most of it for forms that are kept: a part of that
/// time is enough for the calls that these forms give. Another job would only wait for these forms. More
/// forms of an API are worth less than the first ones of another.
double Schedule::clock_of(const Api& api) const {
  constexpr double share_of_calls = 0.2;
  if (api.is_beginning) return std::numeric_limits<double>::infinity();
  const bool is_begun = api.part > 0 || !api.is_new;
  if (!is_begun) return share_of_calls * to_begin();
  return api.clock + (needs_forms(api) ? to_begin() : 0);
}

/// Whether its next calls wait for more forms to be solved.
bool Schedule::needs_forms(const Api& api) {
  const std::uint64_t begin = api.next * block;
  const std::uint64_t first = begin + (api.is_new ? api.part : 0);
  const std::uint64_t last = begin + (api.is_new ? end_of_part(api) : block);
  return first > 0 && page_of(last - 1) != page_of(first - 1);
}

/// The mean over the time spent so, not over the APIs: those whose forms are on disk say little of one whose
/// forms must be solved.
double Schedule::to_begin() const { return beginning_ == 0 ? 0 : beginning_squared_ / beginning_; }

void Schedule::done(const Block& made, const Spent& spent, std::uint64_t found) {
  const std::scoped_lock lock(mutex_);
  Api& api = apis_[made.api];
  double seconds = spent.seconds;
  if (calls_ == 0 && made.first % block == 0 && made.last - made.first == first_part) {
    beginning_ += spent.making;
    beginning_squared_ += spent.making * spent.making;
    ++begun_;
    seconds -= spent.making;
  }
  if (spent.in_vain) seconds = std::max(seconds, to_begin());  // the time is better spent on another API
  api.is_beginning = false;
  api.found = api.found / 2 + static_cast<double>(found);
  // What was found earns time only when every API had calls: the first ones of an API always find something.
  api.clock += (begun_ < apis_.size() ? seconds : seconds / (1 + api.found)) - api.last;
  api.last = seconds;
}

}  // namespace scatterproof::runner::fuzz
