// SPDX-License-Identifier: Apache-2.0
// What is said of baselines that cannot be.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "scatterproof/runner/baseline/baseline.hpp"

namespace scatterproof::runner {
namespace {

class BaselineError : public testing::Test {
 protected:
  void TearDown() override { std::remove(path_.c_str()); }
  spec::Errors errors_of(const std::string& text) {
    std::ofstream(path_) << text;
    return Baseline().add(path_);
  }
  /// The only error of a file with one entry that has this line.
  spec::Error error_of(const std::string& line) {
    const spec::Errors errors = errors_of(
        "baseline:\n  - case: torch.gather/fuzz/valid\n    engine: torch\n    verdict: mismatch\n    " +
        line + "\n    reason: r\n    since: 2026-01-01\n");
    EXPECT_EQ(errors.size(), 1u) << spec::to_string(errors);
    return errors.empty() ? spec::Error{} : errors.front();
  }
  const std::string path_ = testing::TempDir() + "baseline-error-" + std::to_string(getpid()) + ".yaml";
};

TEST_F(BaselineError, OfAFileThatStillSpeaksOfExplanations) {
  const spec::Error error = error_of("explanation: 'out*'");
  EXPECT_EQ(error.at.line, 5);
  EXPECT_NE(error.what.find("'explanation' is no longer a field"), std::string::npos) << error.what;
  EXPECT_NE(error.hint.find("use 'diagnosis'"), std::string::npos) << error.hint;
}

TEST_F(BaselineError, OfADiagnosisThatCannotBe) {
  const spec::Error error = error_of("diagnosis: [cell/*, wrong_meening/*]");
  EXPECT_EQ(error.at.line, 5);
  EXPECT_EQ(error.what, "no diagnosis matches 'wrong_meening/*'");
}

TEST_F(BaselineError, OfACallOfACaseThatHasAnId) {
  const spec::Errors errors = errors_of(
      "baseline:\n"
      "  - case: torch.gather/doc/*\n"
      "    engine: torch\n"
      "    verdict: mismatch\n"
      "    call: '*i32*'\n"
      "    reason: r\n"
      "    since: 2026-01-01\n");
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].what, "name a case by its id, not by its call");
  EXPECT_EQ(errors[0].at.line, 5);
}

TEST_F(BaselineError, OfADayThatTheCalendarLacks) {
  for (const auto& [expires, wrong] : {std::pair("2028-02-29", 0u), std::pair("2027-02-29", 1u),
                                       std::pair("2027-13-01", 1u), std::pair("2027-11-31", 1u)}) {
    const spec::Errors errors = errors_of(
        "baseline:\n  - {case: a, engine: b, verdict: crash, reason: c, since: 2026-01-01, expires: " +
        std::string(expires) + "}\n");
    ASSERT_EQ(errors.size(), wrong) << expires;
    for (const spec::Error& error : errors) EXPECT_EQ(error.what, std::string("there is no day ") + expires);
  }
}

TEST_F(BaselineError, OfAPassAsADeviation) {
  const spec::Errors errors =
      errors_of("baseline:\n  - {case: a, engine: b, verdict: pass, reason: c, since: 2026-01-01}\n");
  ASSERT_FALSE(errors.empty());
  EXPECT_EQ(errors[0].at.line, 2);
}

}  // namespace
}  // namespace scatterproof::runner
