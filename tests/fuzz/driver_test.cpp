// SPDX-License-Identifier: Apache-2.0
// The same calls and verdicts for any number of jobs, and shards that make up the whole.
#include "fuzz/driver.hpp"

#include <gtest/gtest.h>

#include "scatterproof/engines/reference.hpp"
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
  std::vector<spec::Outcome> do_run(std::span<const engines::Job> jobs) override {
    std::vector<spec::Outcome> outcomes = reference_->run(jobs);
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

Fuzzed fuzz_both(const Campaign& campaign, std::size_t jobs = 1) {
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
Counts counts(const Fuzzed& fuzzed) {
  Counts all;
  for (const auto& [kind, tally] : fuzzed.kinds) all[kind] += tally.count;
  return all;
}

TEST(Fuzz, ACorrectEnginePassesAndAWrongOneDoesNot) {
  const Fuzzed fuzzed = fuzz_both(small_campaign());
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

TEST(Fuzz, KnownFailuresAreKindsOfTheirOwn) {
  Campaign campaign = small_campaign();
  campaign.known = [](const Kind&, const Failure& failure) {
    return std::string(failure.number % 2 == 0 ? "even" : "");
  };
  const Fuzzed fuzzed = fuzz_both(campaign, 2), without = fuzz_both(small_campaign());
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

TEST(Fuzz, JobsChangeNothing) {
  Campaign campaign = small_campaign();
  const Fuzzed one = fuzz_both(campaign);
  const Fuzzed three = fuzz_both(campaign, 3);
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
  const Fuzzed whole = fuzz_both(campaign);
  std::uint64_t digest = 0, made = 0;
  Counts sum;
  for (std::uint64_t shard = 1; shard <= 3; ++shard) {
    campaign.shard = {shard, 3};
    const Fuzzed part = fuzz_both(campaign);
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
