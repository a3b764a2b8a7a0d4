// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/select/shard_of_environment.hpp"

#include <gtest/gtest.h>

#include <map>

namespace scatterproof::runner {
namespace {

using Variables = std::map<std::string, std::string>;

spec::Result<GivenShard> shard_in(const Variables& environment) {
  return shard_of_environment([&](const std::string& variable) {
    const auto found = environment.find(variable);
    return found == environment.end() ? "" : found->second;
  });
}

std::string family_call_of(const Variables& environment) {
  const auto given = shard_in(environment);
  return given ? given->shard + " by " + given->variable : "error: " + given.errors().front().what;
}

TEST(ShardOfEnvironment, CountsAsEachSystemDoes) {
  EXPECT_EQ(family_call_of({{"TEST_SHARD_INDEX", "0"}, {"TEST_TOTAL_SHARDS", "4"}}),
            "1/4 by TEST_SHARD_INDEX");
  EXPECT_EQ(family_call_of({{"GTEST_SHARD_INDEX", "3"}, {"GTEST_TOTAL_SHARDS", "4"}}),
            "4/4 by GTEST_SHARD_INDEX");
  EXPECT_EQ(family_call_of({{"CI_NODE_INDEX", "1"}, {"CI_NODE_TOTAL", "4"}}), "1/4 by CI_NODE_INDEX");
  EXPECT_EQ(family_call_of({{"CIRCLE_NODE_INDEX", "1"}, {"CIRCLE_NODE_TOTAL", "4"}}),
            "2/4 by CIRCLE_NODE_INDEX");
  EXPECT_EQ(family_call_of({{"BUILDKITE_PARALLEL_JOB", "1"}, {"BUILDKITE_PARALLEL_JOB_COUNT", "4"}}),
            "2/4 by BUILDKITE_PARALLEL_JOB");
  EXPECT_EQ(family_call_of({{"JOB_COMPLETION_INDEX", "2"}, {"SCATTERPROOF_SHARDS", "4"}}),
            "3/4 by JOB_COMPLETION_INDEX");
}

TEST(ShardOfEnvironment, ASlurmArrayGoesInSteps) {
  const auto task = [](const std::string& id) {
    return family_call_of({{"SLURM_ARRAY_TASK_ID", id},
                           {"SLURM_ARRAY_TASK_MIN", "10"},
                           {"SLURM_ARRAY_TASK_STEP", "5"},
                           {"SLURM_ARRAY_TASK_COUNT", "3"}});
  };
  EXPECT_EQ(task("10"), "1/3 by SLURM_ARRAY_TASK_ID");
  EXPECT_EQ(task("20"), "3/3 by SLURM_ARRAY_TASK_ID");
  for (const char* id : {"11", "25", "5"})
    EXPECT_EQ(task(id), "error: SLURM_ARRAY_TASK_ID names no shard") << id;
}

TEST(ShardOfEnvironment, NoneAndHalfOfOneAreErrors) {
  EXPECT_EQ(family_call_of({}), "error: no variable of the environment names a shard");
  EXPECT_EQ(family_call_of({{"CI_NODE_TOTAL", "1"}}), "error: no variable of the environment names a shard");
  EXPECT_EQ(family_call_of({{"JOB_COMPLETION_INDEX", "2"}}), "error: JOB_COMPLETION_INDEX names no shard");
  for (const char* index : {"4", "-1", "x", "1 "})
    EXPECT_EQ(family_call_of({{"TEST_SHARD_INDEX", index}, {"TEST_TOTAL_SHARDS", "4"}}),
              "error: TEST_SHARD_INDEX names no shard")
        << index;
  EXPECT_EQ(family_call_of({{"CI_NODE_INDEX", "0"}, {"CI_NODE_TOTAL", "4"}}),
            "error: CI_NODE_INDEX names no shard");
}

TEST(ShardOfEnvironment, TwoMustAgree) {
  Variables both = {
      {"TEST_SHARD_INDEX", "1"}, {"TEST_TOTAL_SHARDS", "4"}, {"CI_NODE_INDEX", "2"}, {"CI_NODE_TOTAL", "4"}};
  EXPECT_EQ(family_call_of(both), "2/4 by TEST_SHARD_INDEX");
  both["CI_NODE_INDEX"] = "3";
  EXPECT_EQ(family_call_of(both), "error: TEST_SHARD_INDEX says 2/4, and CI_NODE_INDEX says 3/4");
}

}  // namespace
}  // namespace scatterproof::runner
