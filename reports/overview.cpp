// SPDX-License-Identifier: Apache-2.0
#include "overview.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace scatterproof::reports {
namespace {

/// Which of a cell's standings stands for it.
constexpr std::array first_to_last = {Standing::failed,     Standing::flaky, Standing::known,
                                      Standing::passed,     Standing::weak,  Standing::open,
                                      Standing::unsupported};

std::size_t calls_of(const Tally& tally, Standing standing) {
  const auto found = tally.find(standing);
  return found == tally.end() ? 0 : found->second;
}

}  // namespace

std::string words_of(const Tally& tally) {
  std::vector<std::string> words;
  if (const std::size_t n = calls_of(tally, Standing::passed); n > 0) words.push_back(std::to_string(n));
  for (const Standing standing : {Standing::weak, Standing::failed, Standing::flaky, Standing::known})
    if (const std::size_t n = calls_of(tally, standing); n > 0)
      words.push_back(fmt::format("{} {}", n, word(standing)));
  if (words.empty())  // what was not judged does not matter next to what was
    for (const Standing standing : {Standing::open, Standing::unsupported})
      if (const std::size_t n = calls_of(tally, standing); n > 0)
        words.push_back(fmt::format("{} {}", n, word(standing)));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string spelled_out(const Tally& tally) {
  std::vector<std::string> words;
  for (const auto& [how, n] : tally) words.push_back(fmt::format("{} {}", n, word(how)));
  return fmt::format("{}", fmt::join(words, ", "));
}

Standing mark_of(const Tally& tally) {
  return *std::ranges::find_if(first_to_last,
                               [&](Standing standing) { return calls_of(tally, standing) > 0; });
}

std::string counted(std::size_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::size_t stale_in(const spec::Header& header, const spec::Trailer& trailer) {
  return static_cast<std::size_t>(std::ranges::count_if(
      trailer.stale, [&](const spec::StaleEntry& entry) { return fails(header, entry); }));
}

void RunCounts::add(const spec::Record& record) {
  calls.add(record.verdict, record.disposition, record.count);
  const Standing how = standing(record);
  failures += how == Standing::failed;
  flaky += how == Standing::flaky;
  offered = offered || record.verdict != spec::Verdict::unsupported;
}

Conclusion conclusion(const spec::Header& header, const spec::Trailer& trailer, const RunCounts& counts) {
  std::vector<std::string> words;
  if (trailer.ended.empty()) words.emplace_back("cut off (the stream has no end)");
  if (trailer.interrupted) words.emplace_back("interrupted");
  const bool whole = words.empty();
  if (counts.failures > 0)
    words.push_back(counted(counts.failures, "unexpected failure", "unexpected failures"));
  const std::size_t stale = stale_in(header, trailer), allowed = trailer.stale.size() - stale;
  if (stale > 0) words.push_back(counted(stale, "stale baseline entry", "stale baseline entries"));
  if (allowed > 0) words.push_back(counted(allowed, "fixed baseline entry", "fixed baseline entries"));
  if (counts.flaky > 0) words.push_back(counted(counts.flaky, "flaky call", "flaky calls"));
  if (!trailer.gates.empty()) words.push_back(counted(trailer.gates.size(), "failed gate", "failed gates"));
  const bool clean = counts.failures == 0 && stale == 0 && trailer.gates.empty() &&
                     (counts.flaky == 0 || !header.fail_on_flaky);
  if (clean)
    words.emplace_back(counts.calls.all() == 0 ? "nothing ran"
                       : !whole                ? "as expected so far"
                       : counts.offered        ? "as expected"
                                               : "every call is unsupported");
  words.push_back(headline(counts.calls, header.planned));
  using enum Conclusion::Mood;
  return {fmt::format("{}", fmt::join(words, ", ")), !clean                             ? bad
                                                     : whole && counts.calls.judged > 0 ? good
                                                                                        : unsure};
}

std::string words_of(const spec::Reach& reach) {
  std::string words =
      fmt::format("{} was reached by {} of {} calls", reach.engine, reach.reached, reach.calls);
  for (std::size_t i = 0; i < reach.never.size(); ++i)
    words += fmt::format("{} {}", i == 0 ? "; by none" : ", none", reach.never[i]);
  return words;
}

std::string words_of(const spec::Skipped& skipped) {
  return fmt::format("skipped after 3 time-outs: {} of {} on {}", counted(skipped.calls, "call", "calls"),
                     skipped.api, skipped.engine);
}

std::string unreached_words(const spec::Trailer& trailer, bool all) {
  constexpr std::size_t few = 3;
  const std::vector<std::string>& apis = trailer.unreached;
  if (apis.empty()) return "";
  const std::size_t shown = all || apis.size() <= few + 1 ? apis.size() : few;
  std::string words =
      fmt::format("{} of the chosen APIs had no call: {}", apis.size(),
                  fmt::join(apis.begin(), apis.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < apis.size()) words += fmt::format(" and {} more", apis.size() - shown);
  return words;
}

void Overview::run_started(const spec::Header& header) {
  header_ = header;
  names_ = ShownNames(header.engines);
  for (spec::EngineSummary& engine : header_.engines) {
    engine.name = names_.of(engine.name);
    engines_.push_back(engine.name);
  }
}

void Overview::call_judged(const spec::Record& judged) {
  spec::Record renamed;
  const spec::Record& record = names_.shown(judged, renamed);
  const Standing how = standing(record);
  totals_.add(record);
  cells_[record.api][record.engine][how] += record.count;
  Count& count = counts_[record.api][record.engine][record.verdict];
  count.calls += record.count;
  if (how == Standing::known || how == Standing::flaky) count.known += record.count;
  if (std::ranges::find(engines_, record.engine) == engines_.end()) engines_.push_back(record.engine);
  add(record, practices_);
  if (fails(header_, record))
    failures_.add(record);
  else if (how == Standing::known || how == Standing::flaky)
    known_.add(record);
}

std::vector<std::string> Overview::engines() const {
  std::vector<std::string> judged;
  std::ranges::copy_if(engines_, std::back_inserter(judged), [&](const std::string& engine) {
    return std::ranges::any_of(cells_, [&](const auto& row) { return row.second.contains(engine); });
  });
  return judged;
}

std::vector<std::string> Overview::apis() const {
  std::vector<std::string> apis;
  for (const auto& [api, row] : cells_) apis.push_back(api);
  const auto rank = [&](const std::string& api) {
    const auto has = [&](Standing standing) {
      return std::ranges::any_of(cells_.at(api),
                                 [&](const auto& one) { return one.second.contains(standing); });
    };
    return has(Standing::failed) ? 0 : has(Standing::flaky) || has(Standing::known) ? 1 : 2;
  };
  std::ranges::stable_sort(apis, {}, rank);
  return apis;
}

Overview::Count Overview::count(spec::Verdict verdict) const {
  Count sum;
  for (const auto& [api, row] : counts_)
    for (const auto& [engine, of] : row)
      if (const auto found = of.find(verdict); found != of.end()) {
        sum.calls += found->second.calls;
        sum.known += found->second.known;
      }
  return sum;
}

const std::map<spec::Verdict, Overview::Count>& Overview::counts(const std::string& api,
                                                                 const std::string& engine) const {
  return counts_.at(api).at(engine);
}

}  // namespace scatterproof::reports
