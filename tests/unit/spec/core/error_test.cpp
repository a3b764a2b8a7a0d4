// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/core/error.hpp"

#include <gtest/gtest.h>

#include "scatterproof/spec/core/text.hpp"

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

TEST(Error, EchoesNoRawBytes) {
  EXPECT_EQ(to_string(Error{.file = "a\x01.yaml", .what = "bad '\xff\x1b[2J'", .hint = "not '\xc3'"}),
            "a\\x01.yaml: error: bad '\\xff\\x1b[2J'\n  hint: not '\\xc3'\n");
  EXPECT_EQ(to_string(Error{.file = "a", .at = {1, 4}, .what = "bad", .source_line = "a\xff\tb"}),
            "a:1:4: error: bad\n  a  b\n     ^\n");
}

TEST(Error, QuotesNoLongValueInFull) {
  const std::string long_word =
      to_string(Error{.what = "unknown '" + std::string(60'000, 'x') + "' for --seed: use 1"});
  EXPECT_LT(long_word.size(), 300u);
  EXPECT_TRUE(long_word.starts_with("error: unknown 'xxx")) << long_word;
  EXPECT_TRUE(long_word.ends_with("x' for --seed: use 1\n")) << long_word;
  std::string words = "begin";
  for (int i = 0; i < 30'000; ++i) words += " \u00e9";
  const std::string many = to_string(Error{.what = words + " end"});
  EXPECT_LT(many.size(), 1100u);
  EXPECT_TRUE(many.ends_with(" end\n"));
  EXPECT_EQ(printable(many), many) << "no character is cut in half";
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

TEST(Error, HintsNameTheNearestCandidateOrSayWhatIsGiven) {
  EXPECT_EQ(did_you_mean("indx", {"dim", "index"}), "did you mean 'index'?");
  EXPECT_EQ(did_you_mean("zebra", {"dim", "index"}), "");
  EXPECT_EQ(did_you_mean("zebra", {"dim", "index"}, "use one of dim, index"), "use one of dim, index");
}

}  // namespace
}  // namespace scatterproof::spec
