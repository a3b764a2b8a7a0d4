// SPDX-License-Identifier: Apache-2.0
// What the base classes promise: an outcome for each request, no exceptions, private inputs, writes noticed,
// time measured.
#include "scatterproof/engines/core/engine.hpp"

#include <functional>
#include <stdexcept>
#include <thread>

#include "kernel_calls.hpp"

namespace scatterproof::engines::test {
namespace {

class Guest : public InProcessEngine {
 public:
  explicit Guest(std::function<spec::Outcome(const spec::Call&)> body) : body_(std::move(body)) {}
  const EngineInfo& info() const override { return info_; }
  Support supports(const spec::Call&) const override { return {}; }

 private:
  spec::Outcome do_call(const spec::Call& call, int) override { return body_(call); }
  std::function<spec::Outcome(const spec::Call&)> body_;
  EngineInfo info_;
};

/// Gives what it is told, however many requests there are.
class Miscounting : public Engine {
 public:
  explicit Miscounting(int outcomes) : outcomes_(outcomes) {}
  const EngineInfo& info() const override { return info_; }
  Support supports(const spec::Call&) const override { return {}; }

 private:
  std::vector<spec::Outcome> do_run(std::span<const CallRequest>) override {
    if (outcomes_ < 0) throw std::runtime_error("lost");
    return std::vector<spec::Outcome>(static_cast<std::size_t>(outcomes_));
  }
  int outcomes_;
  EngineInfo info_;
};

spec::Call call_of_two() {
  return {"test", {{"a", f32({2}, {1, 2})}, {"n", Scalar::of_int(3)}, {"b", f32({1}, {5})}}};
}

TEST(InProcessEngine, NoticesWritesToInputsAndKeepsTheCallersIntact) {
  Guest guest([](const spec::Call& call) {
    Tensor b = std::get<Tensor>(*call.find("b"));
    b.set(Shape{0}, Scalar::of_real(6));
    return spec::Outcome{spec::Produced{{b}, {}}, 0};
  });
  const spec::Call call = call_of_two();
  const auto outcome = guest.run_one({&call});
  EXPECT_EQ(std::get<spec::Produced>(outcome.what).inputs_written, std::vector<std::string>{"b"});
  EXPECT_EQ(plain(std::get<Tensor>(*call.find("b"))), "[5]");
}

TEST(InProcessEngine, SeesWritesBetweenTheElementsOfAView) {
  Guest guest([](const spec::Call& call) {
    Tensor a = std::get<Tensor>(*call.find("a"));
    a.storage().at(0) ^= std::byte{1};  // ahead of the first element of the slice
    return spec::Outcome{spec::Produced{{f32({1}, {0})}, {}}, 0};
  });
  spec::Call call = call_of_two();
  call.arguments[0].second = spec::with_layout(f32({2}, {1, 2}), spec::Layout::sliced);
  const auto outcome = guest.run_one({&call});
  EXPECT_EQ(std::get<spec::Produced>(outcome.what).inputs_written, std::vector<std::string>{"a"});
}

TEST(InProcessEngine, ReadingIsNoWrite) {
  Guest guest([](const spec::Call& call) {
    return spec::Outcome{spec::Produced{{std::get<Tensor>(*call.find("a")).contiguous()}, {}}, 0};
  });
  const spec::Call call = call_of_two();
  EXPECT_TRUE(std::get<spec::Produced>(guest.run_one({&call}).what).inputs_written.empty());
}

TEST(InProcessEngine, ARefusalSaysWhatWasWritten) {
  Guest guest([](const spec::Call& call) {
    Tensor(std::get<Tensor>(*call.find("a"))).set_at_position(0, spec::Scalar::of_int(99));
    return spec::Outcome{spec::Refused{{"value"}, "no", {"self"}}, 0};
  });
  const spec::Call call = call_of_two();
  EXPECT_EQ(std::get<spec::Refused>(guest.run_one({&call}).what).arguments_written,
            (std::vector<std::string>{"self", "a"}))
      << "beside what the engine says by itself";
}

TEST(InProcessEngine, AnExceptionSpoilsItsOwnCallOnly) {
  int calls = 0;
  Guest guest([&](const spec::Call&) -> spec::Outcome {
    if (++calls == 2) throw std::runtime_error("boom");
    if (calls == 3) throw 7;
    return {spec::Refused{{"value"}, "no"}, 0};
  });
  const spec::Call call = call_of_two();
  const std::vector<CallRequest> requests(4, CallRequest{&call});
  const auto outcomes = guest.run(requests);
  ASSERT_EQ(outcomes.size(), 4U);
  EXPECT_TRUE(std::holds_alternative<spec::Refused>(outcomes[0].what));
  EXPECT_EQ(std::get<spec::Garbled>(outcomes[1].what).what, "the engine threw: boom");
  EXPECT_EQ(std::get<spec::Garbled>(outcomes[2].what).what,
            "the engine threw something that is not an exception");
  EXPECT_TRUE(std::holds_alternative<spec::Refused>(outcomes[3].what));
}

TEST(InProcessEngine, MeasuresTheCall) {
  Guest guest([](const spec::Call&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return spec::Outcome{spec::Refused{{"value"}, "no"}, 0};
  });
  const spec::Call call = call_of_two();
  EXPECT_GE(guest.run_one({&call}).seconds, 0.002);
}

TEST(Engine, AlwaysGivesAsManyOutcomesAsJobs) {
  const spec::Call call = call_of_two();
  const std::vector<CallRequest> requests(2, CallRequest{&call});
  for (const int outcomes : {0, 1, 3}) {
    Miscounting engine(outcomes);
    const auto given = engine.run(requests);
    ASSERT_EQ(given.size(), 2U);
    EXPECT_EQ(std::get<spec::Garbled>(given[1].what).what,
              "the engine gave " + std::to_string(outcomes) + " outcomes for 2 calls");
  }
  Miscounting engine(-1);
  const auto given = engine.run(requests);
  ASSERT_EQ(given.size(), 2U);
  EXPECT_EQ(std::get<spec::Garbled>(given[0].what).what, "the engine threw: lost");
}

spec::SpecLibrary two_specs() {
  spec::OpSpec rows;
  rows.api = "test.rows";
  rows.kernel.op = "gather_rows";
  rows.kernel.fields = {{"data", {"x", {}, ""}}, {"index", {"i", {}, ""}}};
  spec::OpSpec without_kernel;
  without_kernel.api = "test.without";
  std::vector<spec::OpSpec> specs;
  specs.push_back(std::move(rows));
  specs.push_back(std::move(without_kernel));
  return spec::SpecLibrary(std::move(specs));
}

TEST(Reference, RunsWhatHasAKernel) {
  const spec::SpecLibrary specs = two_specs();
  const auto reference = make_reference(specs);
  EXPECT_EQ(reference->info().name, "reference");
  EXPECT_EQ(reference->info().framework, "");
  EXPECT_EQ(reference->info().dtypes.size(), 12U);
  EXPECT_EQ(reference->info().apis, std::vector<std::string>{"test.rows"});
  const spec::Call call{"test.rows", {{"x", f32({2}, {7, 8})}, {"i", i64({2}, {1, 1})}}};
  EXPECT_TRUE(reference->supports(call).yes);
  EXPECT_EQ(spec::to_string(reference->run_one({&call})), "produced f32[2] [8.0, 8.0]");
  const spec::Call outside{"test.rows", {{"x", f32({2}, {7, 8})}, {"i", i64({1}, {2})}}};
  EXPECT_EQ(spec::to_string(reference->run_one({&outside})), "refused: index: index[0] is 2, outside [0, 2)");
}

TEST(Reference, SaysWhyNotForTheRest) {
  const spec::SpecLibrary specs = two_specs();
  const auto reference = make_reference(specs);
  EXPECT_EQ(reference->supports({"test.without", {}}).reason, "the spec names no kernel");
  EXPECT_EQ(reference->supports({"test.nowhere", {}}).reason, "no spec of this name");
  const spec::Call nowhere{"test.nowhere", {}};
  EXPECT_EQ(spec::to_string(reference->run_one({&nowhere})), "unsupported: no spec of this name");
}

}  // namespace
}  // namespace scatterproof::engines::test
