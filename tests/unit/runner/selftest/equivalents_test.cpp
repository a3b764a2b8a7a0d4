// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/selftest/equivalents.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace scatterproof::runner::selftest {
namespace {

const std::string path = ::testing::TempDir() + "selftest-equivalents.yaml";

spec::Result<Equivalents> load(const std::string& text) {
  std::ofstream(path) << text;
  auto loaded = load_equivalents(path);
  std::remove(path.c_str());
  return loaded;
}

TEST(Equivalents, AreNamesWithArguments) {
  const auto loaded =
      load("equivalents:\n  - names: [faulty:a]\n    why: nothing in the result depends on it\n");
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->at("faulty:a").why, "nothing in the result depends on it");
  EXPECT_EQ(loaded->at("faulty:a").at, (spec::Position{2, 13}));
}

TEST(Equivalents, ListedTwiceAreAnError) {
  const auto loaded = load(
      "equivalents:\n  - {names: [a], why: nothing in the result depends on it}\n"
      "  - {names: [a], why: nothing in the result depends on it}\n");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.errors().front().what, "'a' is listed twice");
  EXPECT_EQ(loaded.errors().front().at.line, 3);
  EXPECT_EQ(loaded.errors().front().hint, "first listed in line 2");
}

TEST(Equivalents, WithoutAnArgumentAreAnError) {
  EXPECT_FALSE(load("equivalents:\n  - {names: [a]}\n"));
  EXPECT_FALSE(load("equivalents:\n  - {names: [a], why: so}\n"));
}

TEST(Equivalents, OfNoFaultAreAnErrorWithAHint) {
  const auto loaded =
      load("equivalents:\n  - {names: [dropped-tial], why: nothing in the result depends on it}\n");
  ASSERT_TRUE(loaded);
  const auto errors = unknown_names(*loaded, "file", {"dropped-tail", "other"});
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].hint, "did you mean 'dropped-tail'?");
  EXPECT_EQ(errors[0].at.line, 2);
  EXPECT_TRUE(unknown_names(*loaded, "file", {"dropped-tial"}).empty());
}

}  // namespace
}  // namespace scatterproof::runner::selftest
