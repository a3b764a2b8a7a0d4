// SPDX-License-Identifier: Apache-2.0
#include "streams.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "options.hpp"
#include "scatterproof/runner/baseline/baseline_groups.hpp"
#include "scatterproof/runner/cli/cli.hpp"
#include "scatterproof/runner/files/state.hpp"
#include "scatterproof/spec/record/stream_file.hpp"

namespace scatterproof::runner::cli {

namespace {

void say_cut_off(const std::string& path) {
  say(fmt::format("note: {} was cut off: some calls may be missing", path));
}

}  // namespace

void say_if_cut_off(const spec::StreamFile& stream) {
  if (!stream.trailer()) say_cut_off(stream.name());
}

void add_from(CLI::App& verb, std::vector<std::string>& streams) {
  verb.add_option("--from", streams, "The stream of a run: what --report jsonl=PATH wrote; repeatable")
      ->type_name("STREAM")
      ->default_str("the newest that a run in this folder kept by itself")
      ->allow_extra_args(false)
      ->check(existing_path())
      ->group(group::select);
}

spec::Result<std::vector<spec::Run>> read_streams(const std::vector<std::string>& paths) {
  std::vector<std::string> named = paths;
  if (named.empty()) {
    const std::vector<std::string> kept = kept_streams_here();
    if (kept.empty())
      return spec::Error{.what = "no run in this folder kept a stream",
                         .hint = "name one with --from; `scatterproof run --report jsonl=PATH` writes it"};
    named = {kept.front()};
    say(fmt::format("from {}", kept.front()));
  }
  std::vector<spec::Run> runs;
  for (const std::string& path : named) {
    auto run = spec::read_stream(path);
    if (!run) return run.errors();
    if (!run->trailer) say_cut_off(path);
    runs.push_back(std::move(run).value());
  }
  return runs;
}

spec::Errors overwritten(const std::vector<std::string>& wanted, const std::vector<std::string>& streams) {
  for (const std::string& want : wanted) {
    const std::size_t equals = want.find('=');
    if (equals == std::string::npos) continue;
    for (const std::string& stream : streams) {
      std::error_code failed;
      if (std::filesystem::equivalent(want.substr(equals + 1), stream, failed))
        return {{.file = stream,
                 .what = "a report would be written over the stream that it is made from",
                 .hint = "give the report another path"}};
    }
  }
  return {};
}

std::set<std::string> ids_that_failed_last() {
  std::set<std::pair<std::string, std::string>> judged;  // id and engine, of a newer run
  std::set<std::string> failed;
  for (const std::string& path : kept_streams()) {
    const auto stream = spec::StreamFile::open(path);
    if (!stream) continue;  // of another version of this program
    stream->each([&](const spec::Record& record, std::uint64_t) {
      if (judged.emplace(record.id, engine_of(record)).second &&
          (fails(record.disposition) || record.disposition == spec::Disposition::flaky))
        failed.insert(record.id);
    });
  }
  return failed;
}

std::vector<spec::Record> records_of(const std::vector<spec::Run>& runs) {
  std::vector<spec::Record> records;
  for (const spec::Run& run : runs) records.insert(records.end(), run.records.begin(), run.records.end());
  return records;
}

}  // namespace scatterproof::runner::cli
