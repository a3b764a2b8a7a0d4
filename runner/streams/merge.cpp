// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/streams/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "scatterproof/runner/select/select.hpp"

namespace scatterproof::runner {
namespace {

bool is_whole(const spec::StreamFile& stream) { return stream.trailer() && !stream.trailer()->interrupted; }

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
    const spec::Header& header = one.stream.header();
    return std::tuple(Shard::parse(header.shard)->index, !is_whole(one.stream),
                      -static_cast<std::ptrdiff_t>(one.stream.records()), header.run);
  });
}

/// Records with the same value are about calls of one kind.
spec::TextHash kind_of(const spec::Record& record) {
  return spec::hash_of(fmt::format("{}\n{}\n{}", record.engine, name(record.verdict), record.id),
                       fmt::format("{}\n{}\n{}", to_string(record.diagnosis), to_string(record.practice),
                                   record.known_reason));
}

/// Records of all shards. A record of `fuzz` counts the calls of a kind, which may occur in several shards;
/// these become one. Records of `run` are all different.
class JoinedRecords {
 public:
  explicit JoinedRecords(std::vector<ShardRun> shards) : shards_(std::move(shards)) {
    std::vector<spec::TextHash> kinds;
    for (const ShardRun& one : shards_) kinds.insert(kinds.end(), one.kinds.begin(), one.kinds.end());
    std::ranges::sort(kinds);
    for (std::size_t i = 0; i < kinds.size(); ++i)
      if (i > 0 && kinds[i] == kinds[i - 1])
        repeated_.try_emplace(kinds[i]);
      else
        ++size_;
  }

  const std::vector<ShardRun>& shards() const { return shards_; }
  std::size_t size() const { return size_; }

  /// Hands them over in the order in which each kind first came up.
  spec::Errors each(const spec::TakeRecord& take) const {
    auto sums = repeated_;
    if (spec::Errors errors = count(sums); !errors.empty()) return errors;
    spec::Errors errors;
    for (const ShardRun& one : shards_) {
      std::size_t number = 0;
      spec::Errors failed;
      const auto pass_on = [&](const spec::Record& record, std::uint64_t place) {
        const auto found = sums.find(one.kinds[number++]);
        if (found == sums.end())
          take(record, place);
        else if (!std::exchange(found->second.is_taken, true))
          take_sum(found->second, take, failed);
      };
      errors = one.stream.each(pass_on);
      errors.insert(errors.end(), failed.begin(), failed.end());
      if (!errors.empty()) break;
    }
    return errors;
  }

 private:
  /// Records of one kind.
  struct Sum {
    std::uint64_t count = 0;
    spec::ComparisonMode widest = {};
    std::optional<std::uint64_t> number;
    std::vector<spec::CallGlob> globs;  ///< that the calls of all of them match
    std::uint64_t passed = 0;
    const spec::StreamFile* stream = nullptr;  ///< of the one whose words stay
    std::uint64_t place = 0;                   ///< in that stream
    bool is_taken = false;
  };
  using Sums = std::unordered_map<spec::TextHash, Sum>;

  spec::Errors count(Sums& sums) const {
    for (std::size_t i = 0; i < shards_.size() && !sums.empty(); ++i) {
      std::size_t number = 0;
      spec::Errors errors = shards_[i].stream.each([&](const spec::Record& record, std::uint64_t place) {
        const auto found = sums.find(shards_[i].kinds[number++]);
        if (found != sums.end()) add(found->second, record, shards_[i].stream, place);
      });
      if (!errors.empty()) return errors;
    }
    return {};
  }

  /// The words stay those of the call with the lowest number.
  static void add(Sum& sum, const spec::Record& record, const spec::StreamFile& stream, std::uint64_t place) {
    sum.count += record.count;
    sum.widest = sum.stream ? std::max(sum.widest, record.mode) : record.mode;
    sum.passed += record.passed;
    keep_common(sum, record.call_globs);
    if (sum.stream && (!record.number || (sum.number && *record.number >= *sum.number))) return;
    sum.number = record.number;
    sum.stream = &stream;
    sum.place = place;
  }

  /// Leaves the globs that this record has too.
  static void keep_common(Sum& sum, const std::vector<spec::CallGlob>& globs) {
    if (!sum.stream) {
      sum.globs = globs;
      return;
    }
    std::erase_if(sum.globs, [&](spec::CallGlob& one) {
      const auto same = std::ranges::find(globs, one.glob, &spec::CallGlob::glob);
      if (same != globs.end()) one.passed += same->passed;
      return same == globs.end();
    });
  }

  static void take_sum(const Sum& sum, const spec::TakeRecord& take, spec::Errors& errors) {
    auto record = sum.stream->at(sum.place);
    if (!record) {
      errors = record.errors();
      return;
    }
    record.value().count = sum.count;
    record.value().mode = sum.widest;
    record.value().call_globs = sum.globs;
    record.value().passed = sum.passed;
    take(*record, sum.place);
  }

  std::vector<ShardRun> shards_;
  Sums repeated_;
  std::size_t size_ = 0;
};

/// The exit code that counts when several apply (docs/use/exit-codes.md).
int joined_exit_code(const std::vector<int>& codes) {
  for (const int code : {4, 2, 1})
    if (std::ranges::find(codes, code) != codes.end()) return code;
  return *std::ranges::max_element(codes);
}

/// The engines that few calls of every shard reached. What no call had in any shard, none had.
std::vector<spec::Reach> joined_reach(const std::vector<ShardRun>& shards) {
  std::vector<spec::Reach> all = shards.front().stream.trailer()->reach;
  for (std::size_t i = 1; i < shards.size(); ++i) {
    const std::vector<spec::Reach>& its = shards[i].stream.trailer()->reach;
    std::erase_if(all, [&](spec::Reach& reach) {
      const auto same = std::ranges::find(its, reach.engine, &spec::Reach::engine);
      if (same == its.end()) return true;
      reach.calls += same->calls;
      reach.reached += same->reached;
      std::erase_if(reach.never, [&](const std::string& words) {
        return std::ranges::find(same->never, words) == same->never.end();
      });
      return false;
    });
  }
  return all;
}

/// Of all shards; and the APIs that no shard reached.
void join_what_was_left_out(const std::vector<ShardRun>& shards, spec::Trailer& trailer) {
  trailer.unreached = shards.front().stream.trailer()->unreached;
  for (const ShardRun& one : shards) {
    const spec::Trailer& its = *one.stream.trailer();
    std::erase_if(trailer.unreached, [&](const std::string& api) {
      return std::ranges::find(its.unreached, api) == its.unreached.end();
    });
    for (const spec::Skipped& skipped : its.skipped) {
      const auto same = std::ranges::find_if(trailer.skipped, [&](const spec::Skipped& other) {
        return other.engine == skipped.engine && other.api == skipped.api;
      });
      if (same == trailer.skipped.end())
        trailer.skipped.push_back(skipped);
      else
        same->calls += skipped.calls;
    }
  }
}

/// Entries that no shard matched, where a case of theirs ran in some shard, or all cases in all of them.
std::vector<spec::StaleEntry> unmatched_by_all(const std::vector<ShardRun>& shards) {
  std::vector<spec::StaleEntry> all = shards.front().stream.trailer()->unmatched;
  bool whole = true;
  for (const ShardRun& one : shards) {
    const spec::Trailer& its = *one.stream.trailer();
    whole = whole && its.whole;
    std::erase_if(all, [&](spec::StaleEntry& entry) {
      const auto same = std::ranges::find_if(its.unmatched, [&](const spec::StaleEntry& other) {
        return other.file == entry.file && other.line == entry.line;
      });
      if (same == its.unmatched.end()) return true;
      if (same->fixed) entry = *same;
      return false;
    });
  }
  std::erase_if(all, [&](const spec::StaleEntry& entry) { return !entry.fixed && !whole; });
  return all;
}

spec::Trailer joined_trailer(const std::vector<ShardRun>& shards, std::size_t records) {
  spec::Trailer trailer;
  std::vector<int> codes;
  for (const ShardRun& one : shards) {
    const spec::Trailer& its = *one.stream.trailer();
    trailer.ended = std::max(trailer.ended, its.ended);
    codes.push_back(its.exit_code);
    trailer.stale.insert(trailer.stale.end(), its.stale.begin(), its.stale.end());
    trailer.gates.insert(trailer.gates.end(), its.gates.begin(), its.gates.end());
  }
  const spec::Header& header = shards.front().stream.header();
  for (spec::StaleEntry& entry : unmatched_by_all(shards)) {
    if (fails(header, entry)) codes.push_back(1);
    trailer.stale.push_back(std::move(entry));
  }
  trailer.reach = joined_reach(shards);
  join_what_was_left_out(shards, trailer);
  trailer.records = records;
  trailer.exit_code = records == 0 ? 5 : joined_exit_code(codes);
  return trailer;
}

}  // namespace

spec::Result<ShardRun> ShardRun::read(
    const std::function<spec::Result<spec::StreamFile>(const spec::TakeRecord& look)>& open) {
  std::vector<spec::TextHash> kinds;
  auto stream = open([&](const spec::Record& record, std::uint64_t) { kinds.push_back(kind_of(record)); });
  if (!stream) return stream.errors();
  return ShardRun{std::move(stream).value(), std::move(kinds)};
}

spec::Result<MergedRun> merged(std::vector<ShardRun> shards) {
  spec::Errors errors;
  std::map<std::string, std::string> runs;  // file of the first that says so
  for (const ShardRun& one : shards) {
    const auto shard = Shard::parse(one.stream.header().shard);
    if (!shard)
      errors.push_back({.file = one.stream.name(),
                        .what = "this stream is of no shard",
                        .hint = "`run --shard I/N` and `fuzz --shard I/N` write such streams"});
    else
      runs.emplace(run_in_words(one.stream.header(), *shard), one.stream.name());
  }
  if (errors.empty() && runs.size() > 1)
    errors.push_back({.file = runs.rbegin()->second,
                      .what = fmt::format("the streams are of different runs: this one has {}; {} has {}",
                                          runs.rbegin()->first, runs.begin()->second, runs.begin()->first)});
  if (!errors.empty()) return errors;

  put_in_order(shards);
  MergedRun result;
  std::vector<ShardRun> chosen;
  const std::uint64_t total = Shard::parse(shards.front().stream.header().shard)->total;
  for (ShardRun& one : shards)
    if (!chosen.empty() && chosen.back().stream.header().shard == one.stream.header().shard)
      result.doubled.push_back(fmt::format("{}: shard {} is also in {}", one.stream.name(),
                                           one.stream.header().shard, chosen.back().stream.name()));
    else
      chosen.push_back(std::move(one));
  for (std::uint64_t index = 1; index <= total; ++index) {
    const std::string name = fmt::format("{}/{}", index, total);
    const auto found =
        std::ranges::find(chosen, name, [](const ShardRun& one) { return one.stream.header().shard; });
    if (found == chosen.end())
      result.missing.push_back({index, fmt::format("shard {} is missing", name)});
    else if (!is_whole(found->stream))
      result.missing.push_back(
          {index, fmt::format("shard {} was cut off or interrupted: {}", name, found->stream.name())});
  }

  result.run.header = chosen.front().stream.header();
  result.run.header.shard.clear();
  result.run.header.planned = 0;
  std::string names;
  for (const ShardRun& one : chosen) {
    const spec::Header& header = one.stream.header();
    names += header.run + header.started;
    result.run.header.planned += header.planned;
    result.run.header.started = std::min(result.run.header.started, header.started);
  }
  // The same streams are the same run to a history.
  result.run.header.run = to_string(boost::uuids::name_generator_sha1(boost::uuids::ns::oid())(names));
  const auto records = std::make_shared<JoinedRecords>(std::move(chosen));
  result.run.records = records->size();
  result.run.each = [records](const spec::TakeRecord& take) { return records->each(take); };
  if (result.missing.empty()) result.run.trailer = joined_trailer(records->shards(), records->size());
  return result;
}

}  // namespace scatterproof::runner
