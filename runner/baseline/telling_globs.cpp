// SPDX-License-Identifier: Apache-2.0
#include "telling_globs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "scatterproof/runner/baseline/baseline.hpp"

namespace scatterproof::runner {
namespace {

/// By chance, as many calls match a glob as seldom as this. Calls come in some forms (docs/use/fuzz.md), so
/// they have more in common than calls drawn one by one.
const double least_chance = std::log(1e-6);

/// The failing calls of an id.
struct Calls {
  Records failures;
  std::uint64_t failed = 0;
  std::uint64_t passed = 0;
  std::vector<spec::CallGlob> globs;  ///< that all of them match

  void add(const spec::Record& record) {
    if (failures.empty())
      globs = record.call_globs;
    else
      std::erase_if(globs, [&](const spec::CallGlob& one) {
        return std::ranges::find(record.call_globs, one.glob, &spec::CallGlob::glob) ==
               record.call_globs.end();
      });
    failures.push_back(&record);
    failed += record.count;
    passed = std::max(passed, record.passed);
  }

  bool has(const std::string& glob) const {
    return std::ranges::find(globs, glob, &spec::CallGlob::glob) != globs.end();
  }

  /// The logarithm of the chance that all of them match, given the share of those that passed which do.
  double chance(const spec::CallGlob& one) const {
    const auto share = static_cast<double>(one.passed + 1) / static_cast<double>(passed + 1);
    return static_cast<double>(failed) * std::log(share);
  }
};

using CallsById = std::map<std::string, Calls>;

/// The glob that chance explains least; of equals the shortest.
std::string most_telling(const CallsById& all) {
  std::map<std::string, double> chances;
  for (const auto& [id, calls] : all)
    for (const spec::CallGlob& one : calls.globs) chances[one.glob] += calls.chance(one);
  const auto most = std::ranges::min_element(
      chances, {}, [](const auto& one) { return std::tuple(one.second, one.first.size()); });
  return most == chances.end() || most->second > least_chance ? "" : most->first;
}

}  // namespace

std::vector<ToldApart> take_told_apart(Records& failures) {
  CallsById left;
  for (const spec::Record* one : failures) left[kind_of_id(one->id)].add(*one);
  for (auto& [id, calls] : left)  // what most calls match tells nothing
    std::erase_if(calls.globs, [&](const spec::CallGlob& one) { return 2 * one.passed > calls.passed; });
  std::vector<ToldApart> told;
  for (std::string glob = most_telling(left); !glob.empty(); glob = most_telling(left)) {
    ToldApart& apart = told.emplace_back(ToldApart{.call_glob = glob, .failures = {}});
    std::erase_if(left, [&](const auto& one) {
      const Calls& calls = one.second;
      if (!calls.has(glob)) return false;
      apart.failures.insert(apart.failures.end(), calls.failures.begin(), calls.failures.end());
      return true;
    });
  }
  std::erase_if(failures, [&](const spec::Record* one) { return !left.contains(kind_of_id(one->id)); });
  return told;
}

}  // namespace scatterproof::runner
