// SPDX-License-Identifier: Apache-2.0
// Calls that an engine is known to die of: each costs a new process, or the whole time limit.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "scatterproof/runner/fuzz/generated.hpp"
#include "scatterproof/spec/core/outcome.hpp"

namespace scatterproof::runner::fuzz {

/// What one engine died of. Calls are similar when they have the same API, broken rule, words, and the same
/// dtypes and ranks of tensors.
class DeadlyCalls {
 public:
  /// Whether to leave this call out: most similar calls were deadly, and this is not the one in sixteen that
  /// is asked nevertheless. `hash` chooses that one.
  bool leave_out(const GeneratedCall& made, std::uint64_t hash) const;
  void saw(const GeneratedCall& made, const spec::Outcome& outcome);

 private:
  struct Seen {
    std::uint64_t calls = 0;
    std::uint64_t deadly = 0;
  };
  std::map<std::uint64_t, Seen> seen_;  ///< by what similar calls have in common
};

}  // namespace scatterproof::runner::fuzz
