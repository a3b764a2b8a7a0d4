// SPDX-License-Identifier: Apache-2.0
#include "tallies.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "scatterproof/reports/counts.hpp"
#include "scatterproof/runner/baseline/baseline.hpp"
#include "scatterproof/runner/calls/call_globs.hpp"
#include "scatterproof/runner/calls/call_hash.hpp"
#include "scatterproof/runner/trial/trial.hpp"

namespace scatterproof::runner::fuzz {
namespace {

Kind kind_of(const CallClass& alike) {
  return {.api = alike.op->api,
          .engine = alike.engine->info().name,
          .rule = alike.broken ? alike.broken->id : "",
          .relation = alike.relation ? alike.relation->id : "",
          .verdict = alike.verdict,
          .diagnosis = alike.diagnosis,
          .practice = alike.practice,
          .known = alike.known,
          .gradient = alike.gradient};
}

/// Leaves the causes that these calls have too; `any`: others were counted before.
void keep_common(spec::LikelyCauses& common, const spec::LikelyCauses& causes, bool any) {
  if (any)
    std::erase_if(common, [&](const spec::Diagnosis& one) { return !names(causes, one); });
  else
    common = causes;
}

}  // namespace

void Tallies::begun(const CallsOfBlock& calls) {
  own_.made += calls.made.size();
  own_.fruitless += calls.fruitless;
  own_.reached.insert(calls.op.api);
  if (!shared_.observer) return;
  const std::scoped_lock lock(shared_.mutex);
  for (const BlockCall& one : calls.made) shared_.observer(calls.op, one.generated);
}

void Tallies::count(const spec::OpSpec& op, const engines::Engine& engine, const BlockCall& one,
                    spec::Judgement judgement, const spec::Relation* relation, spec::Diagnosis practice,
                    bool gradient) {
  const bool failed = is_failure(judgement.verdict);
  const bool is_wrong = without_guess(judgement.diagnosis).kind == spec::DiagnosisKind::cells_other;
  CallClass alike{.op = &op,
                  .engine = &engine,
                  .broken = one.generated.broken,
                  .relation = relation,
                  .verdict = judgement.verdict,
                  .diagnosis = {},
                  .practice = {},
                  .known = "",
                  .gradient = gradient};
  const spec::ComparisonMode mode = judgement.mode;
  std::shared_ptr<Failure> failure;
  if (failed) {
    alike.diagnosis = without_numbers(judgement.diagnosis);
    failure = std::make_shared<Failure>(one.number, one.generated, std::move(judgement), relation, gradient);
    if (shared_.campaign.known) alike.known = shared_.campaign.known(kind_of(alike), *failure);
    if (shared_.campaign.stop_at_first && alike.known.empty()) {
      if (shared_.found_one.exchange(true)) return;
      shared_.stop = true;
    }
  } else {
    alike.practice = std::move(practice);
  }
  own_.digest += mix(one.hash, stable_hash(engine.info().name, static_cast<std::uint64_t>(alike.verdict)));
  ++(reports::is_judged(alike.verdict)             ? own_.judged
     : alike.verdict == spec::Verdict::unsupported ? own_.unsupported
                                                   : own_.undecided);
  own_.failed += failed;
  const bool is_told_apart = alike.verdict == spec::Verdict::pass || (is_wrong && alike.known.empty());
  Tally& tally = tallies_[std::move(alike)];
  if (is_told_apart)
    for (std::string& glob : simple_globs(one.generated.call)) ++tally.globs[std::move(glob)];
  if (failure) keep_common(tally.causes, failure->judgement.causes, tally.count > 0);
  ++tally.count;
  tally.mode = std::max(tally.mode, mode);
  if (tally.count == 1) tally.reason = failure ? failure->judgement.explanation : judgement.explanation;
  if (failure && (!tally.first || one.number < tally.first->number)) tally.first = std::move(failure);
}

std::uint64_t Tallies::hand_over() {
  const std::scoped_lock lock(shared_.mutex);
  FuzzResult& all = shared_.result;
  const std::size_t before = all.kinds.size();
  for (const auto& [alike, own] : tallies_) {
    const Kind kind = kind_of(alike);
    Tally& tally = all.kinds[kind];
    if (own.first && !tally.first) {
      shared_.to_shrink += kind.known.empty();
      if (shared_.found) shared_.found(kind, *own.first);
    }
    if (own.first && (!tally.first || own.first->number < tally.first->number)) tally.first = own.first;
    if (tally.count == 0) tally.reason = own.reason;
    keep_common(tally.causes, own.causes, tally.count > 0);
    for (const auto& [glob, calls] : own.globs) tally.globs[glob] += calls;
    tally.count += own.count;
    tally.mode = std::max(tally.mode, own.mode);
  }
  all.made += own_.made;
  all.judged += own_.judged;
  all.undecided += own_.undecided;
  all.unsupported += own_.unsupported;
  all.left_out += own_.left_out;
  all.reached.merge(own_.reached);
  for (const auto& [what, calls] : own_.skipped) all.skipped[what] += calls;
  all.failed += own_.failed;
  all.fruitless += own_.fruitless;
  all.digest += own_.digest;
  shared_.practices.take(std::exchange(practices_, {}));
  own_ = {};
  tallies_.clear();
  if (shared_.progress) shared_.progress(all);
  return all.kinds.size() - before;
}

}  // namespace scatterproof::runner::fuzz
