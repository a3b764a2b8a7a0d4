// SPDX-License-Identifier: Apache-2.0
#include "gates.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "options.hpp"
#include "scatterproof/runner/cli/cli.hpp"
#include "scatterproof/runner/history/history.hpp"
#include "scatterproof/spec/cases/coverage.hpp"
#include "scatterproof/spec/record/engine_name.hpp"
#include "scatterproof/spec/record/timing.hpp"

namespace scatterproof::runner::cli {
namespace {

/// With fewer runs, one slow run would decide; with five, being slower than each of them by chance is one in
/// six.
constexpr std::size_t least_earlier_runs = 5;
/// The newest that count: what was long ago says little of now.
constexpr std::size_t most_earlier_runs = 20;
/// How far back comparable runs are looked for.
constexpr int most_runs_read = 1000;

/// The words of a command line as `shell_word` wrote them, still quoted.
std::vector<std::string> words_of_line(const std::string& line) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (const char c : line) {
    quoted ^= c == '\'';
    if (c == ' ' && !quoted)
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

/// What a run was asked for: its command line without the program, and without options that change neither
/// its calls nor how they are judged.
std::vector<std::string> work_of(const spec::Header& header) {
  static const std::set<std::string> beside{"--report", "--record",       "--save",          "--color",
                                            "--seed",   "--min-coverage", "--min-throughput"};
  const std::vector<std::string> words = words_of_line(header.command_line);
  std::vector<std::string> work;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto equals = words[i].find('=');
    if (!beside.contains(words[i].substr(0, equals)))
      work.push_back(words[i]);
    else if (equals == std::string::npos)
      ++i;
  }
  return work;
}

std::set<std::string> engines_without_releases(const spec::Header& header) {
  std::set<std::string> names;
  for (const spec::EngineSummary& engine : header.engines)
    if (engine.state == "ready") names.insert(spec::without_release(engine.name));
  return names;
}

/// Whether the two should be about as fast: the same work, on the same machine. Releases of engines may
/// differ: that one of them is slower is worth reporting.
bool is_comparable(const spec::Run& earlier, const spec::Header& now) {
  const spec::Header& then = earlier.header;
  return earlier.trailer->calls_per_second > 0 && !earlier.trailer->interrupted && then.run != now.run &&
         then.host == now.host && then.machine == now.machine && then.jobs == now.jobs &&
         then.shard == now.shard && work_of(then) == work_of(now) && then.planned <= 2 * now.planned &&
         now.planned <= 2 * then.planned && engines_without_releases(then) == engines_without_releases(now);
}

/// Calls per second of the newest comparable runs.
spec::Result<std::vector<double>> earlier_rates(const spec::Header& now) {
  const std::string place = history::usual_place();
  std::vector<double> rates;
  if (place.empty() || !history::may_exist(place)) return rates;
  auto opened = history::History::open_existing(place);
  if (!opened) return opened.errors();
  history::History history = std::move(opened).value();
  const auto runs = history.newest_ends(most_runs_read);
  if (!runs) return runs.errors();
  for (const spec::Run& run : *runs)
    if (rates.size() < most_earlier_runs && is_comparable(run, now))
      rates.push_back(run.trailer->calls_per_second);
  return rates;
}

void say_unchecked(const char* gate, const std::string& why) {
  say(fmt::format("note: gate {} is not checked: {}", gate, why));
}

std::optional<std::string> coverage_failure(double least, const SidesCovered& sides) {
  if (sides.all == 0) return fmt::format("nothing ran that has rules, at least {} % is wanted", least);
  const double covered = 100 * static_cast<double>(sides.covered) / static_cast<double>(sides.all);
  if (covered >= least) return std::nullopt;
  return fmt::format("{:.1f} % of the sides of rules are covered ({} of {}), at least {} % is wanted",
                     covered, sides.covered, sides.all, least);
}

std::optional<std::string> throughput_failure(double least, const spec::Header& header, double rate) {
  if (rate == 0) {
    say_unchecked("min-throughput", "a resumed run, or one in which nothing was executed, has no throughput");
    return std::nullopt;
  }
  const auto rates = earlier_rates(header);
  if (!rates) {
    say_unchecked("min-throughput", rates.errors().front().what);
    return std::nullopt;
  }
  if (rates->size() < least_earlier_runs) {
    say_unchecked("min-throughput", fmt::format("the history holds {} runs like this one, {} are needed",
                                                rates->size(), least_earlier_runs));
    return std::nullopt;
  }
  const spec::Spread earlier = spec::spread(*rates);
  const double share = 100 * rate / earlier.median;
  if (share >= least || rate >= earlier.minimum) return std::nullopt;
  return fmt::format(
      "{:.4g} calls executed per second are {:.0f} % of the median of {} earlier runs ({:.4g}) and fewer "
      "than "
      "in each, at "
      "least {} % is wanted",
      rate, share, rates->size(), earlier.median, least);
}

}  // namespace

CLI::Option* add_gates(CLI::App& verb, GateFlags& flags) {
  add_percent(
      verb, "--min-throughput", flags.min_throughput,
      "Fail if fewer calls are executed per second than this share of the median of earlier runs like "
      "this one, in the history")
      ->group(group::judge);
  return add_percent(verb, "--min-coverage", flags.min_coverage,
                     "Fail if fewer sides of the rules are covered, of all APIs that take part")
      ->group(group::judge);
}

SidesCovered sides_covered(const Catalogue& catalogue,
                           const std::vector<std::unique_ptr<engines::Engine>>& engines,
                           const std::set<std::string>& answered) {
  SidesCovered sides;
  std::vector<spec::Case> cases;
  std::set<std::string> apis;
  for (const spec::Case& one : catalogue.cases) {
    apis.insert(one.call.api);
    if (!one.rule.empty() && answered.contains(one.id)) cases.push_back(one);
  }
  const auto is_offered = [&](const std::string& api) {
    return std::ranges::any_of(engines, [&](const auto& engine) { return engine->info().offers(api); });
  };
  for (const spec::OpSpec& op : catalogue.specs.all()) {
    if (!apis.contains(op.api) || !is_offered(op.api)) continue;
    spec::Errors problems;  // of cases that contradict themselves: they do not count
    for (const spec::RuleCoverage& rule : spec::coverage(op, cases, problems)) {
      sides.all += 2;
      sides.covered += (rule.obeys.empty() ? 0U : 1U) + (rule.breaks.empty() ? 0U : 1U);
    }
  }
  return sides;
}

std::vector<spec::FailedGate> failed_gates(const GateFlags& flags, const spec::Header& header,
                                           const spec::Trailer& trailer, const SidesCovered* sides) {
  std::vector<spec::FailedGate> failed;
  if (flags.min_coverage && sides)
    if (const auto text = coverage_failure(*flags.min_coverage, *sides))
      failed.push_back({"min-coverage", *text});
  if (flags.min_throughput)
    if (const auto text = throughput_failure(*flags.min_throughput, header, trailer.calls_per_second))
      failed.push_back({"min-throughput", *text});
  return failed;
}

}  // namespace scatterproof::runner::cli
