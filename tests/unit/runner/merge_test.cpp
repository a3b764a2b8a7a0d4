// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/streams/merge.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace scatterproof::runner {
namespace {

/// A shard, before it is a stream.
struct Made {
  std::string file;
  spec::Run run;
};

/// A shard with one record.
Made shard_run(const std::string& shard, int exit_code = 0) {
  Made one{shard + ".jsonl", {}};
  one.run.header.shard = shard;
  one.run.header.run = "run of " + shard;
  one.run.header.planned = 1;
  one.run.header.engines = {{"torch@2.13.0", "2.13.0", "cpu", "ready"}};
  spec::Record record;
  record.id = shard;
  one.run.records.push_back(record);
  one.run.trailer = spec::Trailer{};
  one.run.trailer->ended = shard;
  one.run.trailer->exit_code = exit_code;
  return one;
}

spec::Result<MergedRun> merged_of(std::vector<Made> made) {
  std::vector<ShardRun> shards;
  for (Made& one : made) {
    spec::Spool lines;
    lines.append(to_json_line(one.run.header) + '\n');
    for (const spec::Record& record : one.run.records) lines.append(to_json_line(record) + '\n');
    if (one.run.trailer) {
      one.run.trailer->records = one.run.records.size();
      lines.append(to_json_line(*one.run.trailer) + '\n');
    }
    auto shard = ShardRun::read(
        [&](const auto& look) { return spec::StreamFile::of(one.file, std::move(lines), look); });
    if (!shard) return shard.errors();
    shards.push_back(std::move(shard).value());
  }
  return merged(std::move(shards));
}

MergedRun joined(std::vector<Made> shards) {
  auto whole = merged_of(std::move(shards));
  EXPECT_TRUE(whole) << spec::to_string(whole.errors());
  return whole ? std::move(whole).value() : MergedRun{};
}

std::vector<spec::Record> records_of(const spec::StoredRun& run) {
  std::vector<spec::Record> records;
  const auto errors = run.each([&](const spec::Record& one, std::uint64_t) { records.push_back(one); });
  EXPECT_TRUE(errors.empty());
  EXPECT_EQ(records.size(), run.records);
  return records;
}

std::vector<std::string> ids_of(const spec::StoredRun& run) {
  std::vector<std::string> ids;
  for (const spec::Record& record : records_of(run)) ids.push_back(record.id);
  return ids;
}

using Words = std::vector<std::string>;

TEST(Merged, ShardsInAnyOrderAreTheirRun) {
  const MergedRun whole = joined({shard_run("2/3", 1), shard_run("1/3"), shard_run("3/3", 5)});
  EXPECT_EQ(ids_of(whole.run), (Words{"1/3", "2/3", "3/3"}));
  EXPECT_EQ(whole.run.header.shard, "");
  EXPECT_EQ(whole.run.header.planned, 3u);
  EXPECT_TRUE(whole.missing.empty() && whole.doubled.empty());
  ASSERT_TRUE(whole.run.trailer);
  EXPECT_EQ(whole.run.trailer->exit_code, 1);
  EXPECT_EQ(whole.run.trailer->records, 3u);
  EXPECT_EQ(whole.run.trailer->ended, "3/3");
  const MergedRun again = joined({shard_run("1/3"), shard_run("2/3", 1), shard_run("3/3", 5)});
  EXPECT_EQ(whole.run.header.run, again.run.header.run);
}

TEST(Merged, TheGravestExitCodeCounts) {
  const auto code = [](int one, int other) {
    return joined({shard_run("1/2", one), shard_run("2/2", other)}).run.trailer->exit_code;
  };
  EXPECT_EQ(code(0, 0), 0);
  EXPECT_EQ(code(0, 1), 1);
  EXPECT_EQ(code(1, 4), 4);
  Made empty = shard_run("1/1");
  empty.run.records.clear();
  EXPECT_EQ(joined({empty}).run.trailer->exit_code, 5);
}

TEST(Merged, WhatIsMissingLeavesARunWithoutAnEnd) {
  Made cut_off = shard_run("2/3"), interrupted = shard_run("2/3");
  cut_off.run.trailer.reset();
  interrupted.run.trailer->interrupted = true;
  for (const Made& half : {cut_off, interrupted}) {
    const MergedRun part = joined({shard_run("1/3"), half});
    ASSERT_EQ(part.missing.size(), 2u);
    EXPECT_EQ(part.missing[0].index, 2u);
    EXPECT_EQ(part.missing[0].what, "shard 2/3 was cut off or interrupted: 2/3.jsonl");
    EXPECT_EQ(part.missing[1].index, 3u);
    EXPECT_EQ(part.missing[1].what, "shard 3/3 is missing");
    EXPECT_FALSE(part.run.trailer);
    EXPECT_EQ(ids_of(part.run), (Words{"1/3", "2/3"}));
  }
}

TEST(Merged, GeneratedCallsOfOneKindAreCountedTogether) {
  const auto with = [](const std::string& shard, std::uint64_t count, std::uint64_t number, bool other_kind) {
    Made one = shard_run(shard);
    spec::Record& record = one.run.records.front();
    record.id = "torch.gather/fuzz/valid";
    record.verdict = other_kind ? spec::Verdict::crash : spec::Verdict::mismatch;
    record.count = count;
    record.number = number;
    record.explanation = shard;
    return one;
  };
  const MergedRun whole =
      joined({with("1/3", 4, 70, false), with("2/3", 5, 30, false), with("3/3", 6, 20, true)});
  const std::vector<spec::Record> records = records_of(whole.run);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].count, 9u);
  EXPECT_EQ(records[0].explanation, "2/3");
  EXPECT_EQ(records[1].count, 6u);
  EXPECT_EQ(whole.run.trailer->records, 2u);
}

TEST(Merged, GeneratedCallsOfOneKindHaveTheGlobsThatAllOfThemMatch) {
  const auto with = [](const std::string& shard, std::vector<spec::CallGlob> globs, std::uint64_t passed) {
    Made one = shard_run(shard);
    spec::Record& record = one.run.records.front();
    record.id = "torch.gather/fuzz/valid";
    record.verdict = spec::Verdict::mismatch;
    record.number = passed;
    record.call_globs = std::move(globs);
    record.passed = passed;
    return one;
  };
  const std::vector<spec::Record> records = records_of(
      joined({with("1/3", {{"*=f64[*", 1}, {"* dim=0,*", 4}}, 70), with("2/3", {{"*=f64[*", 2}}, 30),
              with("3/3", {{"* dim=0,*", 4}, {"*=f64[*", 4}}, 50)})
          .run);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].call_globs, (std::vector<spec::CallGlob>{{"*=f64[*", 7}}));
  EXPECT_EQ(records[0].passed, 150u);
}

TEST(Merged, OfADoubledShardTheWholeOneStays) {
  Made cut_off = shard_run("1/2"), late = shard_run("1/2");
  cut_off.run.trailer.reset();
  late.file = "late.jsonl";
  const MergedRun whole = joined({cut_off, shard_run("2/2"), late});
  EXPECT_EQ(whole.doubled, (Words{"1/2.jsonl: shard 1/2 is also in late.jsonl"}));
  EXPECT_TRUE(whole.run.trailer);
  EXPECT_EQ(ids_of(whole.run), (Words{"1/2", "2/2"}));
}

TEST(Merged, PartsOfDifferentRunsAreAnError) {
  Made other_total = shard_run("2/3"), other_engine = shard_run("2/2"), other_seed = shard_run("2/2"),
       no_shard = shard_run("2/2");
  other_engine.run.header.engines.front().version = "2.12.0";
  other_seed.run.header.seed = 7;
  no_shard.run.header.shard = "";
  for (const Made& other : {other_total, other_engine, other_seed, no_shard})
    EXPECT_FALSE(merged_of({shard_run("1/2"), other}));
}

TEST(Merged, WhatNoCallOfAnyShardHadIsNamed) {
  Made one = shard_run("1/2"), two = shard_run("2/2");
  one.run.trailer->reach = {{"so:./a.so", 5, 1, {"of rank 3 or more", "with a negative index"}},
                            {"so:./b.so", 5, 1, {}}};
  two.run.trailer->reach = {{"so:./a.so", 7, 2, {"of rank 3 or more"}}};
  const auto whole = joined({one, two});
  ASSERT_TRUE(whole.run.trailer);
  ASSERT_EQ(whole.run.trailer->reach.size(), 1u) << "one shard reached b well";
  const spec::Reach& reach = whole.run.trailer->reach[0];
  EXPECT_EQ(reach.engine, "so:./a.so");
  EXPECT_EQ(reach.calls, 12u);
  EXPECT_EQ(reach.reached, 3u);
  EXPECT_EQ(reach.never, std::vector<std::string>{"of rank 3 or more"});
}

TEST(Merged, CallsLeftOutAreAddedUpAndApisThatSomeShardReachedAreNot) {
  Made one = shard_run("1/2"), two = shard_run("2/2");
  one.run.trailer->skipped = {{"a", "torch.gather", 5}, {"b", "torch.gather", 1}};
  two.run.trailer->skipped = {{"a", "torch.gather", 7}, {"a", "torch.take", 2}};
  one.run.trailer->unreached = {"numpy.put", "numpy.take"};
  two.run.trailer->unreached = {"numpy.take"};
  const auto whole = joined({one, two});
  ASSERT_TRUE(whole.run.trailer);
  std::vector<std::uint64_t> skipped;
  for (const spec::Skipped& some : whole.run.trailer->skipped) skipped.push_back(some.calls);
  EXPECT_EQ(skipped, (std::vector<std::uint64_t>{12, 1, 2}));
  EXPECT_EQ(whole.run.trailer->unreached, std::vector<std::string>{"numpy.take"});
}

}  // namespace
}  // namespace scatterproof::runner
