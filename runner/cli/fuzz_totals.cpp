// SPDX-License-Identifier: Apache-2.0
#include "fuzz_totals.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "scatterproof/reports/counts.hpp"
#include "scatterproof/runner/cli/cli.hpp"

namespace scatterproof::runner::cli {
namespace {

constexpr std::uint64_t few_calls_an_api = 10;

/// With those of calls that were replayed.
reports::CallCounts counts_of(const fuzz::FuzzResult& fuzzed, reports::CallCounts counts) {
  for (const auto& [kind, tally] : fuzzed.kinds)
    counts.add(kind.verdict, kind.known.empty() ? spec::Disposition::unexpected : spec::Disposition::known,
               tally.count);
  return counts;
}

/// Why there are fewer calls than were asked for; empty when there are not.
std::string why_fewer(const FuzzFlags& flags, const fuzz::FuzzResult& fuzzed,
                      const fuzz::Campaign& campaign) {
  if (campaign.calls == 0) return "";
  std::vector<std::string> reasons;
  if (fuzzed.fruitless > 0)
    reasons.push_back(fmt::format("for {} numbers no call was found{}", fuzzed.fruitless,
                                  flags.rule.empty() ? "" : " that breaks this rule alone"));
  if (was_interrupted()) reasons.emplace_back("the run was interrupted");
  if (flags.stop_at_first && fuzzed.failed > 0)
    reasons.emplace_back("it stopped at the first new failure (-x)");
  if (reasons.empty()) return "";
  return fmt::format("fewer calls than asked for: {}", fmt::join(reasons, "; "));
}

}  // namespace

std::vector<spec::Skipped> skipped_in(const fuzz::FuzzResult& fuzzed) {
  std::vector<spec::Skipped> skipped;
  for (const auto& [what, calls] : fuzzed.skipped)
    skipped.push_back({.engine = what.first, .api = what.second, .calls = calls});
  return skipped;
}

std::vector<std::string> unreached_by(const fuzz::FuzzResult& fuzzed, const fuzz::Campaign& campaign) {
  std::vector<std::string> apis;
  for (const spec::OpSpec* op : campaign.apis)
    if (!fuzzed.reached.contains(op->api)) apis.push_back(op->api);
  return apis;
}

void say_totals(const FuzzFlags& flags, const fuzz::FuzzResult& fuzzed, std::size_t saved,
                const fuzz::Campaign& campaign, const Replayed& replayed) {
  if (saved > 0)
    say(fmt::format("{} saved in {}",
                    saved == 1 ? "1 failing call is" : fmt::format("{} failing calls are", saved),
                    flags.save));
  if (const std::string why = why_fewer(flags, fuzzed, campaign); !why.empty()) say(why);
  if (fuzzed.left_out > 0)
    say(fmt::format("{} calls were left out because most calls like them crashed or hung", fuzzed.left_out));
  const std::string of_earlier_runs =
      replayed.calls > 0 ? fmt::format(", {} of them saved before", replayed.calls) : "";
  say(fmt::format("{} calls made{}: {}; seed {}, digest {:016x}", fuzzed.made + replayed.calls,
                  of_earlier_runs, reports::headline(counts_of(fuzzed, replayed.counts)), campaign.seed,
                  fuzzed.digest));
  if (campaign.seconds > 0 && fuzzed.made < few_calls_an_api * campaign.apis.size())
    say("few calls: the first run also finds forms of calls, which are kept; run it again, or give it more "
        "time");
}

}  // namespace scatterproof::runner::cli
