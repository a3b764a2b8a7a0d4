// SPDX-License-Identifier: Apache-2.0
// What one job has judged, until it is handed over to all of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "practice.hpp"
#include "scatterproof/runner/fuzz/campaign.hpp"
#include "shared_by_jobs.hpp"
#include "tasks.hpp"

namespace scatterproof::runner::fuzz {

/// What calls with the same judgement share; names are looked up when a block is handed over.
struct CallClass {
  const spec::OpSpec* op;
  const engines::Engine* engine;
  const spec::Rule* broken;
  const spec::Relation* relation;
  spec::Verdict verdict;
  spec::Diagnosis diagnosis;
  spec::Diagnosis practice;
  std::string known;
  bool gradient;
  friend auto operator<=>(const CallClass&, const CallClass&) = default;
};

/// Of one job.
class Tallies {
 public:
  explicit Tallies(SharedByJobs& shared) : shared_(shared) {}

  /// A block has been made; reports its calls to observers.
  void begun(const CallsOfBlock& calls);
  /// This number of calls was not given to an engine that is known to crash on similar calls.
  void left_out(std::uint64_t calls) { own_.left_out += calls; }
  /// This number of calls was skipped because others like them had timed out.
  void skipped(const engines::Engine& engine, const spec::OpSpec& op, std::uint64_t calls) {
    own_.skipped[{engine.info().name, op.api}] += calls;
  }
  /// What an engine did with a call that the document leaves open.
  void practised(const Practices::Asked& call, const spec::Target& target, const spec::Outcome& outcome,
                 const spec::Diagnosis& practice) {
    practices_.saw(call, target, outcome, practice);
  }
  void refused_valid(const spec::OpSpec& op, const engines::Engine& engine, const spec::Refused& refused) {
    practices_.saw_valid_refused(op.api, engine.info().name, refused.message);
  }
  /// One call on one engine. `relation`: that was checked; null: the spec was. `practice`, `gradient`: as
  /// Kind's.
  void count(const spec::OpSpec& op, const engines::Engine& engine, const BlockCall& one,
             spec::Judgement judgement, const spec::Relation* relation = nullptr,
             spec::Diagnosis practice = {}, bool gradient = false);
  /// Adds everything to the result of the run. Returns how many kinds are new.
  std::uint64_t hand_over();

 private:
  SharedByJobs& shared_;
  FuzzResult own_;  ///< since the last handing over, without its kinds:
  std::map<CallClass, Tally> tallies_;
  Practices practices_;
};

}  // namespace scatterproof::runner::fuzz
