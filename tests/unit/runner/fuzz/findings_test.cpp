// SPDX-License-Identifier: Apache-2.0
// Which calls of failures are on disk, and what is told of them.
#include "scatterproof/runner/fuzz/findings.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "scatterproof/engines/faulty/faulty.hpp"
#include "scatterproof/engines/reference/reference.hpp"
#include "scatterproof/runner/calls/call_hash.hpp"
#include "scatterproof/runner/calls/call_text.hpp"
#include "scatterproof/runner/fuzz/generator.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/cases/case.hpp"
#include "shipped.hpp"

namespace scatterproof::runner::fuzz {
namespace {

namespace fs = std::filesystem;

class FindingsOfAFault : public testing::Test {
 protected:
  FindingsOfAFault() {
    std::string name = (fs::temp_directory_path() / "findings-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    Generator generator(op_, 3);
    for (std::uint64_t number = 0; failures_.size() < 3; ++number) {
      auto made = generator.make(number);
      if (!made) continue;
      const spec::Outcome outcome = engine_->run_one({&made->call});
      const auto trial = judge_call(op_, made->call, engine_->info(), outcome);
      if (trial && trial->judgement.verdict == spec::Verdict::mismatch)
        failures_.push_back({number, std::move(*made), trial->judgement, nullptr});
    }
  }
  ~FindingsOfAFault() override { fs::remove_all(folder_); }

  /// A kind that differs from others by its rule alone, as far as these tests can tell.
  Kind kind(const std::string& rule) const {
    return {.api = op_.api,
            .engine = engine_->info().name,
            .rule = rule,
            .relation = "",
            .verdict = spec::Verdict::mismatch,
            .diagnosis = {},
            .practice = {},
            .known = ""};
  }
  Findings findings(std::size_t most_shrunk,
                    std::function<std::string(const Kind&, const Failure&)> known = {}) const {
    return Findings({.specs = shipped_specs(),
                     .families = nullptr,
                     .places = places_,
                     .folder = folder_.string(),
                     .timeout = std::chrono::seconds(10),
                     .most_shrunk = most_shrunk,
                     .interrupted = &interrupted_,
                     .known = std::move(known)});
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::recursive_directory_iterator(folder_), {})) - 1;
  }
  static bool is_small(const Finding& finding) {
    return finding.shown_by.starts_with("the smallest call that shows it: ");
  }

  static std::string as_found(const Failure& failure) { return "the call: " + text_of(failure.made.call); }

  const spec::OpSpec& op_ = *shipped_specs().find("torch.gather");
  std::unique_ptr<engines::Engine> engine_ =
      std::move(engines::make_faulty("dropped-tail", shipped_specs()).value());
  engines::Places places_;
  fs::path folder_;
  std::atomic<bool> interrupted_{false};
  std::vector<Failure> failures_;
};

TEST_F(FindingsOfAFault, ASmallCallTakesThePlaceOfTheOneThatWasFound) {
  Findings findings = this->findings(10);
  findings.keep(kind("a"), failures_[0]);
  EXPECT_EQ(files(), 1u);
  const Finding finding = findings.finding_of(*engine_, kind("a"), failures_[0]);
  EXPECT_TRUE(is_small(finding)) << finding.shown_by;
  ASSERT_TRUE(finding.saved);
  EXPECT_TRUE(fs::exists(*finding.saved));
  EXPECT_EQ(files(), 1u);
}

/// One cell may hold the result of many mistakes.
TEST_F(FindingsOfAFault, ASmallCallHasNoCauseThatTheOneFoundDoesNotHave) {
  const auto has_cause = [&](const Failure& failure) {
    return !findings(10).finding_of(*engine_, kind("a"), failure).causes.empty();
  };
  Failure failure = failures_[0];
  failure.judgement.diagnosis = {.kind = spec::DiagnosisKind::cells_other};
  failure.judgement.causes.clear();
  EXPECT_FALSE(has_cause(failure));
  bool any = false;  // the causes that fit the small call
  for (const auto kind : {spec::DiagnosisKind::all_zero, spec::DiagnosisKind::shifted_back,
                          spec::DiagnosisKind::shifted_forward, spec::DiagnosisKind::never_written}) {
    failure.judgement.causes = {{.kind = kind}};
    any |= has_cause(failure);
  }
  EXPECT_TRUE(any);
}

/// A baseline may excuse what has another message, or another call.
TEST_F(FindingsOfAFault, ASmallCallThatIsExpectedTakesNoPlace) {
  Findings findings = this->findings(10, [&](const Kind&, const Failure& failure) {
    return spec::to_string(failure.made.call) == spec::to_string(failures_[0].made.call) ? "" : "expected";
  });
  const Finding finding = findings.finding_of(*engine_, kind("a"), failures_[0]);
  EXPECT_FALSE(is_small(finding)) << finding.shown_by;
  ASSERT_TRUE(finding.saved);
  EXPECT_TRUE(fs::exists(*finding.saved));
}

TEST_F(FindingsOfAFault, AFileStaysThatAnotherFailureIsShownBy) {
  Findings findings = this->findings(1);
  findings.keep(kind("a"), failures_[0]);
  findings.keep(kind("b"), failures_[0]);
  EXPECT_EQ(files(), 1u);
  EXPECT_TRUE(is_small(findings.finding_of(*engine_, kind("a"), failures_[0])));
  const Finding second = findings.finding_of(*engine_, kind("b"), failures_[0]);
  ASSERT_TRUE(second.saved);
  EXPECT_TRUE(fs::exists(*second.saved));
  EXPECT_EQ(files(), 2u);
}

TEST_F(FindingsOfAFault, AFileStaysThatWasThereBefore) {
  findings(0).keep(kind("a"), failures_[0]);
  Findings findings = this->findings(1);
  findings.keep(kind("a"), failures_[0]);
  EXPECT_TRUE(is_small(findings.finding_of(*engine_, kind("a"), failures_[0])));
  EXPECT_EQ(files(), 2u);
}

TEST_F(FindingsOfAFault, BeyondTheMostEachIsShownAsItWasFound) {
  Findings findings = this->findings(1);
  findings.keep(kind("a"), failures_[0]);
  findings.keep(kind("b"), failures_[1]);
  EXPECT_TRUE(is_small(findings.finding_of(*engine_, kind("a"), failures_[0])));
  const Finding kept = findings.finding_of(*engine_, kind("b"), failures_[1]);
  EXPECT_EQ(kept.shown_by, as_found(failures_[1]));
  ASSERT_TRUE(kept.saved);
  EXPECT_TRUE(fs::exists(*kept.saved));
  const Finding not_kept = findings.finding_of(*engine_, kind("c"), failures_[2]);
  ASSERT_TRUE(not_kept.saved);
  EXPECT_TRUE(fs::exists(*not_kept.saved));
  EXPECT_EQ(files(), 3u);
}

TEST_F(FindingsOfAFault, NothingIsMadeSmallAfterAnInterrupt) {
  Findings findings = this->findings(10);
  findings.keep(kind("a"), failures_[0]);
  interrupted_ = true;
  const Finding finding = findings.finding_of(*engine_, kind("a"), failures_[0]);
  EXPECT_EQ(finding.shown_by, as_found(failures_[0]));
  ASSERT_TRUE(finding.saved);
  EXPECT_TRUE(fs::exists(*finding.saved));
}

/// Wrong in its first batches, right from then on.
class Learns : public engines::Engine {
 public:
  Learns(engines::Engine& wrong, engines::Engine& right, int batches)
      : wrong_(wrong), right_(right), left_(batches) {}
  const engines::EngineInfo& info() const override { return wrong_.info(); }
  engines::Support supports(const spec::Call& call) const override { return wrong_.supports(call); }

 private:
  std::vector<spec::Outcome> do_run(std::span<const engines::CallRequest> requests) override {
    return left_-- > 0 ? wrong_.run(requests) : right_.run(requests);
  }
  engines::Engine& wrong_;
  engines::Engine& right_;
  int left_;
};

TEST_F(FindingsOfAFault, WhatDoesNotShowAgainStaysAsItWasFound) {
  const auto right = engines::make_reference(shipped_specs());
  Learns engine(*engine_, *right, 3);
  Findings findings = this->findings(10);
  findings.keep(kind("a"), failures_[0]);
  const Finding finding = findings.finding_of(engine, kind("a"), failures_[0]);
  EXPECT_NE(finding.explanation.find("the failure did not show again"), std::string::npos)
      << finding.explanation;
  EXPECT_EQ(finding.shown_by, as_found(failures_[0]));
  ASSERT_TRUE(finding.saved);
  const auto saved = spec::load_cases(*finding.saved, shipped_specs());
  ASSERT_TRUE(saved);
  EXPECT_EQ(hash_of(saved->front().call), hash_of(failures_[0].made.call));
}

TEST_F(FindingsOfAFault, WhatCannotBeSavedIsTold) {
  fs::remove_all(folder_);
  std::fclose(std::fopen(folder_.c_str(), "w"));  // a file where the folder should be
  Findings findings = this->findings(10);
  findings.keep(kind("a"), failures_[0]);
  const Finding finding = findings.finding_of(*engine_, kind("a"), failures_[0]);
  EXPECT_TRUE(is_small(finding));
  EXPECT_FALSE(finding.saved);
}

}  // namespace
}  // namespace scatterproof::runner::fuzz
