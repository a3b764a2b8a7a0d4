// SPDX-License-Identifier: Apache-2.0
// Each of Thrust's systems for CPUs against the reference on random calls, both methods, and in the
// documents' order bit for bit whatever the number of threads.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <numeric>

#include "random_calls.hpp"
#include "scatterproof/engines/thrust/thrust.hpp"
#include "walk_comparison.hpp"
#ifdef SCATTERPROOF_TEST_CUDA
#include "thrust/cuda_calls.hpp"
#include "thrust/cuda_engine.hpp"
#endif

namespace scatterproof::engines::test {
namespace {

using spec::Combiner;
using spec::DType;
using spec::Tensor;

struct SystemCase {
  const char* name;
  WalkFunction execute;
};

class Systems : public testing::TestWithParam<SystemCase> {
 protected:
  spec::Outcome run(const KernelCall& call, const KernelSettings& settings) const {
    return walked(call, GetParam().execute, settings);
  }
};

#ifdef SCATTERPROOF_TEST_CUDA
const std::string no_device = start_cuda();
TEST(Thrust, HasADevice) { ASSERT_EQ(no_device, ""); }
INSTANTIATE_TEST_SUITE_P(Thrust, Systems, testing::Values(SystemCase{"cuda", run_thrust_cuda}),
                         [](const auto& system) { return system.param.name; });
constexpr std::int64_t many = 300'000;  // samples are taken from 2^18 on
#else
TEST(Thrust, SaysWhichItIs) { EXPECT_NE(thrust_version().find(" ("), std::string::npos); }
INSTANTIATE_TEST_SUITE_P(Thrust, Systems,
                         testing::Values(SystemCase{"cpp", run_thrust_cpp}, SystemCase{"omp", run_thrust_omp},
                                         SystemCase{"tbb", run_thrust_tbb}),
                         [](const auto& system) { return system.param.name; });
constexpr std::int64_t many = 50'000;
#endif

/// SCATTERPROOF_TRIALS over what the property tests do by default, so that sanitizers do fewer.
std::uint64_t trials(std::uint64_t usual) {
  const char* asked = std::getenv("SCATTERPROOF_TRIALS");
  return asked ? std::max<std::uint64_t>(usual * std::strtoull(asked, nullptr, 10) / 10'000, 100) : usual;
}

bool is_complex_product(const KernelCall& call) {
  return call.combine == Combiner::prod && spec::is_complex(call.data.dtype());
}

/// Calls check(seed, threads) so often, for a few numbers of threads, one after the other: a change of the
/// number is expensive.
template <class Check>
void for_each_trial(std::uint64_t count, Check&& check) {
  std::uint64_t seed = 0;
  for (const int threads : {1, 2, 3, 5})
    for (std::uint64_t i = 0; i < count / 4; ++i) {
      check(seed++, threads);
      if (testing::Test::HasFatalFailure()) return;
    }
}

TEST_P(Systems, InAnyOrderTheLatticeGivesTheReferencesBits) {
  for_each_trial(trials(6'000), [&](std::uint64_t seed, int threads) {
    Dice dice(seed);
    const KernelCall call = random_call(dice, {.largest = seed % 20 == 0 ? 300 : 6});
    ASSERT_EQ(difference(run(call, {threads, false}), run_reference_kernel(call), is_complex_product(call)),
              "")
        << "seed " << seed << ": " << describe(call);
  });
}

TEST_P(Systems, InTheDocumentsOrderSpecialValuesGiveTheReferencesBits) {
  for_each_trial(trials(6'000), [&](std::uint64_t seed, int threads) {
    Dice dice(seed);
    const KernelCall call = random_call(dice, {Values::special, seed % 20 == 0 ? 300 : 6, false});
    ASSERT_EQ(difference(run(call, {threads, true}), run_reference_kernel(call)), "")
        << "seed " << seed << ": " << describe(call);
  });
}

TEST_P(Systems, InAnyOrderSpecialValuesDifferInTheSignOfZeroAtMost) {
  for_each_trial(trials(6'000), [&](std::uint64_t seed, int threads) {
    Dice dice(seed);
    const KernelCall call = random_call(dice, {Values::special, 6, false});
    ASSERT_EQ(difference(run(call, {threads, false}), run_reference_kernel(call), true), "")
        << "seed " << seed << ": " << describe(call);
  });
}

TEST_P(Systems, TheDocumentsOrderShowsInTheBitsForAnyNumberOfThreads) {
  const std::uint64_t calls = trials(4'000);
  for_each_trial(4 * calls, [&](std::uint64_t trial, int threads) {
    const std::uint64_t seed = trial % calls;  // the same calls for each number of threads
    Dice dice(seed);
    const KernelCall call = random_call(dice, {Values::arbitrary, seed % 4 == 0 ? 300 : 6, false});
    ASSERT_EQ(difference(run(call, {threads, true}), walked(call, run_plainly, {})), "")
        << "seed " << seed << ", threads " << threads << ": " << describe(call);
  });
}

TEST_P(Systems, AnIndexOutOfRangeIsRefusedAndNothingWritten) {
  int refused = 0;
  for (std::uint64_t seed = 0; seed < trials(4'000); ++seed) {
    Dice dice(seed);
    const KernelCall call = random_call(dice, {Values::lattice, seed % 20 == 0 ? 300 : 6, true});
    const spec::Outcome expected = run_reference_kernel(call);
    refused += std::holds_alternative<spec::Refused>(expected.what);
    ASSERT_EQ(difference(run(call, {2, seed % 2 == 0}), expected, true), "")
        << "seed " << seed << ": " << describe(call);
  }
  EXPECT_GT(refused, 75);
}

/// A vector of `size`, `count` contributions, index by the number of the contribution.
template <class Index>
KernelCall vector_call(DType dtype, Combiner combine, std::int64_t size, std::int64_t count, Index&& index) {
  KernelCall call;
  call.op = KernelOp::scatter_elements;
  call.combine = combine;
  call.data = Tensor(dtype, {size});
  call.index = Tensor(DType::i32, {count});
  Tensor updates(dtype, {count});
  Dice dice(7);
  const bool real = spec::is_float(dtype);
  for (std::int64_t i = 0; i < count; ++i) {
    call.index.set_at_position(i, spec::Scalar::of_int(index(i)));
    updates.set_at_position(i,
                            real ? spec::Scalar::of_real(dice.real()) : spec::Scalar::of_int(dice.in(-9, 9)));
  }
  call.updates = std::move(updates);
  return call;
}

/// Long enough that every sample is taken: all equal, few rows in turn, long runs, all different.
TEST_P(Systems, LongCallsOfEveryKindOfRepetition) {
  const std::function<std::int64_t(std::int64_t)> indices[] = {
      [](std::int64_t) { return 3; }, [](std::int64_t i) { return i * 7 % 16; },
      [](std::int64_t i) { return i / 100; }, [](std::int64_t i) { return i * 7919 % many; }};
  for (const DType dtype : {DType::i64, DType::f32, DType::f16})
    for (const Combiner combine : {Combiner::sum, Combiner::mean, Combiner::amax, Combiner::assign})
      for (const auto& index : indices)
        for (const bool include_start : {true, false}) {
          KernelCall call = vector_call(dtype, combine, many, many, index);
          call.include_start = include_start;
          const spec::Outcome expected = walked(call, run_plainly, {});
          EXPECT_EQ(difference(run(call, {3, true}), expected).substr(0, 200), "");
          const bool ordered =
              spec::is_float(dtype) && (combine == Combiner::sum || combine == Combiner::mean);
          if (!ordered) {
            EXPECT_EQ(difference(run(call, {3, false}), expected, true).substr(0, 200), "");
          }
        }
}

/// In f64 the order changes the last bits only, in whatever order threads come.
TEST_P(Systems, SumsInAnyOrderAreSums) {
  for (const bool include_start : {true, false}) {
    KernelCall call = vector_call(DType::f64, Combiner::sum, 16, many, [](std::int64_t i) { return i % 16; });
    call.include_start = include_start;
    const auto expected = std::get<spec::Produced>(walked(call, run_plainly, {}).what).tensors[0].values();
    const spec::Outcome outcome = run(call, {5, false});
    const auto& produced = std::get<spec::Produced>(outcome.what);
    const auto values = produced.tensors[0].values();
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i].real(), expected[i].real(), 1e-9);
  }
}

}  // namespace
}  // namespace scatterproof::engines::test
