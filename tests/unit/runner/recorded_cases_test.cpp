// SPDX-License-Identifier: Apache-2.0
#include "recorded_cases.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "scatterproof/engines/recorded/recording.hpp"
#include "tensors.hpp"
#include "toy.hpp"

namespace scatterproof::runner {
namespace {

class RecordedCases : public testing::Test {
 protected:
  void TearDown() override { std::remove(path_.c_str()); }

  /// The cases of a recording with these calls.
  spec::GoodCases read(const std::vector<std::pair<std::string, spec::Call>>& calls) {
    std::ofstream file(path_, std::ios::binary);
    file << engines::header_line({"a", "", "1", "cpu", {"toy.put"}, {"i64"}});
    for (const auto& [from, call] : calls)
      file << engines::call_line(from, call, {spec::Unavailable{"not asked"}, 0});
    file.close();
    return recorded_cases(path_, toy_catalogue().specs);
  }

  spec::Call call_ = {"toy.put",
                      {{"src", spec::testing::ints({2}, {5, 7})},
                       {"self", spec::testing::ints({3}, {0, 0, 0})},
                       {"index", spec::testing::ints({2}, {2, 0})}}};
  std::string path_ = testing::TempDir() + "recorded-" + std::to_string(getpid()) + ".jsonl";
};

TEST_F(RecordedCases, AreTheCallsInTheSpecsOrder) {
  const spec::GoodCases read_back = read({{"toy.put/fuzz/valid/1", call_}, {"somebody's test", call_}});
  ASSERT_TRUE(read_back.errors.empty()) << spec::to_string(read_back.errors);
  ASSERT_EQ(read_back.cases.size(), 2u);
  EXPECT_EQ(read_back.cases[0].id, "toy.put/fuzz/valid/1");
  EXPECT_EQ(read_back.cases[1].id, "toy.put/recorded/3");
  const spec::Call& call = read_back.cases[0].call;
  std::vector<std::string> names;
  for (const auto& [name, value] : call.arguments) {
    names.push_back(name);
    EXPECT_TRUE(identical(value, *call_.find(name))) << name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"self", "index", "src"}));
  EXPECT_EQ(read_back.cases[0].expect.kind, spec::CaseExpectation::Kind::spec);
}

TEST_F(RecordedCases, WhatIsNoCallOfItsApiIsAnErrorWithItsLine) {
  spec::Call unknown_api = call_, missing = call_, unknown_argument = call_, wrong = call_;
  unknown_api.api = "toy.take";
  missing.arguments.erase(missing.arguments.begin());
  unknown_argument.arguments.emplace_back("axis", spec::Scalar::of_int(0));
  wrong.arguments[0].second = spec::Scalar::of_int(5);
  const spec::GoodCases read_back =
      read({{"", unknown_api}, {"", missing}, {"", unknown_argument}, {"", wrong}, {"", call_}});
  std::vector<std::string> errors;
  for (const spec::Error& error : read_back.errors)
    errors.push_back(std::to_string(error.at.line) + ": " + error.what);
  EXPECT_EQ(errors,
            (std::vector<std::string>{"2: unknown API 'toy.take'", "3: argument 'src' of toy.put is missing",
                                      "4: toy.put has no argument 'axis'",
                                      "5: argument 'src' of toy.put must be a tensor, and is 5"}));
  EXPECT_EQ(read_back.cases.size(), 1u);
}

}  // namespace
}  // namespace scatterproof::runner
