// SPDX-License-Identifier: Apache-2.0
#include "merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <map>
#include <tuple>

#include "select.hpp"

namespace scatterproof::runner {
namespace {

bool is_whole(const spec::Run& run) { return run.trailer && !run.trailer->interrupted; }

/// What the shards of one run have in common, in words.
std::string run_in_words(const spec::Header& header, const Shard& shard) {
  std::string words =
      fmt::format("{} shards, seed {}, scatterproof {}", shard.total, header.seed, header.tool_version);
  for (const spec::EngineSummary& engine : header.engines)
    if (engine.state == "ready") words += fmt::format(", {} {}", engine.name, engine.version);
  return words;
}

/// By number; of several with the same number the first is the most complete one.
void put_in_order(std::vector<ShardRun>& shards) {
  std::ranges::stable_sort(shards, {}, [](const ShardRun& one) {
    return std::tuple(Shard::parse(one.run.header.shard)->index, !is_whole(one.run),
                      -static_cast<std::ptrdiff_t>(one.run.records.size()), one.run.header.run);
  });
}

/// Records of all shards. Of `fuzz` a record counts the calls of a kind, which may come up in several; those become one.
/// Of `run` no two are alike.
class JoinedRecords {
 public:
  explicit JoinedRecords(std::vector<spec::Record>& records) : records_(records) {}

  void add(spec::Record record) {
    const auto [found, is_new] = places_.emplace(Kind(record.id, record.engine, record.verdict,
                                                      record.diagnosis, record.practice, record.known_reason),
                                                 records_.size());
    if (is_new)
      records_.push_back(std::move(record));
    else
      join(records_[found->second], std::move(record));
  }

 private:
  using Kind =
      std::tuple<std::string, std::string, spec::Verdict, spec::Diagnosis, spec::Diagnosis, std::string>;

  /// The words stay those of the call with the lowest number.
  static void join(spec::Record& one, spec::Record other) {
    const std::uint64_t count = one.count + other.count;
    const spec::Rung widest = std::max(one.rung, other.rung);
    if (other.number && (!one.number || *other.number < *one.number)) one = std::move(other);
    one.count = count;
    one.rung = widest;
  }

  std::vector<spec::Record>& records_;
  std::map<Kind, std::size_t> places_;
};

/// The exit code that counts when several apply (docs/exit-codes.md).
int joined_exit_code(const std::vector<int>& codes) {
  for (const int code : {4, 2, 1})
    if (std::ranges::find(codes, code) != codes.end()) return code;
  return *std::ranges::max_element(codes);
}

spec::Trailer joined_trailer(const std::vector<ShardRun>& shards, std::size_t records) {
  spec::Trailer trailer;
  std::vector<int> codes;
  for (const ShardRun& one : shards) {
    const spec::Trailer& its = *one.run.trailer;
    trailer.ended = std::max(trailer.ended, its.ended);
    codes.push_back(its.exit_code);
    trailer.stale.insert(trailer.stale.end(), its.stale.begin(), its.stale.end());
    trailer.gates.insert(trailer.gates.end(), its.gates.begin(), its.gates.end());
  }
  trailer.records = records;
  trailer.exit_code = records == 0 ? 5 : joined_exit_code(codes);
  return trailer;
}

}  // namespace

spec::Result<MergedRun> merged(std::vector<ShardRun> shards) {
  spec::Errors errors;
  std::map<std::string, std::string> runs;  // file of the first that says so
  for (const ShardRun& one : shards) {
    const auto shard = Shard::parse(one.run.header.shard);
    if (!shard)
      errors.push_back({.file = one.file,
                        .what = "this stream is of no shard",
                        .hint = "`run --shard I/N` and `fuzz --shard I/N` write such streams"});
    else
      runs.emplace(run_in_words(one.run.header, *shard), one.file);
  }
  if (errors.empty() && runs.size() > 1)
    errors.push_back({.file = runs.rbegin()->second,
                      .what = fmt::format("the streams are of different runs: this one has {}; {} has {}",
                                          runs.rbegin()->first, runs.begin()->second, runs.begin()->first)});
  if (!errors.empty()) return errors;

  put_in_order(shards);
  MergedRun result;
  std::vector<ShardRun> chosen;
  const std::uint64_t total = Shard::parse(shards.front().run.header.shard)->total;
  for (ShardRun& one : shards)
    if (!chosen.empty() && chosen.back().run.header.shard == one.run.header.shard)
      result.doubled.push_back(
          fmt::format("{}: shard {} is also in {}", one.file, one.run.header.shard, chosen.back().file));
    else
      chosen.push_back(std::move(one));
  for (std::uint64_t index = 1; index <= total; ++index) {
    const std::string name = fmt::format("{}/{}", index, total);
    const auto found =
        std::ranges::find(chosen, name, [](const ShardRun& one) { return one.run.header.shard; });
    if (found == chosen.end())
      result.missing.push_back({index, fmt::format("shard {} is missing", name)});
    else if (!is_whole(found->run))
      result.missing.push_back(
          {index, fmt::format("shard {} was cut off or interrupted: {}", name, found->file)});
  }

  result.run.header = chosen.front().run.header;
  result.run.header.shard.clear();
  result.run.header.planned = 0;
  std::string names;
  JoinedRecords records(result.run.records);
  for (ShardRun& one : chosen) {
    const spec::Header& header = one.run.header;
    names += header.run + header.started;
    result.run.header.planned += header.planned;
    result.run.header.started = std::min(result.run.header.started, header.started);
    for (spec::Record& record : one.run.records) records.add(std::move(record));
  }
  // The same streams are the same run to a history.
  result.run.header.run = to_string(boost::uuids::name_generator_sha1(boost::uuids::ns::oid())(names));
  if (result.missing.empty()) result.run.trailer = joined_trailer(chosen, result.run.records.size());
  return result;
}

}  // namespace scatterproof::runner
