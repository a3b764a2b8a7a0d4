// SPDX-License-Identifier: Apache-2.0
// `report`: renders stored streams again, several as one run.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <tuple>
#include <utility>
#include <vector>

#include "options.hpp"
#include "scatterproof/reports/timing.hpp"
#include "scatterproof/runner/about/version.hpp"
#include "scatterproof/runner/cli/cli.hpp"
#include "scatterproof/runner/history/past.hpp"
#include "scatterproof/runner/run/sinks.hpp"
#include "scatterproof/spec/core/stable_hash.hpp"
#include "scatterproof/spec/record/stream_file.hpp"
#include "streams.hpp"

namespace scatterproof::runner::cli {
namespace {

/// A stream, and its engines with their versions in the order in which they come.
struct Part {
  spec::StreamFile stream;
  std::vector<std::pair<std::string, std::string>> versions;
};

/// A record, as far as it matters which records count.
struct Seen {
  spec::TextHash call;  ///< of its id and its engine
  std::uint32_t part = 0;
  std::uint32_t number = 0;  ///< in its part
  spec::Disposition disposition = {};
  bool unsupported = false;
};

/// Records that do not count, by part and number.
using LeftOut = std::vector<std::vector<bool>>;

/// One engine cannot have two versions: their verdicts would stand under one name.
spec::Errors other_versions(std::span<const Part> parts) {
  std::map<std::string, std::pair<std::string, std::string>> seen;  // engine: version, path
  for (const Part& part : parts)
    for (const auto& [engine, own] : part.versions) {
      const auto& [version, first] = seen.try_emplace(engine, own, part.stream.name()).first->second;
      if (version != own)
        return {
            {.file = part.stream.name(),
             .what = fmt::format("engine '{}' has version {} here and {} in {}", engine, own, version, first),
             .hint = "report these streams apart"}};
    }
  return {};
}

/// If two streams have records of the same case on the same engine, those of the later stream count. Reports
/// this.
LeftOut left_out(std::span<const Part> parts, std::vector<Seen>& seen) {
  LeftOut left_out;
  for (const Part& part : parts) left_out.emplace_back(part.stream.records());
  std::ranges::sort(seen, {}, [](const Seen& one) { return std::tuple(one.call, one.part, one.number); });
  std::map<std::pair<std::size_t, std::size_t>, std::size_t>
      doubled;  // pairs of streams; the second of each counts
  // Within one stream several records may have the same id and engine: kinds of generated calls.
  for (std::size_t i = seen.size(), later = i; i-- > 0;) {
    const bool is_last = later == seen.size() || seen[i].call != seen[later].call;
    if (!is_last && seen[i].part != seen[i + 1].part) ++doubled[{seen[i].part, seen[i + 1].part}];
    if (is_last) later = i;
    left_out[seen[i].part][seen[i].number] = seen[i].part != seen[later].part;
  }
  for (const auto& [streams, n] : doubled)
    say(fmt::format("{} and {} both judged {} on the same engine: what {} says counts",
                    parts[streams.first].stream.name(), parts[streams.second].stream.name(),
                    n == 1 ? "1 case" : fmt::format("{} cases", n), parts[streams.second].stream.name()));
  std::erase_if(seen, [&](const Seen& one) { return left_out[one.part][one.number]; });
  return left_out;
}

/// `a; b`, each once.
std::string joined(std::span<const Part> parts, std::string spec::Header::*field) {
  std::vector<std::string> words;
  for (const Part& part : parts)
    if (const std::string& word = part.stream.header().*field;
        !word.empty() && std::ranges::find(words, word) == words.end())
      words.push_back(word);
  return fmt::format("{}", fmt::join(words, "; "));
}

spec::Header joined_header(std::span<const Part> parts) {
  spec::Header header = parts.front().stream.header();
  header.command_line = joined(parts, &spec::Header::command_line);
  header.machine = joined(parts, &spec::Header::machine);
  header.host = joined(parts, &spec::Header::host);
  header.tool_version = joined(parts, &spec::Header::tool_version);
  header.run.clear();  // it is neither a run of its own nor a shard
  header.shard.clear();
  for (const Part& part : parts.subspan(1)) {
    const spec::Header& other = part.stream.header();
    header.allow_fixed = header.allow_fixed && other.allow_fixed;
    header.fail_on_flaky = header.fail_on_flaky || other.fail_on_flaky;
    header.stream_version = std::min(header.stream_version, other.stream_version);
    header.started = std::min(header.started, other.started);
    header.planned += other.planned;
    header.libraries.insert(other.libraries.begin(), other.libraries.end());
    for (const spec::EngineSummary& engine : other.engines) {
      const auto found = std::ranges::find(header.engines, engine.name, &spec::EngineSummary::name);
      if (found == header.engines.end())
        header.engines.push_back(engine);
      else if (found->state != "ready")
        *found = engine;  // it took part somewhere
    }
  }
  return header;
}

/// The exit code of a run with these results. The exit code of `end` counts only for mistakes, and where no
/// record shows that a call ran.
int exit_code_of(const spec::Header& header, const spec::Trailer& end, bool any_fails, bool any_ran) {
  const auto fails_it = [&](const spec::StaleEntry& entry) { return fails(header, entry); };
  if (end.exit_code == usage) return usage;
  if (end.interrupted) return interrupted;
  if (any_fails || !end.gates.empty() || std::ranges::any_of(end.stale, fails_it)) return unexpected;
  return any_ran || end.exit_code != nothing_ran ? as_expected : nothing_ran;
}

/// None if any stream was cut off.
std::optional<spec::Trailer> joined_trailer(std::span<const Part> parts, const spec::Header& header,
                                            std::span<const Seen> records) {
  spec::Trailer trailer;
  std::set<std::tuple<std::string, int, std::string>> stale;
  bool errors = false;
  for (const Part& part : parts) {
    const std::optional<spec::Trailer>& own = part.stream.trailer();
    if (!own) return std::nullopt;
    trailer.ended = std::max(trailer.ended, own->ended);
    trailer.interrupted = trailer.interrupted || own->interrupted;
    errors = errors || own->exit_code == usage;
    for (const spec::StaleEntry& entry : own->stale)
      if (stale.emplace(entry.file, entry.line, entry.text).second) trailer.stale.push_back(entry);
    trailer.skipped.insert(trailer.skipped.end(), own->skipped.begin(), own->skipped.end());
  }
  trailer.records = records.size();
  const bool any_ran = !std::ranges::all_of(records, &Seen::unsupported);
  const auto fails_it = [&](spec::Disposition disposition) { return fails(header, disposition); };
  trailer.exit_code = errors ? usage : any_ran ? as_expected : nothing_ran;
  trailer.exit_code =
      exit_code_of(header, trailer, std::ranges::any_of(records, fails_it, &Seen::disposition), any_ran);
  return trailer;
}

/// Opens a stream, and takes note of its records.
spec::Result<Part> open_part(const std::string& path, std::size_t number, std::vector<Seen>& seen) {
  std::vector<std::pair<std::string, std::string>> versions;
  std::set<std::pair<std::string, std::string>> known;
  std::uint32_t at = 0;
  auto stream = spec::StreamFile::open(path, [&](const spec::Record& record, std::uint64_t) {
    seen.push_back({spec::hash_of(record.id, record.engine), static_cast<std::uint32_t>(number), at++,
                    record.disposition, record.verdict == spec::Verdict::unsupported});
    if (std::pair one(record.engine, record.version); known.insert(one).second)
      versions.push_back(std::move(one));
  });
  if (!stream) return stream.errors();
  return Part{std::move(stream).value(), std::move(versions)};
}

/// Several streams as one run.
spec::Result<spec::StoredRun> joined_run(const std::vector<std::string>& paths) {
  const auto parts = std::make_shared<std::vector<Part>>();
  std::vector<Seen> seen;
  for (const std::string& path : paths) {
    auto part = open_part(path, parts->size(), seen);
    if (!part) return part.errors();
    parts->push_back(std::move(part).value());
  }
  if (spec::Errors errors = other_versions(*parts); !errors.empty()) return errors;
  spec::StoredRun run;
  run.header = joined_header(*parts);
  const std::size_t all = seen.size();
  const auto without = std::make_shared<LeftOut>(left_out(*parts, seen));
  run.records = seen.size();
  run.header.planned -= std::min(run.header.planned, all - seen.size());  // those were planned twice
  run.trailer = joined_trailer(*parts, run.header, seen);
  run.each = [parts, without](const spec::TakeRecord& take) {
    spec::Errors errors;
    for (std::size_t i = 0; i < parts->size() && errors.empty(); ++i) {
      std::size_t number = 0;
      errors = (*parts)[i].stream.each([&](const spec::Record& record, std::uint64_t place) {
        if (!(*without)[i][number++]) take(record, place);
      });
    }
    return errors;
  };
  return run;
}

spec::Result<spec::StoredRun> read_as_one(const std::vector<std::string>& paths) {
  if (paths.size() > 1) return joined_run(paths);
  bool any_ran = false;
  std::set<spec::Disposition> dispositions;
  auto stream = spec::StreamFile::open(paths.front(), [&](const spec::Record& record, std::uint64_t) {
    any_ran |= record.verdict != spec::Verdict::unsupported;
    dispositions.insert(record.disposition);
  });
  if (!stream) return stream.errors();
  spec::StoredRun run = stored(std::move(stream).value());
  const auto fails_it = [&](spec::Disposition one) { return fails(run.header, one); };
  if (run.trailer)
    run.trailer->exit_code =
        exit_code_of(run.header, *run.trailer, std::ranges::any_of(dispositions, fails_it), any_ran);
  return run;
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

int report_run(const spec::StoredRun& run, const std::vector<spec::TimingRun>& timings,
               const ReportFlags& flags, const reports::Style& style) {
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
  if (const spec::Errors errors = reports::replay(run, **sinks); !errors.empty()) return usage_error(errors);
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
  if (const spec::Errors errors = overwritten(flags.wanted, *streams); !errors.empty())
    return usage_error(errors);
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
      ->default_str("history.db next to the kept runs")
      ->needs(history)
      ->group(group::report);
  verb->callback([flags, &context] { context.exit_code = report(*flags, context); });
}

}  // namespace scatterproof::runner::cli
