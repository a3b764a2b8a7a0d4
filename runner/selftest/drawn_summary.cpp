// SPDX-License-Identifier: Apache-2.0
// The results for drawn faults, as a table and a list.
#include <fmt/format.h>

#include <algorithm>

#include "scatterproof/runner/selftest/try_drawn.hpp"

namespace scatterproof::runner::selftest {
namespace {

/// One line of the table: what share of the faults was killed within each number of calls.
std::string row(const std::string& name, const std::vector<const TriedDrawn*>& faults,
                const std::vector<std::uint64_t>& limits) {
  const auto total =
      std::count_if(faults.begin(), faults.end(), [](const auto* one) { return one->shown.has_value(); });
  std::string line = fmt::format("{:<20}{:>7}", name, total);
  for (const std::uint64_t limit : limits) {
    const auto killed = std::count_if(faults.begin(), faults.end(),
                                      [&](const auto* one) { return one->killed && *one->killed <= limit; });
    line += total == 0
                ? fmt::format("{:>10}", "")
                : fmt::format("{:>8.1f} %", 100.0 * static_cast<double>(killed) / static_cast<double>(total));
  }
  return line + fmt::format("{:>9}\n", static_cast<std::ptrdiff_t>(faults.size()) - total);
}

template <class Group>
std::string table(std::string_view title, const std::vector<TriedDrawn>& tried,
                  const std::vector<std::uint64_t>& limits, Group group) {
  std::string text = fmt::format("{:<20}{:>7}", title, "faults");
  for (const std::uint64_t limit : limits) text += fmt::format("{:>10}", limit);
  text += fmt::format("{:>9}\n", "unshown");
  std::vector<std::pair<std::string, std::vector<const TriedDrawn*>>> groups;
  for (const TriedDrawn& one : tried) {
    const std::string name = group(one);
    auto at =
        std::find_if(groups.begin(), groups.end(), [&](const auto& other) { return other.first == name; });
    if (at == groups.end()) at = groups.insert(groups.end(), {name, {}});
    at->second.push_back(&one);
  }
  std::sort(groups.begin(), groups.end());
  for (const auto& [name, faults] : groups) text += row(name, faults, limits);
  return text + "\n";
}

std::string described(const TriedDrawn& one) {
  const std::string where = one.shown ? " in " + one.shown->call.api : "";
  const std::string met = one.shown ? fmt::format(" {} calls met this.", one.struck) : "";
  return fmt::format("faulty:{}{}  {}: {} If {}.{}\n", one.fault.name, where, one.fault.place, one.fault.says,
                     to_string(one.fault.condition), met);
}

}  // namespace

std::string summary(const std::vector<TriedDrawn>& tried, std::uint64_t cases) {
  std::vector<std::uint64_t> limits;
  for (std::uint64_t limit = 1'000; limit < cases; limit *= 10) limits.push_back(limit);
  limits.push_back(cases);
  std::string text =
      table("place", tried, limits, [](const TriedDrawn& one) { return std::string(one.fault.place); }) +
      table("condition", tried, limits, [](const TriedDrawn& one) { return kind_of(one.fault.condition); });
  std::vector<const TriedDrawn*> all;
  for (const TriedDrawn& one : tried) all.push_back(&one);
  text += row("all", all, limits) + "\n";
  for (const TriedDrawn& one : tried) {
    if (one.killed) continue;
    text += described(one);
    if (!one.shown)
      text += "    unshown: no call was found that shows it\n";
    else if (one.shown->calls_before == 0)
      text += fmt::format("    alive: {}\n", to_string(one.shown->call));
    else
      text += fmt::format("    alive: after {} other calls {}\n", one.shown->calls_before,
                          to_string(one.shown->call));
  }
  return text;
}

bool all_killed(const std::vector<TriedDrawn>& tried) {
  return std::none_of(tried.begin(), tried.end(),
                      [](const TriedDrawn& one) { return one.shown && !one.killed; });
}

}  // namespace scatterproof::runner::selftest
