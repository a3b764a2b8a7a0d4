// SPDX-License-Identifier: Apache-2.0
// What a scorecard says of claims that were not executed.
#include "scatterproof/runner/claims/scorecard.hpp"

#include <gmock/gmock.h>

#include "toy_claims.hpp"

namespace scatterproof::runner::claims {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string card_of(bool interrupted) {
  const MappingClaim claim = claim_of(file_with("false"));
  const std::vector<ClaimFile> none;
  return console({.files = none,
                  .checked = {},
                  .chosen = {&claim},
                  .date = "",
                  .command = "",
                  .engines = {},
                  .interrupted = interrupted});
}

TEST(Scorecard, InterruptionIsNoLackOfAnEngine) {
  EXPECT_THAT(card_of(true), HasSubstr("T-1  not executed: interrupted before\n"));
  EXPECT_THAT(card_of(true), HasSubstr("; interrupted, so that the last standing may rest on few calls"));
  EXPECT_THAT(card_of(false), HasSubstr("T-1  not executed: no engine for it was started\n"));
  EXPECT_THAT(card_of(false), Not(HasSubstr("interrupted")));
}

}  // namespace
}  // namespace scatterproof::runner::claims
