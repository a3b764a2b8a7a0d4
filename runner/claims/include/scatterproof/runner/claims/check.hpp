// SPDX-License-Identifier: Apache-2.0
// Verifies a claim: calls of A are executed by both, and what B did is judged by what A's document requires.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/runner/claims/claim.hpp"
#include "scatterproof/runner/compare/input_classes.hpp"
#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/judge/judge.hpp"

namespace scatterproof::runner::claims {

/// What B did instead of what A's document requires.
enum class Departure : std::uint8_t {
  refuses,
  other_values,
  other_dtype,
  other_shape,
  crashes  ///< or hangs
};
std::string_view name(Departure did);
/// Whether the departure goes unnoticed: B gives a result, and it is another.
bool is_silent(Departure did);

/// A call of A, and the result of checking it.
struct ClaimTrial {
  enum class State : std::uint8_t {
    agrees,
    differs,
    not_about,   ///< the claim, or A's document, does not mention it
    a_departs,   ///< A itself does not do what its document requires
    not_offered  ///< an engine does not take it, or could not be asked
  };
  spec::Call a;
  spec::Call b;
  State state = State::not_about;
  Departure did = Departure::refuses;
  std::string refusal;   ///< B's error class and message, without numbers; empty unless it refuses
  bool telling = false;  ///< of one that agrees: a fault could have shown
  spec::Outcome outcome_a, outcome_b;
  spec::Judgement judgement_a, judgement_b;  ///< both by A's document
  compare::InputClassSet classes;
};

/// A difference that was found, with its smallest call.
struct ClaimDifference {
  /// Places in CheckedClaim::classes: the difference is about calls that are in all of them. Empty: no class
  /// separates them; then it is about calls that are refused with the same message, or calls that are not
  /// refused.
  std::vector<std::size_t> when;
  Departure did = Departure::refuses;
  /// The readings (spec/data/comparisons/readings.yaml) that explain other values: `clamps`; empty: none.
  std::string explained;
  bool after_others = false;  ///< a new process of B does not show it: it depends on the calls before
  std::size_t count = 0;      ///< calls that differ so
  std::size_t of = 0;         ///< calls in these classes that differ, or agree
  ClaimTrial witness;
};

struct CheckOptions {
  /// Of the family in whose roles calls of A are said; null: there is none.
  const spec::FamilyComparison* comparison = nullptr;
  std::span<const spec::Call> cases;  ///< shipped calls of A, tried before generated ones
  std::uint64_t seed = 1;
  std::size_t calls = 1000;  ///< to be executed
  std::chrono::milliseconds timeout{10'000};
  double shrink_seconds = 5;  ///< a witness
  const std::atomic<bool>& interrupted;
};

struct CheckedClaim {
  const MappingClaim* claim = nullptr;
  engines::EngineInfo a, b;
  ClaimStanding standing = ClaimStanding::not_run;
  std::string why_not_run;
  std::vector<compare::InputClass> classes;  ///< of calls of A
  std::size_t agree = 0, telling = 0, differ = 0, a_departs = 0, not_offered = 0;
  std::vector<std::size_t> stated_seen;      ///< by stated difference: calls that differ so
  std::vector<ClaimDifference> differences;  ///< that the claim does not state
  std::size_t left = 0;                      ///< calls that agree when the differences are kept off
  compare::InputClassSet inside, outside;    ///< classes that executed calls are in, and not in
};

/// Precondition: both engines are started and offer the claim's APIs, and it has an A and a B.
CheckedClaim check(const MappingClaim& claim, engines::Engine& a, engines::Engine& b,
                   const CheckOptions& options);

/// Executes those of the claim's printed calls whose API the engine offers, and checks them against what is
/// printed. In each trial, `b` is the call. Each call is a class of its own: `MS-22/1`.
CheckedClaim check_printed(const MappingClaim& claim, engines::Engine& engine, const CheckOptions& options);

/// Whether the engine executes calls of the API.
bool offers(const engines::Engine& engine, const spec::OpSpec& op);

/// `index/negative and data/no-dimensions: refuses`.
std::string name_of(const ClaimDifference& difference, const std::vector<compare::InputClass>& classes);

}  // namespace scatterproof::runner::claims
