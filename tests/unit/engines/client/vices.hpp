// SPDX-License-Identifier: Apache-2.0
// The ways in which the mock misbehaves, and what is then said of the calls.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "mock.hpp"

namespace scatterproof::engines::testing {

enum class Is { produced, crashed, timed_out, garbled };

Is kind(const spec::Outcome& outcome);

struct Vice {
  std::string name;
  Is expected;
  std::string says;  ///< part of the outcome's words
  std::chrono::milliseconds timeout = std::chrono::seconds(20);
};

extern const std::vector<Vice> vices;

using Run = std::vector<spec::Outcome>(Engine&, const std::vector<spec::Call>&, std::chrono::milliseconds);

/// Runs 64 calls, and one has the vice: that one gets the outcome, all others their answers, and no process
/// is left.
void blames_the_right_call(const Vice& vice, Run run);

}  // namespace scatterproof::engines::testing
