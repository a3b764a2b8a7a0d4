// SPDX-License-Identifier: Apache-2.0
// The two hunts, on calls made by hand: what they catch, when, and by which call.
#include <gtest/gtest.h>

#include "library.hpp"
#include "scatterproof/runner/selftest/selftest.hpp"

namespace scatterproof::runner::selftest {
namespace {

/// Each API's calls are its shipped cases, then none.
Calls from_cases(const spec::OpSpec& spec) {
  auto calls = std::make_shared<std::vector<spec::Call>>();
  for (const spec::Case& one : shipped().cases)
    if (one.call.api == spec.api) calls->push_back(one.call);
  return [calls](std::uint64_t number) -> std::optional<spec::Call> {
    if (number >= calls->size()) return std::nullopt;
    return (*calls)[number];
  };
}

Options options(std::vector<std::string> names, std::uint64_t cases, int jobs = 1) {
  Options made;
  made.cases = cases;
  made.jobs = jobs;
  made.calls = from_cases;
  made.wanted = [names = std::move(names)](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  made.tried = [](const std::string&) {};
  return made;
}

TEST(TryFaults, FindsAFaultAndTheCallThatShowsIt) {
  const auto tried = try_faults(shipped().specs, options({"faulty:dropped-tail"}, 5'000));
  ASSERT_EQ(tried.size(), 1u);
  ASSERT_TRUE(tried[0].kill);
  EXPECT_EQ(tried[0].kill->verdict, "mismatch");
  EXPECT_EQ(tried[0].says, "The last element is left out.");
}

TEST(TryFaults, LetsLiveWhatTheDocumentsAllow) {
  const auto tried = try_faults(shipped().specs, options({"faulty:mean-truncates"}, 5'000));
  ASSERT_EQ(tried.size(), 1u);
  EXPECT_FALSE(tried[0].kill);
}

TEST(TryFaults, StopsAtTheNumberOfCallsItIsGiven) {
  const auto all = try_faults(shipped().specs, options({"faulty:nan-is-zero"}, 5'000));
  ASSERT_TRUE(all[0].kill);
  const std::uint64_t needed = all[0].kill->calls;
  ASSERT_GT(needed, 1u);
  EXPECT_TRUE(try_faults(shipped().specs, options({"faulty:nan-is-zero"}, needed))[0].kill);
  EXPECT_FALSE(try_faults(shipped().specs, options({"faulty:nan-is-zero"}, needed - 1))[0].kill);
}

TEST(TryFaults, AnyNumberOfThreadsGivesTheSame) {
  const std::vector<std::string> names = {"faulty:dropped-tail", "faulty:nan-is-zero",
                                          "faulty:index-clamped"};
  const auto one = try_faults(shipped().specs, options(names, 5'000, 1));
  const auto three = try_faults(shipped().specs, options(names, 5'000, 3));
  ASSERT_EQ(one.size(), 3u);
  for (std::size_t i = 0; i < one.size(); ++i) {
    ASSERT_TRUE(one[i].kill && three[i].kill) << one[i].name;
    EXPECT_EQ(one[i].kill->calls, three[i].kill->calls) << one[i].name;
    EXPECT_EQ(spec::to_string(one[i].kill->witness), spec::to_string(three[i].kill->witness)) << one[i].name;
  }
}

TEST(TryMutants, FindsAWeakenedRuleAndAnAlteredMeaning) {
  const std::vector<std::string> names = {"torch.gather/rule/dim-range/removed",
                                          "torch.gather/value/changed-1",
                                          "torch.Tensor.scatter_/combine/changed-1"};
  const auto tried = try_mutants(shipped().specs, options(names, 1'000, 2));
  EXPECT_EQ(tried.size(), names.size());
  for (const SelftestResult& one : tried) EXPECT_TRUE(one.kill) << one.name;
}

/// The reference assigns in order, so only an engine that uses the freedom contradicts its loss.
TEST(TryMutants, HoldsATakenLatitudeAgainstAnEngineThatUsesIt) {
  const auto tried =
      try_mutants(shipped().specs, options({"torch.Tensor.scatter_/latitude/collisions-last"}, 1'000));
  ASSERT_EQ(tried.size(), 1u);
  ASSERT_TRUE(tried[0].kill);
  EXPECT_EQ(tried[0].kill->verdict, "mismatch");
}

/// The reference counts a negative dim from the end, as the mutant does; an engine may refuse it as well.
TEST(TryMutants, JudgesARefusalOfWhatIsOpen) {
  const auto tried = try_mutants(shipped().specs,
                                 options({"mindspore.mint.index_add/rule/dim-not-negative/removed"}, 1'000));
  ASSERT_EQ(tried.size(), 1u);
  ASSERT_TRUE(tried[0].kill);
  EXPECT_EQ(tried[0].kill->verdict, "unexpected_error");
}

}  // namespace
}  // namespace scatterproof::runner::selftest
