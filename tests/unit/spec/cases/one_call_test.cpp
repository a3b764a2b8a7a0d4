// SPDX-License-Identifier: Apache-2.0
// Case files that hold nothing but a call.
#include <gmock/gmock.h>

#include "fixture.hpp"

namespace scatterproof::spec::testing {
namespace {

using ::testing::HasSubstr;

TEST(Cases, AFileMayBeOneCall) {
  const auto cases =
      read("api: toy.pick\ncall: {x: {dtype: f32, values: [1.5]}, index: {dtype: i64, values: [0]}}\n");
  ASSERT_TRUE(cases) << to_string(cases.errors());
  ASSERT_EQ(cases->size(), 1U);
  EXPECT_EQ(cases->front().id, "toy.pick/call");
  EXPECT_EQ(cases->front().at.line, 2);
  const auto wrong = read("api: toy.pick\ncall: {y: 1}\n");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(to_string(wrong.errors()), HasSubstr("y"));
  EXPECT_FALSE(read("api: toy.pick\n"));
}

}  // namespace
}  // namespace scatterproof::spec::testing
