// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/core/error.hpp"

#include <gtest/gtest.h>

namespace scatterproof::spec {
namespace {

TEST(Error, PointsAtTheColumn) {
  const Error error{"a.yaml", {3, 5}, "unknown key 'dmi'", "did you mean 'dim'?", "    dmi: 0"};
  EXPECT_EQ(to_string(error),
            "a.yaml:3:5: error: unknown key 'dmi'\n"
            "      dmi: 0\n"
            "      ^\n"
            "  hint: did you mean 'dim'?\n");
}

TEST(Error, OfAFlagHasNoPlace) {
  EXPECT_EQ(to_string(Error{"", {}, "no such engine", "", ""}), "error: no such engine\n");
}

TEST(Error, CutsALongLineAroundTheColumn) {
  const Error error{"a.yaml", {1, 5001}, "bad", "", std::string(5000, 'x') + "!" + std::string(5000, 'y')};
  const std::string text = to_string(error);
  EXPECT_LT(text.size(), 300u);
  const auto caret = text.find('^'), bang = text.find('!');
  ASSERT_NE(bang, std::string::npos);
  EXPECT_EQ(caret - (text.rfind('\n', caret) + 1), bang - (text.rfind('\n', bang) + 1));
}

TEST(Nearest, FindsASlipAndNothingFarther) {
  EXPECT_EQ(nearest("indx", {"dim", "index", "src"}), "index");
  EXPECT_EQ(nearest("dmi", {"dim", "index"}), "dim");  // a swap is one slip
  EXPECT_EQ(nearest("slef", {"self", "src"}), "self");
  EXPECT_EQ(nearest("dum", {"src", "index"}), std::nullopt);
  EXPECT_EQ(nearest("dims", {"dim", "index"}), "dim");
  EXPECT_EQ(nearest("zebra", {"dim", "index"}), std::nullopt);
  EXPECT_EQ(nearest("", {"dim"}), std::nullopt);
}

}  // namespace
}  // namespace scatterproof::spec
