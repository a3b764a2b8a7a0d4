// SPDX-License-Identifier: Apache-2.0
// Every method of the OpenMP engine against the reference on random calls: the limits between methods are set
// so that small calls reach all of them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <limits>

#include "openmp/openmp.hpp"
#include "openmp/operations.hpp"
#include "openmp/select.hpp"
#include "random_calls.hpp"
#include "walk_comparison.hpp"

namespace scatterproof::engines::test {
namespace {

using openmp::Limits;
using spec::Combiner;
using spec::DType;
using spec::Scalar;
using spec::Tensor;

constexpr std::int64_t none = 0, everything = std::int64_t{1} << 60;

/// Where the limits lie, and what that makes of calls of any size.
struct Setting {
  const char* name;
  WalkFunction execute;
};

template <std::int64_t least_parallel, std::int64_t cached, std::int64_t worth_a_copy>
bool run_within(const Walk& walk, std::byte* result, const KernelSettings& settings) {
  return openmp::run(walk, result,
                     {settings.threads, settings.deterministic, {least_parallel, cached, worth_a_copy}});
}

class Methods : public testing::TestWithParam<Setting> {
 protected:
  spec::Outcome run(const KernelCall& call, const KernelSettings& settings) const {
    return walked(call, GetParam().execute, settings);
  }
};
INSTANTIATE_TEST_SUITE_P(OpenMP, Methods,
                         testing::Values(Setting{"as_shipped", run_openmp},
                                         Setting{"parallel_far", run_within<1, none, none>},
                                         Setting{"parallel_near", run_within<1, everything, none>},
                                         Setting{"parallel_private", run_within<1, none, everything>},
                                         Setting{"serial_far", run_within<everything, none, none>}),
                         [](const auto& setting) { return setting.param.name; });

/// SCATTERPROOF_TRIALS over what the property tests do by default, so that sanitizers do fewer.
std::uint64_t trials(std::uint64_t usual) {
  const char* asked = std::getenv("SCATTERPROOF_TRIALS");
  return asked ? std::max<std::uint64_t>(usual * std::strtoull(asked, nullptr, 10) / 10'000, 100) : usual;
}

/// The reference multiplies complex numbers in double: zeros may differ in sign.
bool is_complex_product(const KernelCall& call) {
  return call.combine == Combiner::prod && spec::is_complex(call.data.dtype());
}

/// Calls check(seed, threads), each number of threads in turn for a stretch: changing it is expensive.
template <class Check>
void for_each_trial(std::uint64_t count, Check&& check) {
  std::uint64_t seed = 0;
  for (const int threads : {1, 2, 3, 5})
    for (std::uint64_t i = 0; i < count / 4; ++i) {
      check(seed++, threads);
      if (testing::Test::HasFatalFailure()) return;
    }
}

std::int64_t some_size(std::uint64_t seed) { return seed % 10 == 0 ? 300 : 6; }

TEST_P(Methods, InAnyOrderTheLatticeGivesTheReferencesBits) {
  for_each_trial(trials(8'000), [&](std::uint64_t seed, int threads) {
    Dice dice(seed);
    const KernelCall call = random_call(dice, {Values::lattice, some_size(seed), false});
    ASSERT_EQ(difference(run(call, {threads, false}), run_reference_kernel(call), is_complex_product(call)),
              "")
        << "seed " << seed << ", threads " << threads << ": " << describe(call);
  });
}

TEST_P(Methods, SpecialValuesGiveTheReferencesBits) {
  for_each_trial(trials(8'000), [&](std::uint64_t seed, int threads) {
    Dice dice(seed);
    const KernelCall call = random_call(dice, {Values::special, some_size(seed), false});
    ASSERT_EQ(difference(run(call, {threads, true}), run_reference_kernel(call)), "")
        << "seed " << seed << ", threads " << threads << ": " << describe(call);
  });
}

TEST_P(Methods, TheDocumentsOrderShowsInTheBitsForAnyNumberOfThreads) {
  const std::uint64_t calls = trials(4'000);
  for_each_trial(4 * calls, [&](std::uint64_t trial, int threads) {
    const std::uint64_t seed = trial % calls;
    Dice dice(seed);
    const KernelCall call = random_call(dice, {Values::arbitrary, some_size(seed), false});
    ASSERT_EQ(difference(run(call, {threads, true}), walked(call, run_plainly, {})), "")
        << "seed " << seed << ", threads " << threads << ": " << describe(call);
  });
}

TEST_P(Methods, AnIndexOutOfRangeIsRefusedAndNothingWritten) {
  int refused = 0;
  for (std::uint64_t seed = 0; seed < trials(4'000); ++seed) {
    Dice dice(seed);
    const KernelCall call = random_call(dice, {Values::lattice, some_size(seed), true});
    const spec::Outcome expected = run_reference_kernel(call);
    refused += std::holds_alternative<spec::Refused>(expected.what);
    ASSERT_EQ(difference(run(call, {2, seed % 2 == 0}), expected, true), "")
        << "seed " << seed << ": " << describe(call);
  }
  EXPECT_GT(refused, 75);
}

/// A vector call of `count` contributions to `size` cells; the index's value by the contribution's number.
KernelCall vector_call(DType dtype, Combiner combine, std::int64_t size, std::int64_t count, std::int64_t row,
                       const std::function<std::int64_t(std::int64_t)>& index) {
  KernelCall call;
  call.op = KernelOp::scatter_rows;
  call.axis = 0;
  call.combine = combine;
  call.data = Tensor(dtype, {size, row});
  call.index = Tensor(DType::i64, {count});
  Tensor updates(dtype, {count, row});
  Dice dice(7);
  for (std::int64_t i = 0; i < count; ++i) call.index.set_at_position(i, Scalar::of_int(index(i)));
  for (std::int64_t i = 0; i < count * row; ++i)
    updates.set_at_position(
        i, spec::is_float(dtype) ? Scalar::of_real(dice.real()) : Scalar::of_int(dice.in(-9, 9)));
  call.updates = std::move(updates);
  return call;
}

/// Long enough that the index is sampled: all equal, few rows in turn, long runs, sorted, all different.
TEST_P(Methods, LongLinesOfEveryKindOfRepetition) {
  constexpr std::int64_t count = 4096;
  const std::function<std::int64_t(std::int64_t)> indices[] = {
      [](std::int64_t) { return 3; },           [](std::int64_t i) { return i * 7 % 16; },
      [](std::int64_t i) { return i / 100; },   [](std::int64_t i) { return (i / 50 * 7919) % count; },
      [](std::int64_t i) { return i / 2; },     [](std::int64_t i) { return i * 7919 % count; },
      [](std::int64_t i) { return i * i % 61; }};
  for (const DType dtype : {DType::i64, DType::f32, DType::bf16})
    for (const Combiner combine : {Combiner::sum, Combiner::mean, Combiner::amax, Combiner::assign})
      for (const std::int64_t row : {1, 3, 40})
        for (const auto& index : indices) {
          if (row > 3 && dtype != DType::f32) continue;  // long rows differ from short ones by vectors alone
          const KernelCall call = vector_call(dtype, combine, count, count, row, index);
          const spec::Outcome expected = walked(call, run_plainly, {});
          for (const int threads : {1, 2, 3}) {
            ASSERT_EQ(difference(run(call, {threads, true}), expected), "")
                << threads << " threads, rows of " << row << ", " << spec::name(dtype) << " "
                << spec::name(combine) << ", index " << &index - indices;
            const bool exact =
                dtype == DType::i64 || combine == Combiner::amax || combine == Combiner::assign;
            if (!exact) continue;
            ASSERT_EQ(difference(run(call, {threads, false}), expected), "")
                << threads << " threads, any order";
          }
        }
}

/// Rows whose index is written out as elements: uniform ones, one that is not, one out of range, some counted
/// from the end, and lines that are not adjacent.
TEST_P(Methods, RowsWrittenOutAsElements) {
  constexpr std::int64_t rows = 50, width = 9;
  enum class Odd { nothing, element, out_of_range, negative };
  for (const std::int64_t count : {40, 5000})
    for (const bool scatters : {true, false})
      for (const Odd odd : {Odd::nothing, Odd::element, Odd::out_of_range, Odd::negative})
        for (const DType itype : {DType::i64, DType::i32})
          for (const spec::Layout layout :
               {spec::Layout::contiguous, spec::Layout::sliced, spec::Layout::transposed}) {
            KernelCall call;
            call.op = scatters ? KernelOp::scatter_elements : KernelOp::gather_elements;
            call.axis = 0;
            call.combine = Combiner::sum;
            call.wrap_negative = odd == Odd::negative;
            call.data = Tensor(DType::i64, {rows, width});
            Tensor index(itype, {count, width}), updates(DType::i64, {count, width});
            Dice dice(3);
            for (std::int64_t i = 0; i < rows * width; ++i)
              call.data.set_at_position(i, Scalar::of_int(dice.in(-9, 9)));
            for (std::int64_t i = 0; i < count * width; ++i) {
              const std::int64_t row = i / width * 31 % rows;
              index.set_at_position(i,
                                    Scalar::of_int(odd == Odd::negative && row % 3 == 0 ? row - rows : row));
              updates.set_at_position(i, Scalar::of_int(dice.in(-9, 9)));
            }
            if (odd == Odd::element) index.set_at_position(7 * width + 4, Scalar::of_int(2));
            for (std::int64_t k = 0; odd == Odd::out_of_range && k < width; ++k)
              index.set_at_position((count - 1) * width + k, Scalar::of_int(rows));
            call.index = spec::with_layout(index, layout);
            if (scatters) call.updates = spec::with_layout(updates, layout);
            for (const int threads : {1, 2, 3})
              for (const bool deterministic : {true, false})
                ASSERT_EQ(difference(run(call, {threads, deterministic}), walked(call, run_plainly, {})), "")
                    << threads << " threads, " << count << " rows, odd " << static_cast<int>(odd);
          }
}

/// No order of adding negative zeros gives a positive one, and what no lookup names stays as it is.
TEST_P(Methods, SumsOfNegativeZerosAreNegativeZeros) {
  constexpr std::int64_t count = 8192;
  const std::function<std::int64_t(std::int64_t)> indices[] = {
      [](std::int64_t) { return 5; }, [](std::int64_t i) { return i / 300; },
      [](std::int64_t i) { return i * 7 % 16 * 13; }, [](std::int64_t i) { return i * 31 % 200; }};
  for (const DType dtype : {DType::f64, DType::f32, DType::f16, DType::bf16, DType::c64})
    for (const auto& index : indices) {
      KernelCall call = vector_call(dtype, Combiner::sum, 256, count, 1, index);
      for (Tensor* const tensor : {&call.data, &std::get<Tensor>(*call.updates)})
        for (std::int64_t i = 0; i < tensor->numel(); ++i)
          tensor->set_at_position(
              i, spec::is_complex(dtype) ? Scalar::of_complex(-0.0, -0.0) : Scalar::of_real(-0.0));
      const spec::Outcome expected = walked(call, run_plainly, {});
      for (const int threads : {1, 2, 3})
        ASSERT_EQ(difference(run(call, {threads, false}), expected), "")
            << threads << " threads, " << spec::name(dtype) << ", index " << &index - indices;
    }
}

/// Nothing can be multiplied with every complex number and leave it as it is: (1+0i)(inf+0i) = inf+NaNi.
TEST_P(Methods, ALoneComplexFactorIsMultipliedOnce) {
  constexpr std::int64_t count = 8192, lone = 100;
  for (const std::int64_t others : {16, 200}) {
    KernelCall call = vector_call(DType::c64, Combiner::prod, 256, count, 1,
                                  [&](std::int64_t i) { return i == lone ? 255 : i * 31 % others; });
    auto& updates = std::get<Tensor>(*call.updates);
    for (std::int64_t i = 0; i < 256; ++i) call.data.set_at_position(i, Scalar::of_complex(2, 3));
    for (std::int64_t i = 0; i < count; ++i)
      updates.set_at_position(i,
                              Scalar::of_complex(i == lone ? std::numeric_limits<double>::infinity() : 1, 0));
    for (const int threads : {1, 2, 3})
      ASSERT_EQ(difference(run(call, {threads, false}), walked(call, run_plainly, {})), "")
          << threads << " threads, " << others << " other cells";
  }
}

/// In any order a sum may differ in its last bits, and must not in more.
TEST_P(Methods, SumsInAnyOrderAreTheSameSums) {
  constexpr std::int64_t count = 8192;
  for (const auto& index : std::initializer_list<std::function<std::int64_t(std::int64_t)>>{
           [](std::int64_t) { return 5; }, [](std::int64_t i) { return i / 300; },
           [](std::int64_t i) { return i * 31 % 200; }, [](std::int64_t i) { return i * 7 % 16 * 13; },
           [](std::int64_t i) { return i % 512 == 300 ? 201 : i * 7 % 16 * 13; }}) {
    const KernelCall call = vector_call(DType::f64, Combiner::sum, 256, count, 1, index);
    const auto values = [](const spec::Outcome& outcome) {
      return std::get<spec::Produced>(outcome.what).tensors[0].values();
    };
    const auto expected = values(walked(call, run_plainly, {}));
    for (const int threads : {1, 2, 5}) {
      const auto got = values(run(call, {threads, false}));
      for (std::size_t c = 0; c < got.size(); ++c)
        ASSERT_NEAR(got[c].real(), expected[c].real(), 1e-9) << "cell " << c << ", threads " << threads;
    }
  }
}

/// Vectors of eight and what is left over, from every beginning.
TEST(Select, TakesWhatLiesInTheRangeInOrder) {
  Dice dice(1);
  std::vector<std::int64_t> numbers(100);
  for (auto& number : numbers) number = dice.in(-20, 20);
  const std::vector<std::int32_t> narrow(numbers.begin(), numbers.end());
  for (unsigned first = 0; first < 20; ++first)
    for (unsigned count = 0; count <= 80; ++count) {
      std::vector<std::int64_t> expected, positions;
      for (unsigned n = first; n < first + count; ++n)
        if (numbers[n] >= -3 && numbers[n] < 11) {
          expected.push_back(numbers[n]);
          positions.push_back(7 + n);
        }
      const auto check = [&](const auto& index) {
        std::vector<std::int64_t> selected(count + openmp::select_slack), at(count + openmp::select_slack);
        const unsigned taken =
            openmp::select(index.data() + first, count, 7 + first, -3, 11, selected.data(), at.data());
        selected.resize(taken);
        at.resize(taken);
        EXPECT_EQ(selected, expected);
        EXPECT_EQ(at, positions);
      };
      check(numbers);
      check(narrow);
    }
}

}  // namespace
}  // namespace scatterproof::engines::test
