// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/bench/expected.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "scatterproof/engines/reference/reference.hpp"
#include "scatterproof/runner/trial/gradients.hpp"
#include "scatterproof/runner/trial/trial.hpp"

namespace scatterproof::runner::bench {
namespace {

using spec::Tensor;

const std::byte* first_element(const Tensor& contiguous) {
  return contiguous.storage().data() +
         static_cast<std::size_t>(contiguous.offset()) * spec::size_of(contiguous.dtype());
}

/// Bits of a float as integers in the order of the numbers.
std::int64_t ordered_bits(const std::byte* at, std::size_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, size);
  const std::uint64_t sign = std::uint64_t{1} << (8 * size - 1);
  return bits & sign ? -static_cast<std::int64_t>(bits & ~sign) : static_cast<std::int64_t>(bits);
}

bool same_element(const std::byte* a, const std::byte* b, spec::DType dtype, bool rounded) {
  const std::size_t size = spec::size_of(dtype);
  if (std::memcmp(a, b, size) == 0) return true;
  if (!rounded || !spec::is_float(dtype)) return false;
  return std::abs(ordered_bits(a, size) - ordered_bits(b, size)) <= 1;
}

/// The row-major position in words: `[3, 5]`.
std::string place(std::int64_t position, const spec::Shape& shape) {
  spec::Shape at(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    at[d] = position % shape[d];
    position /= shape[d];
  }
  return spec::to_string(at);
}

}  // namespace

Tensor reference_result(const RowData& data) {
  const spec::Outcome outcome = engines::run_reference_kernel(data.kernel);
  if (const auto* produced = std::get_if<spec::Produced>(&outcome.what)) return produced->tensors.front();
  throw std::logic_error("the reference refuses a planned call: " + spec::to_string(outcome));
}

std::string difference(const Tensor& expected, const spec::Outcome& outcome, spec::Combiner combine) {
  const auto* produced = std::get_if<spec::Produced>(&outcome.what);
  if (!produced || produced->tensors.empty()) return spec::to_string(outcome);
  const Tensor& result = produced->tensors.front();
  if (result.dtype() != expected.dtype() || result.numel() != expected.numel())
    return fmt::format("{}{} instead of {}{}", spec::name(result.dtype()), spec::to_string(result.shape()),
                       spec::name(expected.dtype()), spec::to_string(expected.shape()));
  const Tensor actual = result.is_contiguous() ? result : result.contiguous();
  const std::size_t size = spec::size_of(expected.dtype());
  const std::byte* want = first_element(expected);
  const std::byte* have = first_element(actual);
  if (expected.numel() == 0 ||
      std::memcmp(want, have, static_cast<std::size_t>(expected.numel()) * size) == 0)
    return {};
  for (std::int64_t i = 0; i < expected.numel(); ++i) {
    const std::size_t at = static_cast<std::size_t>(i) * size;
    if (same_element(want + at, have + at, expected.dtype(), combine == spec::Combiner::mean)) continue;
    return fmt::format("out{} is {}, the reference has {}", place(i, expected.shape()),
                       spec::to_string(actual.at_position(actual.offset() + i), actual.dtype()),
                       spec::to_string(expected.at_position(expected.offset() + i), expected.dtype()));
  }
  return {};
}

std::int64_t small_size(const BenchmarkRow& row) {
  constexpr std::int64_t most = 4096;
  for (std::int64_t largest = most; largest > 8; largest /= 2) {
    const auto all = shapes(row, largest);
    if (!all.empty() &&
        std::ranges::all_of(all, [](const auto& shape) { return spec::numel(shape) <= most; }))
      return largest;
  }
  return 8;
}

spec::Outcome gradient_of(spec::Outcome outcome) {
  auto* produced = std::get_if<spec::Produced>(&outcome.what);
  if (!produced) return outcome;
  spec::GradientAnswer answer = std::move(produced->gradients.front());
  if (auto* refused = std::get_if<spec::Refused>(&answer)) return {std::move(*refused), outcome.seconds};
  produced->tensors.clear();
  if (auto* tensor = std::get_if<Tensor>(&answer)) produced->tensors.push_back(std::move(*tensor));
  return outcome;
}

spec::Judgement run_and_judge(engines::Engine& engine, const spec::Call& call, const spec::OpSpec& spec,
                              const Tensor* cotangent) {
  if (cotangent) {
    const spec::Call* const calls[] = {&call};
    auto judged = judge_gradients(spec, engine, calls, std::chrono::seconds(60), cotangent).front();
    return judged ? *std::move(judged)
                  : spec::Judgement{.verdict = spec::Verdict::unsupported, .explanation = "no gradient"};
  }
  const spec::Outcome outcome = engine.run_one({&call});
  auto trial = judge_call(spec, call, engine.info(), outcome);
  if (!trial) throw std::logic_error(spec::to_string(trial.errors()));
  return std::move(trial->judgement);
}

}  // namespace scatterproof::runner::bench
