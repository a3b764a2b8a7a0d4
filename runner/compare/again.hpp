// SPDX-License-Identifier: Apache-2.0
// Whether members repeat their observed behaviour.
#pragma once

#include <memory>

#include "budget.hpp"
#include "differences.hpp"

namespace scatterproof::runner::compare {

/// Members on engines in new processes. An engine without a process of its own stays as it is.
class FreshMembers;

/// Asks each member again for the call behind each of its behaviours, in a process that has executed nothing
/// else before. What a member did by chance, or because of earlier calls, it does not do again.
class AskingAgain {
 public:
  /// Begins to start the processes. Both must outlive it.
  AskingAgain(const Plan& plan, const Budget& budget);
  ~AskingAgain();
  AskingAgain(const AskingAgain&) = delete;
  AskingAgain& operator=(const AskingAgain&) = delete;

  /// Sets Behaviour::repeated: it did the same, with the same result. Where time ends before,
  /// Behaviour::asked_again, and ComparisonResult::not_asked_again. Once.
  void run(ComparisonResult& compared, const Observations& answers);

 private:
  const Plan& plan_;
  const Budget& budget_;
  std::unique_ptr<FreshMembers> first_;
};

}  // namespace scatterproof::runner::compare
