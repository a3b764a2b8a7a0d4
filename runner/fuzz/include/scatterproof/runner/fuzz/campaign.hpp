// SPDX-License-Identifier: Apache-2.0
// What to generate, where to run it, and the results: values that every part of fuzz shares.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/runner/fuzz/generated.hpp"
#include "scatterproof/runner/relations/relations.hpp"
#include "scatterproof/runner/select/select.hpp"
#include "scatterproof/spec/core/diagnosis.hpp"
#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/core/verdict.hpp"
#include "scatterproof/spec/judge/judge.hpp"

namespace scatterproof::runner::fuzz {

/// One job's.
using Engines = std::vector<std::unique_ptr<engines::Engine>>;

/// Calls with the same judgement.
struct Kind {
  std::string api;
  std::string engine;
  std::string rule;      ///< the rule they break; empty: they obey all
  std::string relation;  ///< the relation that was checked; empty: they were judged by the spec
  spec::Verdict verdict;
  spec::Diagnosis diagnosis;  ///< of failures, without numbers; else none
  /// Of others that break a rule: what the engine did, without numbers; none if it was not examined.
  spec::Diagnosis practice;
  std::string known;      ///< of failures: the expected failure they are, by any name; empty: none
  bool gradient = false;  ///< their gradients were judged too
  friend auto operator<=>(const Kind&, const Kind&) = default;
};

struct Failure {
  std::uint64_t number = 0;  ///< of the call among its API's
  GeneratedCall made;
  spec::Judgement judgement;
  const spec::Relation* relation = nullptr;  ///< that is violated; null: the spec is
  bool gradient = false;                     ///< it shows when gradients are asked for
};

/// What to generate and where to run it. With the same apis, seed, wishes and calls, the same calls get the
/// same verdicts for any number of jobs, and the shards of a run together are the whole run: unless calls
/// time out, after which others are skipped.
struct Campaign {
  std::vector<const spec::OpSpec*> apis;
  std::uint64_t calls = 0;    ///< in all, spread evenly over the apis; 0: until the time is up
  double seconds = 0;         ///< 0: until all calls are made; else with the time to shrink failures
  double shrink_seconds = 0;  ///< of `seconds` is kept for each kind of failure that is not expected
  std::uint64_t seed = 0;
  GenerationOptions wishes;
  Shard shard;
  bool stop_at_first = false;  ///< at the first unexpected failure; later ones are not counted
  /// In which calls can be said in other ways; null: open calls are not asked with more lookups.
  const spec::FamilyLibrary* families = nullptr;
  bool relations = false;  ///< instead of judging by the specs, the relations of `families` are checked
  bool gradients = false;  ///< instead of the results alone, the gradients of valid calls are judged
  /// Otherwise: the names of engines that are asked for gradients too, in a share of the calls that they
  /// executed right.
  std::set<std::string> differentiated = {};
  const spec::SpecLibrary* specs = nullptr;  ///< with `relations`: where they find the other calls' specs
  /// The expected failure that a failure is; empty: none. Several threads ask at once. May be null.
  std::function<std::string(const Kind&, const Failure&)> known;
  std::chrono::milliseconds timeout{10'000};
  std::chrono::milliseconds grace{0};  ///< how long after `seconds` a call that is being executed is given up
  const std::atomic<bool>* interrupted = nullptr;
};

struct Tally {
  std::uint64_t count = 0;
  spec::ComparisonMode mode = spec::ComparisonMode::none;  ///< the widest
  std::string reason;              ///< of calls not judged on values: the reason given for the first of them
  std::shared_ptr<Failure> first;  ///< of failures: that with the lowest number
  spec::LikelyCauses causes;       ///< of failures: those that all of them have
  /// Of calls that passed, and of those with wrong cells that nothing excuses: how many of them each of their
  /// simple_globs() matches.
  std::map<std::string, std::uint64_t> globs;
};

struct FuzzResult {
  std::map<Kind, Tally> kinds;
  std::uint64_t made = 0;    ///< calls
  std::uint64_t judged = 0;  ///< calls times engines, where the document decides what is right
  std::uint64_t undecided =
      0;  ///< calls times engines that offer them, where it does not, or where an answer was lost
  std::uint64_t unsupported = 0;  ///< calls times engines that do not
  std::uint64_t failed = 0;       ///< of those judged, before any baseline is asked
  std::uint64_t left_out =
      0;  ///< calls times engines known to die of calls like these; only in a limited time
  /// Calls that were not executed because three like them had timed out, by engine and API.
  std::map<std::pair<std::string, std::string>, std::uint64_t> skipped;
  std::set<std::string> reached;  ///< APIs whose turn came: calls were judged, or sought in vain
  std::uint64_t fruitless = 0;    ///< numbers whose draw gave no call
  /// A sum over all calls and verdicts, the same for the same ones in any order.
  std::uint64_t digest = 0;
  spec::Errors errors;  ///< of specs that cannot be executed on a call they should define
};

/// Called now and then with the results so far, from one thread at a time.
using Observer = std::function<void(const FuzzResult& so_far)>;
/// Sees every call once, before it is judged, from one thread at a time.
using CallObserver = std::function<void(const spec::OpSpec&, const GeneratedCall&)>;
/// Called with a failure soon after the first of its kind, from one thread at a time.
using Found = std::function<void(const Kind&, const Failure&)>;

}  // namespace scatterproof::runner::fuzz
