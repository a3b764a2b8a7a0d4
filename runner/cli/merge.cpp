// SPDX-License-Identifier: Apache-2.0
// `merge`: the streams of shards as the stream of their run.
#include "merge.hpp"

#include <fmt/format.h>

#include <memory>

#include "cli.hpp"
#include "options.hpp"
#include "sinks.hpp"

namespace scatterproof::runner::cli {
namespace {

struct MergeFlags {
  std::vector<std::string> streams;
  std::vector<std::string> reports;
  int verbosity = 0;
};

int merge_shards(const MergeFlags& flags, const Context& context) {
  std::vector<ShardRun> shards;
  spec::Errors errors;
  for (const std::string& path : flags.streams) {
    auto run = spec::read_stream(path);
    if (run)
      shards.push_back({path, std::move(run).value()});
    else
      errors.insert(errors.end(), run.errors().begin(), run.errors().end());
  }
  if (!errors.empty()) return usage_error(errors);
  const auto whole = merged(std::move(shards));
  if (!whole) return usage_error(whole.errors());
  auto style = terminal_style(context);
  style.verbosity = flags.verbosity;
  auto sinks = Sinks::open(flags.reports, flags.reports.empty(), style);
  if (!sinks) return usage_error(sinks.errors());
  reports::replay(whole->run, *sinks.value());
  for (const std::string& one : whole->doubled) say("note: left out: " + one);
  for (const std::string& one : whole->missing) say("error: " + one);
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
  add_reports(*verb, flags->reports, flags->verbosity);
  verb->callback([flags, &context] { context.exit_code = merge_shards(*flags, context); });
}

}  // namespace scatterproof::runner::cli
