// SPDX-License-Identifier: Apache-2.0
// `merge`: the streams of shards as the stream of their run.
#include "scatterproof/runner/streams/merge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "options.hpp"
#include "scatterproof/runner/cli/cli.hpp"
#include "scatterproof/runner/run/sinks.hpp"
#include "streams.hpp"

namespace scatterproof::runner::cli {
namespace {

struct MergeFlags {
  std::vector<std::string> streams;
  std::vector<std::string> reports;
  int verbosity = 0;
  std::string again;
};

/// Whether a task came as far as the header; one that was killed at once leaves an empty stream.
bool has_begun(const std::string& path) {
  std::string line;
  std::ifstream stream(path);
  return !std::filesystem::is_regular_file(path) || (std::getline(stream, line) && !stream.eof());
}

void report_missing(const std::vector<MissingShard>& missing, const std::string& again) {
  std::vector<std::uint64_t> numbers;
  for (const MissingShard& one : missing) {
    say("error: " + one.what);
    numbers.push_back(one.index);
  }
  if (missing.empty() || again.empty()) return;
  std::string command = again;
  if (const auto place = command.find("{}"); place != std::string::npos)
    command.replace(place, 2, fmt::format("{}", fmt::join(numbers, ",")));
  say("  hint: run it again: " + command);
}

int merge_shards(const MergeFlags& flags, const Context& context) {
  std::vector<ShardRun> shards;
  spec::Errors errors = overwritten(flags.reports, flags.streams);
  if (!errors.empty()) return usage_error(errors);
  for (const std::string& path : flags.streams) {
    if (!has_begun(path)) {
      say(fmt::format("note: left out: {} holds nothing yet", path));
      continue;
    }
    auto shard = ShardRun::read([&](const auto& look) { return spec::StreamFile::open(path, look); });
    if (shard)
      shards.push_back(std::move(shard).value());
    else
      errors.insert(errors.end(), shard.errors().begin(), shard.errors().end());
  }
  if (!errors.empty()) return usage_error(errors);
  if (shards.empty()) {
    say("error: no shard has judged anything");
    return incomplete;
  }
  const auto whole = merged(std::move(shards));
  if (!whole) return usage_error(whole.errors());
  auto style = terminal_style(context);
  style.verbosity = flags.verbosity;
  auto sinks = Sinks::open(flags.reports, flags.reports.empty(), style);
  if (!sinks) return usage_error(sinks.errors());
  if (errors = reports::replay(whole->run, *sinks.value()); !errors.empty()) return usage_error(errors);
  for (const std::string& one : whole->doubled) say("note: left out: " + one);
  report_missing(whole->missing, flags.again);
  if (const std::string failed = sinks.value()->failed(); !failed.empty())
    return usage_error({{.what = failed}});
  return whole->run.trailer ? whole->run.trailer->exit_code : incomplete;
}

}  // namespace

void add_merge(CLI::App& app, Context& context) {
  CLI::App* verb =
      add_verb(app, context,
               {.name = "merge",
                .purpose = "Join the streams of all shards of a run",
                .examples = {{"scatterproof merge shard-*.jsonl", "the run as if it had not been sharded"},
                             {"scatterproof merge shard-*.jsonl --report jsonl=run.jsonl", "as one stream"}},
                .group = "Inspect"});
  auto flags = std::make_shared<MergeFlags>();
  verb->add_option("stream", flags->streams, "The streams of the shards")
      ->type_name("STREAM")
      ->required()
      ->check(existing_path());
  verb->add_option("--again", flags->again,
                   "The command that runs missing shards again, for the hint; {} stands for their numbers")
      ->type_name("COMMAND")
      ->group(group::report);
  add_reports(*verb, flags->reports, flags->verbosity);
  verb->callback([flags, &context] { context.exit_code = merge_shards(*flags, context); });
}

}  // namespace scatterproof::runner::cli
