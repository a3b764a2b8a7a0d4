// SPDX-License-Identifier: Apache-2.0
// `history`: every run that was added, how verdicts changed, and since when.
#include "scatterproof/runner/history/history.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "options.hpp"
#include "scatterproof/reports/counts.hpp"
#include "scatterproof/runner/baseline/baseline.hpp"
#include "scatterproof/runner/cli/cli.hpp"
#include "scatterproof/runner/files/state.hpp"
#include "scatterproof/runner/run/sinks.hpp"
#include "scatterproof/runner/select/select.hpp"
#include "scatterproof/spec/core/text.hpp"
#include "streams.hpp"

namespace scatterproof::runner::cli {
namespace {

using history::History;

struct HistoryFlags {
  std::string place;
  std::vector<std::string> streams;
  std::string run;
  std::string api;
  std::string engine;
  std::string id = "*";
  std::string output;
  std::uint64_t keep = 0;  ///< 0: nothing is to be removed
};

/// An open history; only `history add` creates one that does not exist yet.
spec::Result<History> open_history(const HistoryFlags& flags) {
  const std::string place = flags.place.empty() ? history::usual_place() : flags.place;
  if (!flags.streams.empty() && !place.empty()) return History::open(place);
  return History::open_existing(place, flags.keep > 0 ? history::Use::change : history::Use::read);
}

std::string short_id(const std::string& run) { return run.substr(0, 12); }

int add_runs(const HistoryFlags& given) {
  HistoryFlags flags = given;
  if (flags.streams.empty()) flags.streams = kept_streams();
  if (flags.streams.empty())
    return usage_error({{.what = "no run kept a stream", .hint = "name the streams to add"}});
  auto opened = open_history(flags);
  if (!opened) return usage_error(opened.errors());
  History history = std::move(opened).value();
  spec::Errors errors;
  for (const std::string& path : flags.streams) {
    auto stream = spec::StreamFile::open(path);
    const spec::StoredRun run = stream ? stored(std::move(stream).value()) : spec::StoredRun();
    const auto added = run.each ? history.add(run) : spec::Result<history::Added>(stream.errors());
    if (!added) {
      errors.insert(errors.end(), added.errors().begin(), added.errors().end());
      continue;
    }
    const char* words = *added == history::Added::added       ? "added"
                        : *added == history::Added::completed ? "completed"
                                                              : "was there already";
    fmt::print("{} {}: {} calls, {}\n", short_id(history::id_of(run.header)), path, run.records, words);
  }
  return errors.empty() ? static_cast<int>(as_expected) : usage_error(errors);
}

int list_runs(History& history, const HistoryFlags&) {
  const auto runs = history.runs();
  if (!runs) return usage_error(runs.errors());
  for (const history::RunEntry& one : *runs)
    fmt::print("{}  {}  {:>6} calls  {}  {}\n", short_id(one.run), one.started, one.calls,
               one.complete ? fmt::format("exit code {}", one.exit_code) : "cut off",
               spec::one_line(one.command_line));
  if (runs->empty()) fmt::print("the history holds no run\n");
  return runs->empty() ? nothing_ran : as_expected;
}

/// As it was printed, or as the stream that it was.
int render(const spec::StoredRun& run, const std::vector<std::string>& wanted, bool console,
           const reports::Style& style) {
  auto sinks = Sinks::open(wanted, console, style);
  if (!sinks) return usage_error(sinks.errors());
  if (const spec::Errors errors = reports::replay(run, *sinks.value()); !errors.empty())
    return usage_error(errors);
  if (const std::string failed = sinks.value()->failed(); !failed.empty())
    return usage_error({{.what = failed}});
  return as_expected;
}

int show_run(History& history, const HistoryFlags& flags, const reports::Style& style) {
  auto run = history.run(flags.run);
  if (!run) return usage_error(run.errors());
  return render(stored(std::move(run).value()), {}, true, style);
}

int export_run(History& history, const HistoryFlags& flags, const reports::Style& style) {
  auto run = history.run(flags.run);
  if (!run) return usage_error(run.errors());
  return render(stored(std::move(run).value()), {"jsonl=" + flags.output}, false, style);
}

/// One engine in one run.
struct Point {
  reports::CallCounts counts;
  std::map<spec::Verdict, std::uint64_t> judged;
};

/// `3 calls judged, of them 1 failed; not judged: 4 open. Judged: 2 pass, 1 mismatch; 0.00 % flaky`
std::string words_of(const Point& point) {
  const reports::CallCounts& counts = point.counts;
  if (counts.judged == 0) return reports::headline(counts);
  std::vector<std::string> words;
  for (const auto& [verdict, calls] : point.judged)
    words.push_back(fmt::format("{} {}", calls, name(verdict)));
  return fmt::format("{}. Judged: {}; {:.2f} % flaky", reports::headline(counts), fmt::join(words, ", "),
                     100 * static_cast<double>(counts.flaky) / static_cast<double>(counts.judged));
}

int show_trend(History& history, const HistoryFlags& flags) {
  const auto counts = history.counts(flags.api, flags.engine);
  if (!counts) return usage_error(counts.errors());
  std::map<std::tuple<std::string, std::string, std::string, std::string>, Point> points;  // the oldest first
  for (const history::Count& one : *counts) {
    Point& point = points[{one.started, one.run, one.engine, one.version}];
    point.counts.add(one.verdict, one.disposition, one.calls);
    if (reports::is_judged(one.verdict)) point.judged[one.verdict] += one.calls;
  }
  for (const auto& [key, point] : points) {
    const auto& [started, run, engine, version] = key;
    fmt::print("{}  {}  {} {}  {}\n", started, short_id(run), spec::one_line(engine), spec::one_line(version),
               words_of(point));
  }
  if (points.empty()) fmt::print("no run in the history has such calls\n");
  return points.empty() ? nothing_ran : as_expected;
}

/// Where a call went wrong, as far as the runs say.
struct Track {
  const history::CallEntry* last_good = nullptr;  ///< before `first_bad`
  const history::CallEntry* first_bad =
      nullptr;  ///< since when every run that judged the call failed; null: none
};

void follow(Track& track, const history::CallEntry& call) {
  using spec::Verdict;
  if (!reports::is_judged(call.verdict) && call.verdict != Verdict::disputed) return;  // it says nothing
  if (!is_failure(call.verdict) || call.disposition == spec::Disposition::flaky) {
    // Of generated calls of one kind some may fail and others not.
    if (track.first_bad && track.first_bad->run == call.run) return;
    track = {&call, nullptr};
  } else if (!track.first_bad) {
    track.first_bad = &call;
  }
}

int hint_bisection(History& history, const HistoryFlags& flags) {
  const auto calls = history.calls_that_failed(flags.engine);
  if (!calls) return usage_error(calls.errors());
  std::map<std::pair<std::string, std::string>, Track> tracks;
  for (const history::CallEntry& call : *calls)
    if (matches_glob(flags.id, call.id)) follow(tracks[{call.id, call.engine}], call);
  const auto named = [](const history::CallEntry& call) {
    return fmt::format("{} of {} ({} {})", short_id(call.run), call.started, spec::one_line(call.engine),
                       spec::one_line(call.version));
  };
  bool any = false;
  for (const auto& [key, track] : tracks) {
    if (!track.first_bad) continue;
    any = true;
    fmt::print("{} on {}: {}\n  first bad run: {}\n  last good run: {}\n", spec::one_line(key.first),
               spec::one_line(key.second), name(track.first_bad->verdict), named(*track.first_bad),
               track.last_good ? named(*track.last_good) : "none before it");
  }
  if (!any) fmt::print("no such call fails in the newest run that judged it\n");
  return any ? as_expected : nothing_ran;
}

int prune_runs(History& history, const HistoryFlags& flags) {
  const auto removed = history.prune(flags.keep);
  if (!removed) return usage_error(removed.errors());
  fmt::print("{} removed\n", *removed == 1 ? "1 run" : fmt::format("{} runs", *removed));
  return as_expected;
}

void add_engine_name(CLI::App& verb, std::string& engine) {
  verb.add_option("-e,--engine", engine, "Only this engine, without its version")
      ->type_name("ENGINE")
      ->default_str("every engine")
      ->group(group::select);
}

void add_run_id(CLI::App& verb, std::string& run) {
  verb.add_option("run", run, "The run's id, or how it begins")->type_name("RUN")->required();
}

/// A verb below `history`, whose place it can be told.
template <class Work>
CLI::App* add_below(CLI::App& parent, Context& context, const VerbText& text,
                    const std::shared_ptr<HistoryFlags>& flags, Work work) {
  CLI::App* verb = add_verb(parent, context, text);
  verb->add_option("--db", flags->place,
                   "The history: a file, or postgresql://... [env: SCATTERPROOF_HISTORY]")
      ->type_name("PLACE")
      ->default_str("history.db next to the kept runs")
      ->group(group::select);
  verb->callback([flags, work, &context] { context.exit_code = work(*flags); });
  return verb;
}

/// The same, for work on a history that exists.
template <class Work>
CLI::App* add_on_history(CLI::App& parent, Context& context, const VerbText& text,
                         const std::shared_ptr<HistoryFlags>& flags, Work work) {
  return add_below(parent, context, text, flags, [work](const HistoryFlags& given) -> int {
    auto opened = open_history(given);
    if (!opened) return usage_error(opened.errors());
    History history = std::move(opened).value();
    return work(history, given);
  });
}

void add_history_reading(CLI::App& verb, Context& context) {
  auto flags = std::make_shared<HistoryFlags>();
  add_on_history(verb, context,
                 {.name = "list",
                  .purpose = "Print the runs, the oldest first",
                  .examples = {{"scatterproof history list", "of the usual history"},
                               {"scatterproof history list --db ci.db", "of another one"}}},
                 flags, list_runs);
  CLI::App* show =
      add_on_history(verb, context,
                     {.name = "show",
                      .purpose = "Render a run as it was printed",
                      .examples = {{"scatterproof history show 1f2e3d4c", "the run whose id begins so"},
                                   {"scatterproof history show 1f2e --db ci.db", "of another history"}}},
                     flags, [&context](History& history, const HistoryFlags& given) {
                       return show_run(history, given, terminal_style(context));
                     });
  add_run_id(*show, flags->run);
  CLI::App* stream = add_on_history(
      verb, context,
      {.name = "export",
       .purpose = "Write a run as the stream that it was",
       .examples = {{"scatterproof history export 1f2e3d4c --output run.jsonl", "into a file"},
                    {"scatterproof history export 1f2e3d4c", "on stdout"}}},
      flags, [](History& history, const HistoryFlags& given) { return export_run(history, given, {}); });
  add_run_id(*stream, flags->run);
  flags->output = "-";
  stream->add_option("--output", flags->output, "The file to write")
      ->type_name("FILE")
      ->default_str("stdout");
  CLI::App* trend = add_on_history(
      verb, context,
      {.name = "trend",
       .purpose = "Print how calls ended, run by run, and which share was flaky",
       .examples = {{"scatterproof history trend --engine torch", "of one engine in all its versions"},
                    {"scatterproof history trend --api torch.gather", "of one API"}}},
      flags, show_trend);
  trend->add_option("--api", flags->api, "Only this API")
      ->type_name("API")
      ->default_str("every API")
      ->group(group::select);
  add_engine_name(*trend, flags->engine);
  CLI::App* hint =
      add_on_history(verb, context,
                     {.name = "bisect-hint",
                      .purpose = "Print since which run calls fail, and the last run in which they did not",
                      .examples = {{"scatterproof history bisect-hint", "every call that fails now"},
                                   {"scatterproof history bisect-hint 'torch.gather/*' --engine torch",
                                    "some calls of one engine"}}},
                     flags, hint_bisection);
  hint->add_option("case", flags->id, "The id of a case, or a glob")->type_name("ID")->default_str("*");
  add_engine_name(*hint, flags->engine);
}

}  // namespace

void add_history(CLI::App& app, Context& context) {
  CLI::App* verb =
      add_verb(app, context,
               {.name = "history",
                .purpose = "Store runs in a database, and show since when calls fail",
                .examples = {{"scatterproof history add run.jsonl", "store a run"},
                             {"scatterproof history trend --engine torch", "how calls ended, run by run"}},
                .group = "Inspect"});
  verb->require_subcommand(1);
  auto flags = std::make_shared<HistoryFlags>();
  CLI::App* add =
      add_below(*verb, context,
                {.name = "add",
                 .purpose = "Add the streams of runs; a run that is there already stays as it is",
                 .examples = {{"scatterproof history add run.jsonl", "a stream that --report jsonl wrote"},
                              {"scatterproof history add", "every run that was kept"}}},
                flags, add_runs);
  add->add_option("stream", flags->streams, "The streams: what --report jsonl=PATH wrote")
      ->type_name("STREAM")
      ->default_str("those that runs kept by themselves")
      ->check(existing_path());
  add_history_reading(*verb, context);
  auto pruned = std::make_shared<HistoryFlags>();
  CLI::App* prune = add_on_history(
      *verb, context,
      {.name = "prune",
       .purpose = "Remove old runs",
       .examples = {{"scatterproof history prune --keep 100", "all but the newest hundred"},
                    {"scatterproof history prune --keep 30 --db ci.db", "of another history"}}},
      pruned, prune_runs);
  add_number(*prune, "--keep", pruned->keep, 1, "How many of the newest runs stay")->required();
}

}  // namespace scatterproof::runner::cli
