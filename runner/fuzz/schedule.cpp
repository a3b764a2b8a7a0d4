// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/fuzz/schedule.hpp"

#include <algorithm>

namespace scatterproof::runner::fuzz {

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
  if (calls_ == 0 && api.is_new) return part_of(at);
  ++api.next;
  return Block{
      .api = at, .first = first, .last = calls_ == 0 ? first + block : std::min(first + block, calls_)};
}

Block Schedule::part_of(std::size_t at) {
  Api& api = apis_[at];
  const std::uint64_t first = api.next * block + api.part;
  api.part = std::clamp(2 * api.part, first_part, block);
  const Block part{.api = at, .first = first, .last = api.next * block + api.part};
  api.is_new = api.part < block;
  if (!api.is_new) ++api.next;
  return part;
}

std::size_t Schedule::least_served() const {
  const auto least = std::ranges::min_element(apis_, {}, &Api::clock);
  return static_cast<std::size_t>(least - apis_.begin());
}

void Schedule::done(const Block& made, double seconds, std::uint64_t found) {
  const std::scoped_lock lock(mutex_);
  Api& api = apis_[made.api];
  api.found = api.found / 2 + static_cast<double>(found);
  api.clock += seconds / (1 + api.found) - api.last;
  api.last = seconds;
}

}  // namespace scatterproof::runner::fuzz
