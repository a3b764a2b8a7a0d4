// SPDX-License-Identifier: Apache-2.0
#include "practices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <string>
#include <vector>

#include "text.hpp"

namespace scatterproof::reports {
namespace {

constexpr std::size_t most_rules = 12;    // that are shown one by one without -v
constexpr std::size_t longest_rule = 26;  // longer names move what follows

/// Of a run of one engine, its name says nothing new.
bool has_one_engine(const PracticeTable& practices) {
  std::set<std::string> names;
  for (const auto& [rule, engines] : practices)
    for (const auto& [engine, practice] : engines) names.insert(engine);
  return names.size() == 1;
}

void print_rules(const PracticeTable& practices, const Page& page) {
  const bool alone = has_one_engine(practices);
  std::string api;
  for (const auto& [rule, engines] : practices) {
    if (rule.first != api) page.out << one_line(api = rule.first) << '\n';
    std::map<std::string, std::vector<std::string>> alike;
    for (const auto& [engine, practice] : engines) alike[practice.text()].push_back(engine);
    std::vector<std::string> words;
    for (const auto& [text, who] : alike)
      words.push_back(alone ? text : fmt::format("{}: {}", text, fmt::join(who, ", ")));
    const std::string before = fmt::format("  {:<{}} ", one_line(rule.second), longest_rule);
    page.out << before;
    page.put_hanging(one_line(fmt::format("{}", fmt::join(words, "; "))), width_of(before), Colour::dim);
  }
}

void print_engines(const PracticeTable& practices, const Page& page) {
  std::map<std::string, std::map<Practice::Kind, std::size_t>> counts;
  for (const auto& [rule, engines] : practices)
    for (const auto& [engine, practice] : engines) ++counts[engine][practice.kind()];
  for (const auto& [engine, of] : counts) {
    std::vector<std::string> words;
    for (const auto& [kind, rules] : of) words.push_back(fmt::format("{} {}", rules, name(kind)));
    page.put_note(one_line(fmt::format("{}, rules: {}", engine, fmt::join(words, ", "))));
  }
}

}  // namespace

void print(const PracticeTable& practices, const Page& page) {
  if (practices.empty()) return;
  const bool each = page.verbose() || practices.size() <= most_rules;
  page.out << '\n'
           << painted(page.style, Colour::dim, "where calls break a rule") << (each ? "" : " (-v: each rule)")
           << '\n';
  each ? print_rules(practices, page) : print_engines(practices, page);
}

}  // namespace scatterproof::reports
