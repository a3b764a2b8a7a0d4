// SPDX-License-Identifier: Apache-2.0
// Ids and names in case files.
#include <gmock/gmock.h>

#include "fixture.hpp"

namespace scatterproof::spec::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Cases, RefuseUnknownNamesAndDoubleIds) {
  EXPECT_THAT(complaints("api: toy.pikc\ncases:\n  - {id: a, why: b, call: {}}\n"),
              ElementsAre(HasSubstr("did you mean 'toy.pick'?")));
  const std::string one =
      "  - {id: a, why: b, call: {x: {dtype: f32, shape: [0]}, index: {dtype: i64, shape: [0]}}}\n";
  EXPECT_THAT(complaints("api: toy.pick\ncases:\n" + one + one),
              ElementsAre(HasSubstr("case 'toy.pick/a' is already taken")));
  EXPECT_THAT(
      complaints(
          "api: toy.pick\ncases:\n  - {rule: insid, side: obeys, why: b, call: {x: {dtype: f32, shape: [0]}, "
          "index: {dtype: i64, shape: [0]}}}\n"),
      ElementsAre(HasSubstr("did you mean 'inside'?")));
}

/// Records of gradients have such ids.
TEST(Cases, HaveNoIdThatEndsInGradient) {
  const auto of = [](const std::string& id) {
    return complaints("api: toy.pick\ncases:\n  - {id: " + id +
                      ", why: b, call: {x: {dtype: u8, shape: [0]}, index: {dtype: i64, shape: [0]}}}\n");
  };
  for (const char* id : {"gradient", "trues/gradient"})
    EXPECT_THAT(of(id), ElementsAre(HasSubstr("the last part is not gradient"))) << id;
  for (const char* id : {"gradient/trues", "trues/gradients", "trues/no.gradient"})
    EXPECT_THAT(of(id), IsEmpty()) << id;
}

}  // namespace
}  // namespace scatterproof::spec::testing
