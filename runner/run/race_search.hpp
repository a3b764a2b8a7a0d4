// SPDX-License-Identifier: Apache-2.0
// Executes calls again in which threads could race.
#pragma once

#include <chrono>
#include <set>
#include <string>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/family/family.hpp"

namespace scatterproof::runner {

/// Of one engine, which has no other calls meanwhile. Everything it is given must outlive it.
class RaceSearch {
 public:
  /// `families` may be null: calls are then executed again as they are.
  RaceSearch(engines::Engine& engine, const spec::FamilyLibrary* families, std::chrono::milliseconds timeout);

  /// Whether it looks at all: the engine is a kernel of the user's own.
  bool may_race() const { return may_race_; }

  /// Executes a call again: one that failed, to tell whether it always does; one in which values meet, with
  /// several numbers of threads; and that with its lookups thousands of times, as cases are too small for
  /// threads to meet. As long as all that takes no longer than everything else; but once for each API in any
  /// case, and there whatever fails counts: a crash, or a value that is wrong with one thread too. A failure
  /// replaces the judgement.
  void look(Trial& trial);

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }
  void look_when_crowded(Trial& trial);

  engines::Engine& engine_;
  const spec::FamilyLibrary* families_;
  const std::chrono::milliseconds timeout_;
  const bool may_race_;
  const Clock::time_point begun_ = Clock::now();
  double seconds_ = 0;             ///< so far
  std::set<std::string> crowded_;  ///< APIs that had a call with thousands of lookups
  bool hangs_ = false;             ///< the last such call did
};

}  // namespace scatterproof::runner
