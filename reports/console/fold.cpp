// SPDX-License-Identifier: Apache-2.0
#include "fold.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace scatterproof::reports {
namespace {

const Tally* cell(const std::map<std::string, Tally>& row, const std::string& engine) {
  const auto found = row.find(engine);
  return found == row.end() ? nullptr : &found->second;
}

/// Whether `wide` has the same cell wherever `narrow` has one.
bool covers(const Cells& cells, const std::string& wide, const std::string& narrow) {
  return std::ranges::all_of(cells, [&](const auto& row) {
    const Tally* one = cell(row.second, narrow);
    const Tally* other = cell(row.second, wide);
    return !one || (other && *one == *other);
  });
}

/// The column that shows everything this one shows; itself when there is none. Coverage is transitive: what
/// covers the most columns, first in order, folds into nothing.
std::size_t leader_of(const Cells& cells, const std::vector<std::string>& engines, std::size_t column) {
  for (std::size_t other = 0; other < engines.size(); ++other) {
    if (other == column || !covers(cells, engines[other], engines[column])) continue;
    if (other < column || !covers(cells, engines[column], engines[other]))
      return leader_of(cells, engines, other);
  }
  return column;
}

std::size_t height(const Cells& cells, const std::string& engine) {
  return static_cast<std::size_t>(
      std::ranges::count_if(cells, [&](const auto& row) { return cell(row.second, engine) != nullptr; }));
}

std::size_t calls_in(const Tally& tally) {
  return std::accumulate(tally.begin(), tally.end(), std::size_t{0},
                         [](std::size_t n, const auto& one) { return n + one.second; });
}

/// How many calls passed where nothing else happened, and another column says more in each of the same rows;
/// else 0.
std::size_t only_passes(const Cells& cells, const std::vector<std::string>& engines,
                        const std::string& engine) {
  std::size_t passed = 0;
  for (const auto& [api, row] : cells) {
    const Tally* own = cell(row, engine);
    if (!own) continue;
    const auto says_more = [&](const std::string& other) {
      const Tally* its = cell(row, other);
      return its && calls_in(*its) > calls_in(*own);
    };
    if (own->size() != 1 || !own->contains(Standing::passed)) return 0;
    if (std::ranges::none_of(engines, says_more)) return 0;
    passed += own->at(Standing::passed);
  }
  return passed;
}

bool has_failed(const std::map<std::string, Tally>& row) {
  return std::ranges::any_of(row, [](const auto& one) { return one.second.contains(Standing::failed); });
}

/// Failures first, then expected failures.
std::pair<std::size_t, std::size_t> failures_in(const std::map<std::string, Tally>& row) {
  std::pair<std::size_t, std::size_t> failures;
  for (const auto& [engine, tally] : row)
    for (const auto& [standing, calls] : tally) {
      if (standing == Standing::failed) failures.first += calls;
      if (standing == Standing::known || standing == Standing::flaky) failures.second += calls;
    }
  return failures;
}

void remove_empty(std::vector<Block>& blocks) {
  std::erase_if(blocks, [](const Block& block) { return block.apis.empty(); });
}

/// What a cell prints when anything was judged.
Tally judged_part(Tally tally) {
  tally.erase(Standing::open);
  tally.erase(Standing::unsupported);
  return tally;
}

using Engines = std::set<std::string>;

/// The narrowest of these sets of engines that holds all of one; itself when it is the only one.
Engines widened(const std::set<Engines>& all, const Engines& one) {
  const Engines* best = nullptr;
  for (const Engines& other : all)
    if (other.size() > one.size() && std::ranges::includes(other, one) &&
        (!best || other.size() < best->size()))
      best = &other;
  return best ? widened(all, *best) : one;
}

}  // namespace

FoldedColumns fold_columns(const Cells& cells, const std::vector<std::string>& engines) {
  FoldedColumns folded;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::string>> alike;  // by leader and height
  for (std::size_t i = 0; i < engines.size(); ++i) {
    const std::size_t leader = leader_of(cells, engines, i);
    if (leader == i)
      folded.engines.push_back(engines[i]);
    else
      alike[{leader, height(cells, engines[i])}].push_back(engines[i]);
  }
  for (const auto& [leader_and_height, names] : alike) {
    const auto& [leader, rows] = leader_and_height;
    const bool everywhere = rows == height(cells, engines[leader]);
    folded.notes.push_back(
        fmt::format("{}: as {}{}", fmt::join(names, ", "), engines[leader],
                    everywhere ? "" : fmt::format(" in {} of {} APIs", rows, cells.size())));
  }
  return folded;
}

void fold_passes(const Cells& cells, FoldedColumns& columns) {
  for (const std::string& engine : std::vector(columns.engines))
    if (const std::size_t passed = only_passes(cells, columns.engines, engine); passed > 0) {
      std::erase(columns.engines, engine);
      columns.notes.push_back(fmt::format("{}: all {} passed", engine, passed));
    }
}

std::vector<Block> blocks_of(const Cells& cells, const std::vector<std::string>& engines) {
  std::map<std::string, Engines> own;
  std::set<Engines> all;
  for (const auto& [api, row] : cells) {
    for (const std::string& engine : engines)
      if (row.contains(engine)) own[api].insert(engine);
    all.insert(own[api]);
  }
  std::map<Engines, Block> by_engines;
  for (const bool failed : {true, false})
    for (const auto& [api, row] : cells)
      if (has_failed(row) == failed && !own[api].empty())
        by_engines[widened(all, own[api])].apis.push_back(api);
  std::vector<Block> blocks;
  for (auto& [set, block] : by_engines) {
    std::ranges::copy_if(engines, std::back_inserter(block.engines),
                         [&](const auto& engine) { return set.contains(engine); });
    blocks.push_back(std::move(block));
  }
  std::ranges::sort(blocks, {}, [&](const Block& block) {
    return std::pair(!has_failed(cells.at(block.apis.front())), block.apis.front());
  });
  return blocks;
}

std::size_t lines_of(const std::vector<Block>& blocks) {
  return std::accumulate(blocks.begin(), blocks.end(), std::size_t{0},
                         [](std::size_t n, const Block& block) { return n + block.apis.size() + 2; });
}

std::vector<std::string> fold_rows(const Cells& cells, std::vector<Block>& blocks) {
  std::vector<std::string> folded;
  for (Block& block : blocks) {
    const auto is_plain = [&](const std::string& api) {
      std::set<Tally> different;
      for (const std::string& engine : block.engines)
        if (const Tally* one = cell(cells.at(api), engine)) different.insert(judged_part(*one));
      const Tally& first = *different.begin();
      return different.size() == 1 && !first.contains(Standing::failed) && !first.contains(Standing::flaky) &&
             !first.contains(Standing::known);
    };
    std::ranges::copy_if(block.apis, std::back_inserter(folded), is_plain);
    std::erase_if(block.apis, is_plain);
    std::erase_if(block.engines, [&](const std::string& engine) {
      return std::ranges::none_of(block.apis, [&](const auto& api) { return cell(cells.at(api), engine); });
    });
  }
  remove_empty(blocks);
  std::ranges::sort(folded);
  return folded;
}

std::size_t keep_worst_rows(const Cells& cells, std::size_t most, std::vector<Block>& blocks) {
  std::vector<std::string> apis;
  for (const Block& block : blocks) apis.insert(apis.end(), block.apis.begin(), block.apis.end());
  if (apis.size() <= most) return 0;
  std::ranges::stable_sort(apis, std::ranges::greater(),
                           [&](const std::string& api) { return failures_in(cells.at(api)); });
  const std::set<std::string> kept(apis.begin(), apis.begin() + static_cast<std::ptrdiff_t>(most));
  for (Block& block : blocks)
    std::erase_if(block.apis, [&](const std::string& api) { return !kept.contains(api); });
  remove_empty(blocks);
  return apis.size() - most;
}

}  // namespace scatterproof::reports
