// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/select/select.hpp"

#include <gtest/gtest.h>

namespace scatterproof::runner {
namespace {

TEST(Glob, MatchesWholeIds) {
  EXPECT_TRUE(matches_glob("torch.gather/doc/*", "torch.gather/doc/example-5"));
  EXPECT_TRUE(matches_glob("*", ""));
  EXPECT_TRUE(matches_glob("*/R?/breaks*", "torch.gather/rule/R2/breaks/dim-0"));
  EXPECT_TRUE(matches_glob("a*b*c", "a--b-b--c"));
  EXPECT_FALSE(matches_glob("torch.gather", "torch.gather/doc/example-5"));
  EXPECT_FALSE(matches_glob("*/R?/breaks", "torch.gather/rule/R12/breaks"));
  EXPECT_FALSE(matches_glob("a*b", "a--b--c"));
  EXPECT_FALSE(matches_glob("", "a"));
}

TEST(Glob, IsNotExponential) {
  std::string pattern;
  for (int i = 0; i < 40; ++i) pattern += "a*";
  EXPECT_FALSE(matches_glob(pattern + "b", std::string(2000, 'a')));
}

spec::Case named(const std::string& id, std::vector<std::string> tags = {}) {
  spec::Case one;
  one.id = id;
  one.tags = std::move(tags);
  return one;
}

bool holds(const std::string& expression, const spec::Case& one) {
  const auto filter = Filter::parse(expression);
  EXPECT_TRUE(filter) << expression;
  return filter && filter->holds(one);
}

TEST(Filter, CombinesWords) {
  const spec::Case one = named("torch.gather/more/empty-index", {"nan"});
  EXPECT_TRUE(holds("gather", one));
  EXPECT_TRUE(holds("nan", one));
  EXPECT_FALSE(holds("gather and not empty", one));
  EXPECT_TRUE(holds("not scatter and (nan or inf)", one));
  EXPECT_TRUE(holds("scatter and inf or gather", one));  // and binds tighter
  EXPECT_FALSE(holds("scatter and (inf or gather)", one));
}

TEST(Filter, RefusesWhatItCannotRead) {
  for (const char* bad : {"", "and", "a b", "(a", "a)", "a and", "not", "a or or b"})
    EXPECT_FALSE(Filter::parse(bad)) << bad;
  EXPECT_FALSE(Filter::parse(std::string(100'000, '(')));
}

TEST(Shard, PartitionsEveryId) {
  for (int i = 0; i < 500; ++i) {
    const std::string id = "case-" + std::to_string(i);
    int homes = 0;
    for (int part = 1; part <= 7; ++part) homes += Shard::parse(std::to_string(part) + "/7")->has(id);
    EXPECT_EQ(homes, 1) << id;
  }
}

TEST(Shard, IsTheSameOnEveryMachine) {
  // FNV-1a of "a", from the algorithm's published test vectors.
  EXPECT_EQ(stable_hash("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_NE(stable_hash("a", 1), stable_hash("a", 2));
}

TEST(Shard, RefusesNonsense) {
  for (const char* bad : {"", "1", "0/4", "5/4", "1/0", "a/b", "1/2/3", "-1/2", "1/ 2"})
    EXPECT_FALSE(Shard::parse(bad)) << bad;
}

}  // namespace
}  // namespace scatterproof::runner
