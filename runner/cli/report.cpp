// SPDX-License-Identifier: Apache-2.0
// `report`: renders stored streams again, several as one run.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <tuple>

#include "cli.hpp"
#include "history/past.hpp"
#include "options.hpp"
#include "scatterproof/reports/timing.hpp"
#include "sinks.hpp"
#include "version.hpp"

namespace scatterproof::runner::cli {
namespace {

struct NamedRun {
  std::string path;
  spec::Run run;
};

using Pair = std::pair<std::string, std::string>;  // a case's id and an engine

/// One engine cannot have two versions: their verdicts would stand under one name.
spec::Errors other_versions(std::span<const NamedRun> runs) {
  std::map<std::string, std::pair<std::string, std::string>> seen;  // engine: version, path
  for (const auto& [path, run] : runs)
    for (const spec::Record& record : run.records) {
      const auto& [version, first] = seen.try_emplace(record.engine, record.version, path).first->second;
      if (version != record.version)
        return {{.file = path,
                 .what = fmt::format("engine '{}' has version {} here and {} in {}", record.engine,
                                     record.version, version, first),
                 .hint = "report these streams apart"}};
    }
  return {};
}

/// Where two streams have records of the same case on the same engine, those of the later stream count. Says so.
std::vector<spec::Record> records_that_count(std::span<NamedRun> runs) {
  std::map<Pair, std::size_t> counts;  // by which stream
  std::map<std::pair<std::size_t, std::size_t>, std::size_t>
      doubled;  // streams: pairs of which the second counts
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const spec::Record& record : runs[i].run.records) {
      // Within one stream several records may have the same id and engine: kinds of generated calls.
      const auto [place, is_new] = counts.try_emplace({record.id, record.engine}, i);
      if (place->second == i) continue;
      ++doubled[{place->second, i}];
      place->second = i;
    }
  }
  for (const auto& [streams, n] : doubled)
    say(fmt::format("{} and {} both judged {} on the same engine: what {} says counts",
                    runs[streams.first].path, runs[streams.second].path,
                    n == 1 ? "1 case" : fmt::format("{} cases", n), runs[streams.second].path));
  std::vector<spec::Record> records;
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (spec::Record& record : runs[i].run.records)
      if (counts.at({record.id, record.engine}) == i) records.push_back(std::move(record));
  return records;
}

/// `a; b`, each once.
std::string joined(std::span<const NamedRun> runs, std::string spec::Header::*field) {
  std::vector<std::string> words;
  for (const NamedRun& one : runs)
    if (const std::string& word = one.run.header.*field;
        !word.empty() && std::ranges::find(words, word) == words.end())
      words.push_back(word);
  return fmt::format("{}", fmt::join(words, "; "));
}

spec::Header joined_header(std::span<const NamedRun> runs) {
  spec::Header header = runs.front().run.header;
  header.command_line = joined(runs, &spec::Header::command_line);
  header.machine = joined(runs, &spec::Header::machine);
  header.host = joined(runs, &spec::Header::host);
  header.tool_version = joined(runs, &spec::Header::tool_version);
  header.run.clear();  // it is no run of its own, and no shard
  header.shard.clear();
  for (const NamedRun& one : runs.subspan(1)) {
    header.allow_fixed = header.allow_fixed && one.run.header.allow_fixed;
    header.fail_on_flaky = header.fail_on_flaky || one.run.header.fail_on_flaky;
    header.stream_version = std::min(header.stream_version, one.run.header.stream_version);
    header.started = std::min(header.started, one.run.header.started);
    header.planned += one.run.header.planned;
    header.libraries.insert(one.run.header.libraries.begin(), one.run.header.libraries.end());
    for (const spec::EngineSummary& engine : one.run.header.engines) {
      const auto found = std::ranges::find(header.engines, engine.name, &spec::EngineSummary::name);
      if (found == header.engines.end())
        header.engines.push_back(engine);
      else if (found->state != "ready")
        *found = engine;  // it took part somewhere
    }
  }
  return header;
}

/// None if any stream was cut off.
std::optional<spec::Trailer> joined_trailer(std::span<const NamedRun> runs, const spec::Header& header,
                                            std::span<const spec::Record> records) {
  spec::Trailer trailer;
  std::set<std::tuple<std::string, int, std::string>> stale;
  bool errors = false;
  for (const auto& [path, run] : runs) {
    if (!run.trailer) return std::nullopt;
    trailer.ended = std::max(trailer.ended, run.trailer->ended);
    trailer.interrupted = trailer.interrupted || run.trailer->interrupted;
    errors = errors || run.trailer->exit_code == usage;
    for (const spec::StaleEntry& entry : run.trailer->stale)
      if (stale.emplace(entry.file, entry.line, entry.text).second) trailer.stale.push_back(entry);
  }
  trailer.records = records.size();
  const auto fails_it = [&](const auto& one) { return fails(header, one); };
  const auto is_unsupported = [](const auto& one) { return one.verdict == spec::Verdict::unsupported; };
  trailer.exit_code = errors                ? usage
                      : trailer.interrupted ? interrupted
                      : std::ranges::any_of(records, fails_it) || std::ranges::any_of(trailer.stale, fails_it)
                          ? unexpected
                      : std::ranges::all_of(records, is_unsupported) ? nothing_ran
                                                                     : as_expected;
  return trailer;
}

/// Several streams as one run.
spec::Result<spec::Run> joined_run(std::span<NamedRun> runs) {
  if (spec::Errors errors = other_versions(runs); !errors.empty()) return errors;
  spec::Run run;
  run.header = joined_header(runs);
  std::size_t all = 0;
  for (const NamedRun& one : runs) all += one.run.records.size();
  run.records = records_that_count(runs);
  run.header.planned -= std::min(run.header.planned, all - run.records.size());  // those were planned twice
  run.trailer = joined_trailer(runs, run.header, run.records);
  return run;
}

spec::Result<spec::Run> read_as_one(const std::vector<std::string>& paths) {
  if (paths.size() == 1) return spec::read_stream(paths.front());
  std::vector<NamedRun> runs;
  for (const std::string& path : paths) {
    auto run = spec::read_stream(path);
    if (!run) return run.errors();
    runs.push_back({path, std::move(run).value()});
  }
  return joined_run(runs);
}

struct ReportFlags {
  std::vector<std::string> streams;  ///< of runs and of benchmarks
  std::vector<std::string> wanted;
  bool history = false;
  std::string place;  ///< of the history; empty: the usual one
  int verbosity = 0;
};

/// How many runs a sparkline shows.
constexpr std::size_t runs_shown = 30;

/// The streams of runs; those of benchmarks go into `timings`.
spec::Result<std::vector<std::string>> apart(const std::vector<std::string>& paths,
                                             std::vector<spec::TimingRun>& timings) {
  std::vector<std::string> runs;
  for (const std::string& path : paths) {
    if (!spec::is_timing_stream(path)) {
      runs.push_back(path);
      continue;
    }
    auto timing = spec::read_timings(path);
    if (!timing) return timing.errors();
    timings.push_back(std::move(timing).value());
  }
  return runs;
}

/// Benchmarks without a run: as a table, or as a page.
int report_timings(const std::vector<spec::TimingRun>& timings, const ReportFlags& flags,
                   const reports::Style& style) {
  if (flags.history)
    return usage_error({{.what = "--history needs the stream of a run, and there are only benchmarks"}});
  if (flags.wanted.empty())
    for (const spec::TimingRun& one : timings) reports::print_timing_table(std::cout, style, one);
  for (const std::string& wanted : flags.wanted) {
    const std::size_t equals = wanted.find('=');
    const std::string path = equals == std::string::npos ? "-" : wanted.substr(equals + 1);
    if (wanted.substr(0, equals) != "html")
      return usage_error(
          {{.what = fmt::format("the report {} does not show benchmarks", wanted.substr(0, equals)),
            .hint = "--report html=PATH does; without --report they are a table"}});
    std::ostringstream page;
    reports::write_timing_page(path == "-" ? std::cout : page, timings, tool_version());
    if (path == "-") continue;
    if (spec::Errors errors = write_file(path, [&] { return page.str(); }); !errors.empty())
      return usage_error(errors);
  }
  return as_expected;
}

int report_run(const spec::Run& run, const std::vector<spec::TimingRun>& timings, const ReportFlags& flags,
               const reports::Style& style) {
  reports::Past past;
  if (flags.history) {
    auto history = history::History::open_existing(flags.place);
    if (!history) return usage_error(history.errors());
    auto found = history::past_of(history.value(), run, runs_shown);
    if (!found) return usage_error(found.errors());
    past = std::move(found).value();
    if (past.runs.size() < 2) say("note: the history has no run before this one");
  }
  auto sinks = Sinks::open(flags.wanted, flags.wanted.empty(), style);
  if (!sinks) return usage_error(sinks.errors());
  (*sinks)->past_known(past);
  for (const spec::TimingRun& one : timings) (*sinks)->timed(one);
  reports::replay(run, **sinks);
  if (const std::string failed = (*sinks)->failed(); !failed.empty()) return usage_error({{.what = failed}});
  return run.trailer ? run.trailer->exit_code : static_cast<int>(interrupted);
}

int report(const ReportFlags& flags, const Context& context) {
  auto style = terminal_style(context);
  style.verbosity = flags.verbosity;
  std::vector<spec::TimingRun> timings;
  const auto streams = apart(flags.streams, timings);
  if (!streams) return usage_error(streams.errors());
  if (streams->empty()) return report_timings(timings, flags, style);
  const auto run = read_as_one(*streams);
  return run ? report_run(*run, timings, flags, style) : usage_error(run.errors());
}

}  // namespace

void add_report(CLI::App& app, Context& context) {
  CLI::App* verb = add_verb(
      app, context,
      {.name = "report",
       .purpose = "Render the stream of an earlier run again, or several streams as one run",
       .examples = {{"scatterproof report run.jsonl --report junit=results.xml", "as another kind of report"},
                    {"scatterproof report shard-*.jsonl --report html=results.html",
                     "the parts of a run as one"},
                    {"scatterproof report run.jsonl results/timings.jsonl --history --report html=run.html",
                     "with earlier runs and times"}},
       .group = "Inspect"});
  auto flags = std::make_shared<ReportFlags>();
  verb->add_option("stream", flags->streams,
                   "The stream: what --report jsonl=PATH wrote. Where several have a case on the same "
                   "engine, the last one counts. A timings.jsonl of bench adds its times to a page of HTML")
      ->type_name("STREAM")
      ->required()
      ->check(existing_path());
  add_reports(*verb, flags->wanted, flags->verbosity);
  auto* history = verb->add_flag("--history", flags->history,
                                 "Show in a page of HTML what became of each API and engine in earlier runs")
                      ->group(group::report);
  verb->add_option("--db", flags->place,
                   "The history: a file, or postgresql://... [env: SCATTERPROOF_HISTORY]")
      ->type_name("PLACE")
      ->default_str("history.db beside the kept runs")
      ->needs(history)
      ->group(group::report);
  verb->callback([flags, &context] { context.exit_code = report(*flags, context); });
}

}  // namespace scatterproof::runner::cli
