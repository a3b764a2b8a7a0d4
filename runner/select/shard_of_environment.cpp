// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/select/shard_of_environment.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <optional>
#include <vector>

namespace scatterproof::runner {
namespace {

/// Two variables that say it, and where counting begins.
struct Convention {
  const char* index;
  const char* total;
  std::uint64_t first;
};

constexpr Convention conventions[] = {
    {"TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", 0},        // Bazel
    {"GTEST_SHARD_INDEX", "GTEST_TOTAL_SHARDS", 0},      // GoogleTest's protocol
    {"JOB_COMPLETION_INDEX", "SCATTERPROOF_SHARDS", 0},  // Kubernetes, which does not say how many there are
    {"CI_NODE_INDEX", "CI_NODE_TOTAL", 1},               // GitLab
    {"CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", 0},       // CircleCI
    {"BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", 0},
};

std::optional<std::uint64_t> number_in(const std::string& text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || at != end || text.empty()) return std::nullopt;
  return value;
}

spec::Result<GivenShard> shard_from(const std::string& variable, std::optional<std::uint64_t> index,
                                    std::optional<std::uint64_t> total) {
  if (!index || !total || *index < 1 || *index > *total)
    return spec::Error{
        .what = fmt::format("{} names no shard", variable),
        .hint = "its companions must say how many there are; or name the part with --shard I/N"};
  return GivenShard{fmt::format("{}/{}", *index, *total), variable};
}

/// Task ids of a Slurm array go from MIN in steps.
spec::Result<GivenShard> of_slurm(const Environment& lookup) {
  const auto id = number_in(lookup("SLURM_ARRAY_TASK_ID")), first = number_in(lookup("SLURM_ARRAY_TASK_MIN"));
  const auto total = number_in(lookup("SLURM_ARRAY_TASK_COUNT")),
             step = number_in(lookup("SLURM_ARRAY_TASK_STEP"));
  const bool whole = id && first && step && *step > 0 && *id >= *first && (*id - *first) % *step == 0;
  return shard_from("SLURM_ARRAY_TASK_ID", whole ? std::optional((*id - *first) / *step + 1) : std::nullopt,
                    total);
}

}  // namespace

std::vector<std::string> shard_variables(const Environment& lookup) {
  std::vector<std::string> set;
  for (const Convention& one : conventions)
    if (!lookup(one.index).empty()) set.emplace_back(one.index);
  if (!lookup("SLURM_ARRAY_TASK_ID").empty()) set.emplace_back("SLURM_ARRAY_TASK_ID");
  return set;
}

spec::Result<GivenShard> shard_of_environment(const Environment& lookup) {
  std::vector<spec::Result<GivenShard>> found;
  for (const Convention& one : conventions) {
    const std::string text = lookup(one.index);
    if (text.empty()) continue;
    auto index = number_in(text);
    if (index) *index += 1 - one.first;
    found.push_back(shard_from(one.index, index, number_in(lookup(one.total))));
  }
  if (!lookup("SLURM_ARRAY_TASK_ID").empty()) found.push_back(of_slurm(lookup));
  if (found.empty())
    return spec::Error{.what = "no variable of the environment names a shard",
                       .hint = "name the part with --shard I/N"};
  for (const spec::Result<GivenShard>& one : found) {
    if (!one) return one.errors();
    if (one->shard != found.front()->shard)
      return spec::Error{.what = fmt::format("{} says {}, and {} says {}", found.front()->variable,
                                             found.front()->shard, one->variable, one->shard),
                         .hint = "name the part with --shard I/N"};
  }
  return found.front();
}

}  // namespace scatterproof::runner
