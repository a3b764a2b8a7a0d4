// SPDX-License-Identifier: Apache-2.0
#include "floor.hpp"

#include <algorithm>
#include <vector>

#include "lookups.hpp"
#include "parts.hpp"
#include "scatterproof/spec/core/dtype.hpp"

namespace scatterproof::runner::bench {
namespace {

/// How often each line was touched, in two random halves of the touches.
class Touches {
 public:
  explicit Touches(std::int64_t lines) : half_{Counts(lines, 0), Counts(lines, 0)} {}

  void touch(std::int64_t line) {
    if (line == last_) return;
    constexpr std::int64_t lines_a_page = page_bytes / line_bytes;
    jumps_ += last_ / lines_a_page != line / lines_a_page || last_ < 0;
    ++half_[spec::random(0, static_cast<std::uint64_t>(total_)) & 1][static_cast<std::size_t>(line)];
    ++total_;
    last_ = line;
  }

  std::int64_t total() const { return total_; }
  std::int64_t jumps() const { return jumps_; }
  std::int64_t different() const {
    std::int64_t count = 0;
    for (std::size_t line = 0; line < half_[0].size(); ++line) count += half_[0][line] + half_[1][line] > 0;
    return count;
  }
  /// Touches of the `held` lines in most demand.
  double hits(std::int64_t held) const {
    return hits(half_[0], half_[1], held) + hits(half_[1], half_[0], held);
  }

 private:
  using Counts = std::vector<std::uint32_t>;

  /// Touches that `tested` counts in the lines that are touched most according to `told`. A share of the
  /// lines tied at the threshold is held.
  static double hits(const Counts& told, const Counts& tested, std::int64_t held) {
    if (held <= 0) return 0;
    Counts sorted = told;
    const auto rank = sorted.begin() + (held - 1);
    std::nth_element(sorted.begin(), rank, sorted.end(), std::greater<>());
    const std::uint32_t threshold = *rank;
    std::int64_t above = 0, alike = 0;
    double hits_above = 0, hits_alike = 0;
    for (std::size_t line = 0; line < told.size(); ++line) {
      if (told[line] > threshold) ++above, hits_above += tested[line];
      if (told[line] == threshold) ++alike, hits_alike += tested[line];
    }
    return hits_above + hits_alike * static_cast<double>(held - above) / static_cast<double>(alike);
  }

  Counts half_[2];
  std::int64_t last_ = -1;
  std::int64_t total_ = 0;
  std::int64_t jumps_ = 0;
};

/// Bytes from the table's first element to behind its last one.
std::int64_t table_extent(const engines::Walk& walk) {
  if (walk.scatter) return walk.result_numel;
  std::int64_t extent = 1;
  for (int d = 0; d < walk.rank; ++d) extent += (walk.shape[d] - 1) * walk.table_stride[d];
  for (int j = 0; j < walk.depth; ++j) extent += (walk.size[j] - 1) * walk.step[j];
  return extent;
}

}  // namespace

Traffic count_traffic(const engines::Walk& walk, std::int64_t cache_bytes) {
  const auto element = static_cast<std::int64_t>(spec::size_of(walk.dtype));
  Traffic traffic;
  traffic.scatter = walk.scatter;
  traffic.combines = walk.combine != spec::Combiner::assign;
  if (walk.count == 0) return traffic;
  std::int64_t shape[engines::max_walk_rank];
  lookup_shape(walk, shape);
  traffic.lookups = 1;
  for (int d = 0; d < walk.rank; ++d) traffic.lookups *= static_cast<double>(shape[d]);
  traffic.index_bytes = traffic.lookups * walk.depth * static_cast<double>(spec::size_of(walk.index_dtype));
  const std::int64_t run = run_length(walk) * element;
  traffic.run_bytes = static_cast<double>(run);
  traffic.value_bytes = static_cast<double>(walk.count * element);
  const std::int64_t table = table_extent(walk) * element;
  traffic.table_bytes = static_cast<double>(table);

  Touches touches((table + line_bytes - 1) / line_bytes);
  for_each_run(walk, [&](std::int64_t cell, std::int64_t) {
    const std::int64_t first = cell * element / line_bytes;
    const std::int64_t last = (cell * element + run - 1) / line_bytes;
    for (std::int64_t line = first; line <= last; ++line) touches.touch(line);
  });
  const std::int64_t different = touches.different();
  const std::int64_t held = cache_bytes / line_bytes;
  traffic.touched_bytes = static_cast<double>(different * line_bytes);
  if (different > held) traffic.missed_lines = static_cast<double>(touches.total()) - touches.hits(held);
  traffic.missed_at_random =
      traffic.missed_lines * static_cast<double>(touches.jumps()) / static_cast<double>(touches.total());
  return traffic;
}

Floor floor_of(const Traffic& traffic, bool in_place, std::int64_t cache_bytes, double copy_rate,
               double random_rate) {
  constexpr double w = 1;
  const bool copies = traffic.scatter && !in_place;
  const double copied = copies ? (traffic.from_zeros ? w : 1 + w) * traffic.table_bytes : 0;
  Floor floor;
  // The definition's reads and writes: the index, the values where they come from, the cells they go to.
  floor.bytes_algorithmic =
      traffic.index_bytes + (traffic.scatter && traffic.combines ? 3 : 2) * traffic.value_bytes + copied;
  const double footprint =
      traffic.index_bytes + traffic.value_bytes + (copies ? copied : traffic.touched_bytes);
  if (footprint <= static_cast<double>(cache_bytes)) return floor;
  const double table_lines = traffic.missed_lines * line_bytes * (traffic.scatter ? 2 : 1);
  const double stream = traffic.scatter ? traffic.value_bytes : w * traffic.value_bytes;
  floor.bytes = traffic.index_bytes + stream + table_lines + copied;
  if (copy_rate > 0) floor.seconds = floor.bytes / copy_rate;
  if (random_rate > 0) floor.seconds = std::max(floor.seconds, traffic.missed_at_random / random_rate);
  return floor;
}

Floor floor_of(const Traffic& traffic, bool in_place, const spec::MachineRecord& machine, int threads) {
  const auto rate = [threads](const std::map<int, double>& rates) {
    const auto found = rates.find(threads);
    return found == rates.end() ? 0.0 : found->second;
  };
  return floor_of(
      traffic, in_place, machine.cache_bytes, rate(machine.copy_bytes_per_second),
      rate(traffic.scatter ? machine.random_updates_per_second : machine.random_lines_per_second));
}

}  // namespace scatterproof::runner::bench
