// SPDX-License-Identifier: Apache-2.0
// Shrinking real failures: engines with one vice each, built on the reference, judged by the specs.
#include <algorithm>
#include <cmath>

#include "measure.hpp"
#include "scatterproof/engines/reference/reference.hpp"
#include "scatterproof/runner/shrink/failure_signature.hpp"
#include "scatterproof/runner/trial/repair.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/core/sharing.hpp"
#include "shipped.hpp"
#include "steps.hpp"

namespace scatterproof::runner::shrink {
namespace {

using spec::Call;
using spec::Outcome;
using spec::Scalar;
using spec::Tensor;
using spec::Verdict;

/// The reference, with a chance to spoil the call before and the outcome after.
class Liar : public engines::InProcessEngine {
 public:
  Liar() { info_ = {"liar", "", "1", "cpu", reference_->info().apis, reference_->info().dtypes}; }
  const engines::EngineInfo& info() const override { return info_; }
  engines::Support supports(const Call& call) const override { return reference_->supports(call); }

 private:
  virtual Call heard(const Call& call) { return call; }
  virtual void spoil(const Call&, Outcome&) {}
  Outcome do_call(const Call& call, int) override {
    const Call changed = heard(call);
    Outcome outcome = reference_->run_one({&changed});
    spoil(call, outcome);
    return outcome;
  }
  std::unique_ptr<engines::Engine> reference_ = engines::make_reference(shipped().specs);
  engines::EngineInfo info_;
};

/// Never gets to the last cell of a result of three or more.
class ForgetsTheLastCell : public Liar {
  void spoil(const Call&, Outcome& outcome) override {
    auto* produced = std::get_if<spec::Produced>(&outcome.what);
    if (!produced || produced->tensors.front().numel() < 3) return;
    Tensor& result = produced->tensors.front();
    result.set_at_position(result.numel() - 1, Scalar::of_int(0));
  }
};

/// Takes an index that is too large for the largest size of the call as that size's last position.
class ClampsTheIndex : public Liar {
  Call heard(const Call& call) override {
    std::int64_t largest = 1;
    for (const auto& [name, value] : call.arguments)
      if (const auto* tensor = std::get_if<Tensor>(&value))
        for (const std::int64_t size : tensor->shape()) largest = std::max(largest, size);
    Call changed = spec::clone(call);
    for (auto& [name, value] : changed.arguments) {
      if (!is_index(*shipped().specs.find(call.api), name, value)) continue;
      auto& index = std::get<Tensor>(value);
      std::vector<Scalar> values = index.values();
      for (Scalar& v : values) v = Scalar::of_int(std::min(v.integer(), largest - 1));
      index = Tensor(index.dtype(), index.shape(), values);
    }
    return changed;
  }
};

/// Wrong where two tensors share a storage.
class MindsSharing : public Liar {
  void spoil(const Call& call, Outcome& outcome) override {
    auto* produced = std::get_if<spec::Produced>(&outcome.what);
    if (!produced || produced->tensors.front().numel() == 0) return;
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
      if (spec::shared_with(call, i)) produced->tensors.front().set_at_position(0, Scalar::of_int(77));
  }
};

/// Dies of a NaN.
class DiesOfNan : public Liar {
  void spoil(const Call& call, Outcome& outcome) override {
    for (const auto& [name, value] : call.arguments)
      if (const auto* tensor = std::get_if<Tensor>(&value))
        for (const Scalar& v : tensor->values())
          if (std::isnan(v.real())) outcome.what = spec::Crashed{11, 0, "the end"};
  }
};

/// Refuses every call of one API: those of less than two dimensions in other words.
class RefusesInTwoWays : public Liar {
  void spoil(const Call& call, Outcome& outcome) override {
    if (call.api != "torch.gather") return;
    const std::size_t rank = std::get<Tensor>(call.arguments.front().second).rank();
    outcome.what =
        spec::Refused{{"IndexError"}, rank > 1 ? "too many rows: " + std::to_string(rank) : "no rows"};
  }
};

struct Failure {
  const spec::OpSpec* op;
  Call call;
  FailureSignature signature;
};

spec::Judgement judged(const spec::OpSpec& op, const Call& call, engines::Engine& engine) {
  return judge_call(op, call, engine.info(), engine.run_one({&call}))->judgement;
}

/// Shrinks what fails among the shipped cases. Each result fails as its original did, and no step from it
/// does.
std::vector<Failure> shrunk_failures(engines::Engine& engine, Verdict verdict) {
  std::vector<Failure> failures;
  for (const spec::Case& one : shipped().cases) {
    const spec::OpSpec& op = *shipped().specs.find(one.call.api);
    if (!engine.supports(one.call).yes || op.kernel.op.empty()) continue;
    const spec::Judgement judgement = judged(op, one.call, engine);
    if (judgement.verdict != verdict) continue;
    const FailureSignature signature = signature_of(op, one.call, engine.info(), judgement);
    const Keeps keeps = keeps_signature(op, engine, signature, std::chrono::seconds(10));
    EXPECT_TRUE(keeps({&one.call, 1}).front()) << one.id;
    ShrinkResult small = shrink(op, one.call, keeps, {.seconds = 1e9});
    EXPECT_TRUE(small.minimal);
    const spec::Judgement again = judged(op, small.call, engine);
    const FailureSignature after = signature_of(op, small.call, engine.info(), again);
    EXPECT_EQ(after.broken, signature.broken) << one.id;
    EXPECT_TRUE(fails_alike(signature, again)) << one.id << ": " << to_string(after.diagnosis);
    for (const Step& step : steps(op, small.call)) {
      const Call candidate = step();
      EXPECT_FALSE(measure(op, candidate) < measure(op, small.call) && keeps({&candidate, 1}).front())
          << one.id << " became " << to_string(small.call) << ", but there is " << to_string(candidate);
    }
    failures.push_back({&op, std::move(small.call), signature});
  }
  return failures;
}

TEST(Failures, AForgottenCellNeedsThree) {
  ForgetsTheLastCell liar;
  const std::vector<Failure> failures = shrunk_failures(liar, Verdict::mismatch);
  ASSERT_GT(failures.size(), 20u);
  std::size_t three = 0;
  for (const Failure& one : failures) {
    const auto bag = spec::execute(*one.op, one.call);
    ASSERT_TRUE(bag) << to_string(one.call);
    // Where the diagnosis needs two dimensions, or two tensors broadcast, there may be no way from 2 x 2.
    const std::int64_t cells = spec::numel(bag->shape);
    const bool clamped = one.signature.diagnosis.kind == spec::DiagnosisKind::clamped_to_first;
    EXPECT_TRUE(cells == 3 || ((cells == 4 || (cells == 6 && clamped)) && bag->shape.size() > 1))
        << to_string(one.call) << ": " << to_string(one.signature.diagnosis);
    three += cells == 3 ? 1 : 0;
  }
  EXPECT_GT(three, failures.size() * 3 / 4);
}

TEST(Failures, AnIndexIsJustOutOfRange) {
  ClampsTheIndex liar;
  const std::vector<Failure> failures = shrunk_failures(liar, Verdict::missing_error);
  ASSERT_GT(failures.size(), 5u);
  for (const Failure& one : failures) {
    EXPECT_EQ(one.signature.broken.size(), 1u);
    std::int64_t odd = 0;  // values that are not zero: one alone is out of range, and by one
    for (const auto& [name, value] : one.call.arguments)
      if (const auto* tensor = std::get_if<Tensor>(&value))
        for (const Scalar& v : tensor->values()) odd += cost(v) == 0 ? 0 : 1;
    EXPECT_LE(odd, 2) << to_string(one.call);
  }
}

TEST(Failures, WhatNeedsASharedStorageKeepsIt) {
  MindsSharing liar;
  const std::vector<Failure> failures = shrunk_failures(liar, Verdict::mismatch);
  ASSERT_GT(failures.size(), 5u);
  for (const Failure& one : failures) {
    EXPECT_EQ(measure(*one.op, one.call).shared, 1u);
    EXPECT_LE(measure(*one.op, one.call).extent, 4u) << to_string(one.call);
  }
}

TEST(Failures, ARefusalKeepsItsWords) {
  RefusesInTwoWays liar;
  const std::vector<Failure> failures = shrunk_failures(liar, Verdict::unexpected_error);
  std::size_t with_rows = 0;
  for (const Failure& one : failures) {
    const std::size_t rank = std::get<Tensor>(one.call.arguments.front().second).rank();
    EXPECT_EQ(rank, one.signature.said == "too many rows " ? 2u : 1u) << to_string(one.call);
    with_rows += rank == 2 ? 1 : 0;
  }
  EXPECT_GT(with_rows, 5u);
  EXPECT_GT(failures.size(), with_rows);
}

TEST(Failures, ACrashNeedsOneNan) {
  DiesOfNan liar;
  const std::vector<Failure> failures = shrunk_failures(liar, Verdict::crash);
  ASSERT_GT(failures.size(), 5u);
  for (const Failure& one : failures) {
    std::int64_t others = 0, nans = 0;
    for (const auto& [name, value] : one.call.arguments)
      if (const auto* tensor = std::get_if<Tensor>(&value))
        for (const Scalar& v : tensor->values())
          (std::isnan(v.real()) ? nans : others) += cost(v) == 0 ? 0 : 1;
    EXPECT_EQ(nans, 1) << to_string(one.call);
    EXPECT_EQ(others, 0) << to_string(one.call);
  }
}

}  // namespace
}  // namespace scatterproof::runner::shrink
