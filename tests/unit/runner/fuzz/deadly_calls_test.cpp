// SPDX-License-Identifier: Apache-2.0
// Of calls that an engine mostly dies of, few more are asked; of all others, all are.
#include "deadly_calls.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "scatterproof/runner/fuzz/driver.hpp"
#include "shipped.hpp"

namespace scatterproof::runner::fuzz {
namespace {

GeneratedCall a_call(spec::DType dtype) {
  const std::vector values{spec::Scalar::of_int(0)};
  GeneratedCall made;
  made.call.api = "torch.gather";
  made.call.arguments = {{"input", spec::Tensor(dtype, {1}, values)},
                         {"dim", spec::Scalar::of_int(0)},
                         {"index", spec::Tensor(spec::DType::i64, {1}, values)}};
  return made;
}

int left_out_of_160(const DeadlyCalls& deadly, const GeneratedCall& made) {
  int left_out = 0;
  for (std::uint64_t hash = 0; hash < 160; ++hash) left_out += deadly.leave_out(made, hash);
  return left_out;
}

TEST(DeadlyCalls, OneInSixteenOfThoseAlikeIsAsked) {
  DeadlyCalls deadly;
  const GeneratedCall f64 = a_call(spec::DType::f64), f32 = a_call(spec::DType::f32);
  const spec::Outcome crash{spec::Crashed{}, 0}, hang{spec::TimedOut{}, 0};
  deadly.saw(f64, crash);
  deadly.saw(f64, hang);
  EXPECT_EQ(left_out_of_160(deadly, f64), 0) << "two are not enough to know";
  deadly.saw(f64, crash);
  EXPECT_EQ(left_out_of_160(deadly, f64), 150);
  EXPECT_EQ(left_out_of_160(deadly, f32), 0) << "another dtype is not alike";
  const spec::Outcome refused{spec::Refused{}, 0};
  for (int i = 0; i < 3; ++i) deadly.saw(f64, refused);
  EXPECT_EQ(left_out_of_160(deadly, f64), 0) << "half of them lived";
}

/// Dies of every call of f64, and of no other.
class DiesOfDoubles : public engines::Engine {
 public:
  DiesOfDoubles() {
    info_.name = "dies";
    for (const spec::OpSpec& op : shipped_specs().all()) info_.apis.push_back(op.api);
  }
  const engines::EngineInfo& info() const override { return info_; }
  engines::Support supports(const spec::Call&) const override { return {}; }

 private:
  static bool is_deadly(const spec::Call& call) {
    const auto* tensor = std::get_if<spec::Tensor>(&call.arguments.front().second);
    return tensor && tensor->dtype() == spec::DType::f64;
  }
  std::vector<spec::Outcome> do_run(std::span<const engines::CallRequest> requests) override {
    std::vector<spec::Outcome> outcomes;
    for (const engines::CallRequest& request : requests)
      outcomes.push_back(is_deadly(*request.call) ? spec::Outcome{spec::Crashed{}, 0}
                                                  : spec::Outcome{spec::Refused{{"shape"}, ""}, 0});
    return outcomes;
  }
  engines::EngineInfo info_;
};

FuzzResult fuzz_deadly(std::uint64_t calls, double seconds) {
  Campaign campaign;
  campaign.apis = {shipped_specs().find("torch.gather")};
  campaign.calls = calls;
  campaign.seconds = seconds;
  Engines engines;
  engines.push_back(std::make_unique<DiesOfDoubles>());
  const Engines* job = &engines;
  std::atomic<bool> enough = false;
  campaign.interrupted = &enough;
  return fuzz(campaign, {&job, 1}, [&enough](const FuzzResult& so_far) { enough = so_far.left_out > 0; });
}

TEST(Fuzz, DeadlyCallsAreLeftOutWhereTimeIsLimitedAlone) {
  const FuzzResult until_one_is = fuzz_deadly(0, 60);
  EXPECT_GT(until_one_is.left_out, 0u);
  EXPECT_EQ(until_one_is.judged + until_one_is.undecided + until_one_is.left_out, until_one_is.made);
  const FuzzResult by_number = fuzz_deadly(2000, 0);
  EXPECT_EQ(by_number.left_out, 0u) << "the same calls get the same verdicts";
  EXPECT_EQ(by_number.judged + by_number.undecided, by_number.made);
}

}  // namespace
}  // namespace scatterproof::runner::fuzz
