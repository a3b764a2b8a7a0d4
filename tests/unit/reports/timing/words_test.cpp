// SPDX-License-Identifier: Apache-2.0
// Numbers as a person reads them, and the mark of uncertain ones.
#include "words.hpp"

#include <gtest/gtest.h>

namespace scatterproof::reports {
namespace {

TEST(Digits, AreThree) {
  EXPECT_EQ(digits(0), "0");
  EXPECT_EQ(digits(0.0541), "0.054");
  EXPECT_EQ(digits(0.5), "0.50");
  EXPECT_EQ(digits(2.104), "2.10");
  EXPECT_EQ(digits(9.996), "10.0");
  EXPECT_EQ(digits(12.94), "12.9");
  EXPECT_EQ(digits(99.96), "100");
  EXPECT_EQ(digits(1290), "1290");
}

TEST(TimeWords, TakeTheUnitThatFits) {
  EXPECT_EQ(time_words(80e-9), "80.0 ns");
  EXPECT_EQ(time_words(999.6e-9), "1.00 us");
  EXPECT_EQ(time_words(61.2e-3), "61.2 ms");
  EXPECT_EQ(time_words(75), "75.0 s");
}

TEST(SizeWords, ArePowersOf1024AndRound) {
  EXPECT_EQ(size_words(0), "0 B");
  EXPECT_EQ(size_words(512), "512 B");
  EXPECT_EQ(size_words(16 << 10), "16 KiB");
  EXPECT_EQ(size_words(4 << 20), "4 MiB");
  EXPECT_EQ(size_words(100 << 20), "100 MiB");
  EXPECT_EQ(size_words(1536), "1.5 KiB");
}

TEST(BytesWords, ArePowersOf1000) {
  EXPECT_EQ(bytes_words(16), "16 B");
  EXPECT_EQ(bytes_words(268435456), "268 MB");
  EXPECT_EQ(bytes_words(2.28e9), "2.28 GB");
}

TEST(CountWords, KeepSmallNumbersWhole) {
  EXPECT_EQ(count_words(512), "512");
  EXPECT_EQ(count_words(1 << 24), "16.8M");
}

TEST(RatioWords, MarkWhatIsNotSignificant) {
  const Ratio fact{2.1, 2, true};
  const Ratio unsure{2.1, 2, false};
  EXPECT_EQ(ratio_words(fact), "2.10x");
  EXPECT_EQ(ratio_words(unsure), "~2.10x");
  EXPECT_EQ(spelled_out(fact, ratio_words(fact)), "2.10x");
  EXPECT_EQ(spelled_out(unsure, ratio_words(unsure)), "~2.10x (not significant)");
  EXPECT_EQ(percent_words({0.85, 0.8, true}), "85 %");
  EXPECT_EQ(percent_words({0.85, 0.8, false}), "~85 %");
  EXPECT_EQ(percent_words({0.024, 0.023, true}), "2.4 %");
}

TEST(RatioWords, GiveBothWhereMinimumAndMedianDisagreeOnWhoIsFaster) {
  EXPECT_EQ(ratio_words({1.05, 0.97, true}), "1.05/0.97");
  EXPECT_EQ(ratio_words({0.97, 1.05, false}), "~0.97/1.05");
}

TEST(RatioWords, GiveBothWhereOneRepetitionWasFarFromAllOthers) {
  EXPECT_EQ(ratio_words({15.8, 6.1, true}), "15.8/6.10");
  EXPECT_EQ(percent_words({0.85, 0.4, true}), "85/40 %");
  EXPECT_EQ(ratio_words({15.8, 6.1, false}), "~15.8x") << "its mark says enough";
}

}  // namespace
}  // namespace scatterproof::reports
