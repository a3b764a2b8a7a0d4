// SPDX-License-Identifier: Apache-2.0
// The same calls and verdicts for any number of jobs, and shards that make up the whole.
#include "scatterproof/runner/fuzz/driver.hpp"

#include <gtest/gtest.h>

#include "scatterproof/engines/reference/reference.hpp"
#include "scatterproof/spec/core/random.hpp"
#include "shipped.hpp"

namespace scatterproof::runner::fuzz {
namespace {

/// The reference, but the last element of every result it gives is wrong.
class WrongAtTheEnd : public engines::Engine {
 public:
  WrongAtTheEnd() : reference_(engines::make_reference(shipped_specs())), info_(reference_->info()) {
    info_.name = "wrong-at-the-end";
  }
  const engines::EngineInfo& info() const override { return info_; }
  engines::Support supports(const spec::Call& call) const override { return reference_->supports(call); }

 private:
  std::vector<spec::Outcome> do_run(std::span<const engines::CallRequest> requests) override {
    std::vector<spec::Outcome> outcomes = reference_->run(requests);
    for (spec::Outcome& outcome : outcomes)
      if (auto* produced = std::get_if<spec::Produced>(&outcome.what))
        if (spec::Tensor& tensor = produced->tensors.front(); tensor.numel() > 0) {
          spec::Tensor wrong = tensor.contiguous();
          const std::int64_t last = wrong.numel() - 1;
          wrong.set_at_position(last, spec::Scalar::of_int(wrong.at_position(last).real() == 1 ? 2 : 1));
          tensor = wrong;
        }
    return outcomes;
  }

  std::unique_ptr<engines::Engine> reference_;
  engines::EngineInfo info_;
};

FuzzResult fuzz_both(const Campaign& campaign, std::size_t jobs = 1) {
  std::vector<Engines> sets(jobs);
  std::vector<const Engines*> all;
  for (Engines& engines : sets) {
    engines.push_back(engines::make_reference(shipped_specs()));
    engines.push_back(std::make_unique<WrongAtTheEnd>());
    all.push_back(&engines);
  }
  return fuzz(campaign, all);
}

Campaign small_campaign() {
  Campaign campaign;
  for (const char* api : {"torch.gather", "onnx.ScatterND", "paddle.scatter"})
    campaign.apis.push_back(shipped_specs().find(api));
  campaign.calls = 3 * 700;
  campaign.seed = 5;
  return campaign;
}

using Counts = std::map<Kind, std::uint64_t>;
Counts counts(const FuzzResult& fuzzed) {
  Counts all;
  for (const auto& [kind, tally] : fuzzed.kinds) all[kind] += tally.count;
  return all;
}

TEST(Fuzz, ACorrectEnginePassesAndAWrongOneDoesNot) {
  const FuzzResult fuzzed = fuzz_both(small_campaign());
  std::uint64_t wrong = 0, kinds_of_wrong = 0;
  for (const auto& [kind, tally] : fuzzed.kinds) {
    if (kind.engine == "reference") {
      EXPECT_FALSE(tally.first) << tally.reason;
    }
    if (kind.engine == "wrong-at-the-end" && kind.verdict == spec::Verdict::mismatch) {
      wrong += tally.count;
      ++kinds_of_wrong;
    }
  }
  EXPECT_GT(wrong, 400u);
  EXPECT_LT(kinds_of_wrong, wrong / 20) << "equal failures are one, with a count";
  EXPECT_TRUE(fuzzed.errors.empty());
}

TEST(Fuzz, AKindHasTheCausesThatAllOfItsCallsHave) {
  std::map<Kind, spec::LikelyCauses> common;
  bool any_more = false;  // causes of single calls
  Campaign campaign = small_campaign();
  campaign.known = [&](const Kind& kind, const Failure& failure) {
    const auto [place, is_new] = common.try_emplace(kind, failure.judgement.causes);
    const std::size_t before = place->second.size();
    std::erase_if(place->second, [&](const auto& one) { return !names(failure.judgement.causes, one); });
    any_more |= place->second.size() < std::max(before, failure.judgement.causes.size());
    return std::string();
  };
  for (const auto& [kind, tally] : fuzz_both(campaign).kinds) {
    if (!tally.first) continue;
    EXPECT_EQ(tally.causes.size(), common.at(kind).size()) << to_string(kind.diagnosis);
    EXPECT_TRUE(
        std::ranges::all_of(tally.causes, [&](const auto& one) { return names(common.at(kind), one); }));
  }
  EXPECT_TRUE(any_more);
}

TEST(Fuzz, KnownFailuresAreKindsOfTheirOwn) {
  Campaign campaign = small_campaign();
  campaign.known = [](const Kind&, const Failure& failure) {
    return std::string(failure.number % 2 == 0 ? "even" : "");
  };
  const FuzzResult fuzzed = fuzz_both(campaign, 2), without = fuzz_both(small_campaign());
  Counts merged;
  std::uint64_t even = 0, odd = 0;
  for (const auto& [kind, tally] : fuzzed.kinds) {
    Kind plain = kind;
    plain.known = "";
    merged[plain] += tally.count;
    if (!tally.first) continue;
    (kind.known.empty() ? odd : even) += tally.count;
    EXPECT_EQ(tally.first->number % 2 == 0, kind.known == "even");
  }
  EXPECT_GT(even, 0u);
  EXPECT_GT(odd, 0u);
  EXPECT_EQ(merged, counts(without));
}

/// Failures fold by what went wrong in general, not in which dimension or by which size.
TEST(Fuzz, KindsHaveDiagnosesWithoutNumbers) {
  bool any = false;
  for (const auto& [kind, tally] : fuzz_both(small_campaign()).kinds) {
    EXPECT_EQ(kind.diagnosis, without_numbers(kind.diagnosis));
    EXPECT_EQ(kind.diagnosis.kind != spec::DiagnosisKind::none, tally.first != nullptr);
    any = any || tally.first;
  }
  EXPECT_TRUE(any);
}

TEST(Fuzz, AnswersOfRelationsAreDiagnosed) {
  relations::Violated violated;
  violated.relation = "same-call";
  violated.sentence = "a sentence";
  EXPECT_EQ(judgement_of(violated).verdict, spec::Verdict::mismatch);
  EXPECT_EQ(to_string(judgement_of(violated).diagnosis), "relation_violated/same-call");
  violated.documented = "sums vary";
  EXPECT_EQ(judgement_of(violated).verdict, spec::Verdict::open);
  EXPECT_EQ(to_string(judgement_of(violated).diagnosis), "open/documented_to_vary");
  EXPECT_EQ(to_string(judgement_of(relations::NotApplicable{"no"}).diagnosis), "not_comparable");
  EXPECT_EQ(judgement_of(relations::Holds{}).diagnosis, spec::Diagnosis{});
}

/// Answers every call with what it shows.
class MemoryShown : public engines::Engine {
 public:
  /// What it shows: its memory; how often it was asked; or one of two values by chance, as sums of threads
  /// do.
  enum class Shows : std::uint8_t { memory, count, chance };
  MemoryShown(std::string name, std::uint8_t memory, Shows shows) : memory_(memory), shows_(shows) {
    info_.name = std::move(name);
    for (const spec::OpSpec& op : shipped_specs().all()) info_.apis.push_back(op.api);
  }
  const engines::EngineInfo& info() const override { return info_; }
  engines::Support supports(const spec::Call&) const override { return {}; }
  std::unique_ptr<engines::Engine> twin(std::uint8_t pattern) const override {
    return std::make_unique<MemoryShown>(info_.name, memory_ == 0 ? 0 : pattern, shows_);
  }

 private:
  std::vector<spec::Outcome> do_run(std::span<const engines::CallRequest> requests) override {
    std::vector<spec::Outcome> outcomes;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      ++asked_;
      const std::vector value{spec::Scalar::of_int(shows_ == Shows::count    ? asked_
                                                   : shows_ == Shows::chance ? of_two(asked_)
                                                                             : memory_)};
      outcomes.push_back({spec::Produced{{spec::Tensor(spec::DType::i64, {}, value)}, {}}, 0});
    }
    return outcomes;
  }

  std::int64_t of_two(std::int64_t number) const {
    return spec::below(spec::random(memory_, static_cast<std::uint64_t>(number)), 2);
  }

  std::uint8_t memory_;
  Shows shows_;
  std::int64_t asked_ = 0;
  engines::EngineInfo info_;
};

/// Verdicts by engine, of calls that the document leaves open but for memory.
TEST(Fuzz, OpenCallsShowResultsMadeOfForeignMemory) {
  Engines engines;
  using Shows = MemoryShown::Shows;
  engines.push_back(std::make_unique<MemoryShown>("shows", 1, Shows::memory));
  engines.push_back(std::make_unique<MemoryShown>("hides", 0, Shows::memory));
  engines.push_back(std::make_unique<MemoryShown>("varies", 1, Shows::count));
  engines.push_back(std::make_unique<MemoryShown>("flips", 1, Shows::chance));
  engines.push_back(engines::make_reference(shipped_specs()));  // has no twin
  const Engines* job = &engines;
  std::map<std::string, std::uint64_t> open, foreign, unrepeatable;
  Campaign campaign = small_campaign();
  campaign.wishes.practice = true;
  for (const auto& [kind, tally] : fuzz(campaign, {&job, 1}).kinds) {
    if (kind.verdict == spec::Verdict::open) open[kind.engine] += tally.count;
    if (kind.diagnosis.kind == spec::DiagnosisKind::unrepeatable) unrepeatable[kind.engine] += tally.count;
    if (kind.diagnosis.kind != spec::DiagnosisKind::foreign_memory) continue;
    EXPECT_EQ(kind.verdict, spec::Verdict::mismatch);
    foreign[kind.engine] += tally.count;
  }
  EXPECT_GT(foreign["shows"], 10u);
  EXPECT_EQ(foreign.size(), 1u);
  EXPECT_EQ(open["shows"] + foreign["shows"], open["hides"]);
  EXPECT_EQ(unrepeatable.size(), 2u);  // varies, flips
  EXPECT_EQ(open["varies"] + unrepeatable["varies"], open["hides"]);
}

/// What is counted as judged is what a side was taken on.
TEST(Fuzz, CountsWhatNobodyCanJudgeApart) {
  for (const bool practice : {false, true}) {
    Campaign campaign = small_campaign();
    campaign.wishes.practice = practice;
    const FuzzResult fuzzed = fuzz_both(campaign);
    std::uint64_t judged = 0, open = 0;
    for (const auto& [kind, tally] : fuzzed.kinds)
      (kind.verdict == spec::Verdict::open ? open : judged) += tally.count;
    EXPECT_EQ(fuzzed.judged, judged);
    EXPECT_EQ(fuzzed.undecided, open);
    EXPECT_EQ(fuzzed.judged + fuzzed.undecided, 2 * fuzzed.made);
    EXPECT_EQ(practice, open > judged / 5);
    EXPECT_EQ(!practice, open < judged / 7);
  }
}

TEST(Fuzz, JobsChangeNothing) {
  Campaign campaign = small_campaign();
#ifdef __SANITIZE_THREAD__  // fewer calls meet as many threads
  campaign.calls /= 5;
#endif
  const FuzzResult one = fuzz_both(campaign);
  const FuzzResult three = fuzz_both(campaign, 3);
  EXPECT_EQ(one.digest, three.digest);
  EXPECT_EQ(counts(one), counts(three));
  for (const auto& [kind, tally] : one.kinds)
    if (tally.first) {
      EXPECT_EQ(tally.first->number, three.kinds.at(kind).first->number);
    }
  campaign.seed = 6;
  EXPECT_NE(fuzz_both(campaign).digest, one.digest);
}

TEST(Fuzz, ShardsMakeUpTheWhole) {
  Campaign campaign = small_campaign();
  const FuzzResult whole = fuzz_both(campaign);
  std::uint64_t digest = 0, made = 0;
  Counts sum;
  for (std::uint64_t shard = 1; shard <= 3; ++shard) {
    campaign.shard = {shard, 3};
    const FuzzResult part = fuzz_both(campaign);
    EXPECT_GT(part.made, 0u);
    digest += part.digest;
    made += part.made;
    for (const auto& [kind, n] : counts(part)) sum[kind] += n;
  }
  EXPECT_EQ(digest, whole.digest);
  EXPECT_EQ(made, whole.made);
  EXPECT_EQ(sum, counts(whole));
}

}  // namespace
}  // namespace scatterproof::runner::fuzz
