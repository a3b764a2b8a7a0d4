// SPDX-License-Identifier: Apache-2.0
#include "summaries.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "text.hpp"

namespace scatterproof::reports {
namespace {

constexpr std::size_t most_known = 6;        // lines with a sentence each; more fold to one line an engine
constexpr std::size_t most_unsupported = 3;  // lines with a sentence each
constexpr std::size_t count_width = 8;       // of `     12 `

void put_counted(const Page& page, std::size_t n, std::string_view text) {
  page.out << fmt::format("{:>7} ", n);
  page.put_hanging(text, count_width, Colour::plain);
}

/// The ids of findings that a reason names: `F2, F3` of `sizes (F2); ranks (F3)`.
std::string findings_in(std::string_view reason) {
  std::string ids;
  for (std::size_t at = 0; (at = reason.find("(F", at)) != std::string_view::npos; ++at) {
    const std::size_t end = reason.find_first_not_of("0123456789", at + 2);
    if (end == std::string_view::npos || end == at + 2 || reason[end] != ')') continue;
    ids += fmt::format("{}{}", ids.empty() ? "" : ", ", reason.substr(at + 1, end - at - 1));
  }
  return ids;
}

/// One engine's expected failures of one name: the finding's ids, or the reason if it names none.
struct ExpectedFailures {
  std::string engine;
  std::string name;
  std::string sentence;  ///< the first reason, without ids and link; empty when it is the name
  std::size_t count = 0;
};

std::vector<ExpectedFailures> expected_failures(const KnownReasons& reasons) {
  std::vector<ExpectedFailures> all;
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  for (const auto& [engine_and_reason, n] : reasons) {
    const auto& [engine, raw] = engine_and_reason;
    const std::string reason = one_line(raw.substr(0, raw.rfind(" (http")));
    const std::string ids = findings_in(reason);
    const std::string name = !ids.empty() ? ids : reason.empty() ? "no reason given" : reason;
    const auto [place, is_new] = places.try_emplace({engine, name}, all.size());
    if (is_new)
      all.push_back({.engine = one_line(engine),
                     .name = name,
                     .sentence = ids.empty() ? "" : reason.substr(0, reason.find(" (F"))});
    all[place->second].count += n;
  }
  return all;
}

/// `     12 torch@2.13.0: an index that is expanded is... (F15)`
void print_sentence(const Page& page, const ExpectedFailures& one) {
  const std::string before = one.engine + ": ";
  const std::string after = one.sentence.empty() ? "" : fmt::format(" ({})", one.name);
  const std::size_t taken = width_of(before) + width_of(after);
  const std::size_t left = page.columns_from(count_width + taken);
  page.out << fmt::format("{:>7} {}{}{}\n", one.count, before,
                          shortened(one.sentence.empty() ? one.name : one.sentence, left), after);
}

/// `     12 torch@2.13.0: 7 F4, 5 F15`
void print_by_engine(const Page& page, std::vector<ExpectedFailures> all) {
  constexpr std::size_t longest_name = 40;
  std::ranges::stable_sort(all, [](const ExpectedFailures& a, const ExpectedFailures& b) {
    return std::tuple(a.engine, b.count, a.name.size()) < std::tuple(b.engine, a.count, b.name.size());
  });
  for (std::size_t first = 0, end = 0; first < all.size(); first = end) {
    std::size_t total = 0;
    std::vector<std::string> names;
    for (; end < all.size() && all[end].engine == all[first].engine; ++end) {
      total += all[end].count;
      names.push_back(fmt::format("{} {}", all[end].count, shortened(all[end].name, longest_name)));
    }
    put_counted(page, total, fmt::format("{}: {}", all[first].engine, fmt::join(names, ", ")));
  }
}

}  // namespace

void print_known(const Page& page, const KnownReasons& reasons) {
  if (reasons.empty()) return;
  const std::vector<ExpectedFailures> all = expected_failures(reasons);
  const bool by_engine = !page.verbose() && all.size() > most_known;
  page.out << '\n'
           << painted(page.style, Colour::yellow, "expected failures")
           << (by_engine ? " by finding (-v: in full)" : "") << '\n';
  if (page.verbose()) {
    for (const auto& [engine_and_reason, n] : reasons) {
      const auto& [engine, reason] = engine_and_reason;
      put_counted(page, n, one_line(engine + ": " + (reason.empty() ? "no reason given" : reason)));
    }
  } else if (by_engine) {
    print_by_engine(page, all);
  } else {
    for (const ExpectedFailures& one : all) print_sentence(page, one);
  }
}

void print_unsupported(const Page& page, const std::map<std::string, std::size_t>& reasons) {
  if (reasons.empty()) return;
  std::vector<std::pair<std::string, std::size_t>> all(reasons.begin(), reasons.end());
  std::ranges::stable_sort(all, std::ranges::greater(), [](const auto& one) { return one.second; });
  page.out << '\n' << painted(page.style, Colour::dim, "unsupported") << '\n';
  const bool folded = !page.verbose() && all.size() > most_unsupported;
  const std::size_t shown = folded ? most_unsupported - 1 : all.size();
  std::size_t others = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& [reason, n] = all[i];
    if (i >= shown)
      others += n;
    else if (page.verbose())
      put_counted(page, n, one_line(reason));
    else
      page.out << fmt::format("{:>7} {}\n", n, shortened(one_line(reason), page.columns_from(count_width)));
  }
  if (folded)
    put_counted(page, others, fmt::format("for {} other reasons (-v: in full)", all.size() - shown));
}

void print_unavailable(const Page& page, const std::vector<spec::EngineSummary>& engines) {
  constexpr std::size_t longest_reason = 60;
  std::vector<std::pair<std::string, std::vector<std::string>>> by_state;  // in the order of the engines
  for (const spec::EngineSummary& engine : engines) {
    if (engine.state == "ready") continue;
    auto same = std::ranges::find(by_state, engine.state, [](const auto& one) { return one.first; });
    if (same == by_state.end()) same = by_state.insert(same, {engine.state, {}});
    same->second.push_back(engine.name);
  }
  if (by_state.empty()) return;
  std::vector<std::string> folded;
  for (const auto& [state, names] : by_state) {
    std::string_view reason = state;
    if (constexpr std::string_view word = "unavailable: "; reason.starts_with(word))
      reason.remove_prefix(word.size());
    const std::string who = one_line(fmt::format("{}", fmt::join(names, ", ")));
    if (page.verbose())
      page.put_note(fmt::format("unavailable: {}: {}", who, one_line(reason)));
    else
      folded.push_back(fmt::format("{} ({})", who,
                                   shortened(one_line(reason.substr(0, reason.find('\n'))), longest_reason)));
  }
  if (!page.verbose()) page.put_note(fmt::format("unavailable: {}", fmt::join(folded, ", ")));
}

}  // namespace scatterproof::reports
