// SPDX-License-Identifier: Apache-2.0
// The gradients of every shipped spec against differences of its results, on generated calls with small whole
// numbers as data. A cell is affine in each element that lands in it once, so its difference is exact.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "in_turn.hpp"
#include "scatterproof/runner/fuzz/generator.hpp"
#include "scatterproof/spec/gradient/expected_gradient.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::spec::testing {
namespace {

constexpr std::int64_t largest = 60;    // elements of a call
constexpr std::uint64_t numbers = 400;  // of generated calls, of each API
constexpr double step = 1.0 / 1024;     // smaller than what lies between two whole numbers

const SpecLibrary& shipped() {
  static const SpecLibrary loaded = [] {
    auto result = SpecLibrary::load(std::string(SCATTERPROOF_SOURCE_DIR) + "/spec/data/ops");
    if (!result) throw std::runtime_error(to_string(result.errors()));
    return std::move(result).value();
  }();
  return loaded;
}

/// The call with whole numbers as data, in f64; empty: it is too large, or none of its data is real.
std::optional<Call> with_whole_numbers(Call call) {
  std::int64_t elements = 0, drawn = 0;
  for (auto& [name, argument] : call.arguments) {
    if (auto* number = std::get_if<Scalar>(&argument); number && number->real() != std::floor(number->real()))
      *number = Scalar::of_real(std::floor(number->real()));
    auto* tensor = std::get_if<Tensor>(&argument);
    if (!tensor) continue;
    elements += tensor->numel();
    if (!is_float(tensor->dtype())) continue;
    Tensor data(DType::f64, tensor->shape());
    assign<double>(data, [&] { return static_cast<double>((drawn++ * 37 + 11) % 7) - 3; });
    *tensor = data;
  }
  if (elements > largest || drawn == 0) return std::nullopt;
  return call;
}

/// The cotangent times one cell, by the simplest arithmetic, with the last of several assigned values.
double evaluated(const Bag& bag, std::size_t cell, double cotangent) {
  std::vector<double> values;
  for (auto i = bag.offsets[cell]; i < bag.offsets[cell + 1]; ++i)
    values.push_back(bag.list[static_cast<std::size_t>(i)].value.real());
  const double start = bag.start ? (*bag.start)[cell].real() : 0;
  if (values.empty()) return cotangent * start;
  if (bag.combine == Combiner::assign) return cotangent * values.back();
  if (bag.start && bag.start_counts) values.push_back(start);
  double all = values.front();
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (bag.combine == Combiner::prod) all *= values[i];
    if (bag.combine == Combiner::sum || bag.combine == Combiner::mean) all += values[i];
    if (bag.combine == Combiner::amax) all = std::max(all, values[i]);
    if (bag.combine == Combiner::amin) all = std::min(all, values[i]);
  }
  return bag.combine == Combiner::mean ? cotangent * all / static_cast<double>(values.size())
                                       : cotangent * all;
}

/// Of all cells but those that are filled with NaN.
double difference(const Bag& after, const Bag& before, const std::vector<Scalar>& cotangent) {
  double sum = 0;
  for (std::size_t c = 0; c < cotangent.size(); ++c)
    if (const double value = evaluated(before, c, cotangent[c].real()); std::isfinite(value))
      sum += evaluated(after, c, cotangent[c].real()) - value;
  return sum;
}

/// Cotangents that any number of values up to ten divides.
Tensor cotangent_of(const Bag& bag) {
  Tensor cotangent(DType::f64, bag.shape);
  double number = -4;
  assign<double>(cotangent, [&] { return ++number * 2520; });
  return cotangent;
}

/// Whether a cell's difference is the derivative: the element lands there once, no cell has more than ten
/// values, whose mean might not be exact, and f64 has the numbers.
bool is_plain(const ElementGradient& element) {
  if (element.open || !element.choices.empty()) return false;
  for (const GradientTerm& one : element.terms)
    if (std::ranges::count(element.terms, one.cell, &GradientTerm::cell) > 1 || std::abs(one.value) > 0x1p48)
      return false;
  return true;
}

bool has_many(const Bag& bag) {
  for (std::size_t c = 0; c + 1 < bag.offsets.size(); ++c)
    if (bag.offsets[c + 1] - bag.offsets[c] >= 10) return true;
  return false;
}

struct Seen {
  std::uint64_t elements = 0;
  std::map<Combiner, std::uint64_t> by_combiner = {};
};

/// Compares each element whose difference is exact.
void compare(const OpSpec& spec, const Call& call, Seen& seen) {
  auto dependences = dependences_of(spec, call);
  if (!dependences || has_many(dependences->bag)) return;
  if (dependences->bag.combine == Combiner::quotient || dependences->bag.combine == Combiner::sum_over_root)
    return;  // 1/v is not affine, and a root is rounded
  Dependences found = std::move(dependences).value();
  found.ties = GradientPolicy::Ties::free;  // what a document asks for at a tie is not a difference
  const Tensor cotangent = cotangent_of(found.bag);
  const std::vector<Scalar> g = cotangent.values();
  const ExpectedGradients expected = expect_gradients(found, cotangent);
  for (std::size_t a = 0; a < expected.arguments.size(); ++a)
    for (std::size_t e = 0; e < expected.elements[a].size(); ++e) {
      const ElementGradient& element = expected.elements[a][e];
      if (!is_plain(element)) continue;
      Call moved = clone(call);
      auto& tensor = std::get<Tensor>(*const_cast<Argument*>(moved.find(expected.arguments[a])));
      const auto at = static_cast<std::int64_t>(e);
      tensor.set_at_position(at, Scalar::of_real(tensor.at_position(at).real() + step));
      const auto bag = execute(spec, moved);
      ASSERT_TRUE(bag);
      double sum = 0;
      for (const GradientTerm& term : element.terms) sum += term.value;
      ASSERT_EQ(difference(*bag, found.bag, g) / step, sum)
          << to_string(call) << ", element " << e << " of " << expected.arguments[a];
      ++seen.elements;
      ++seen.by_combiner[found.bag.combine];
    }
}

TEST(Differences, OfTheResultsOfEveryShippedSpecAreItsGradients) {
  Seen seen;
  std::uint64_t number = 0;
  for (const OpSpec& spec : shipped().all()) {
    if (!spec.variant_of.empty() || !scatterproof::is_in_turn(number++, 4)) continue;
    runner::fuzz::Generator calls(spec, 1, {.sides = runner::fuzz::GenerationOptions::Sides::valid});
    for (std::uint64_t i = 0; i < numbers; ++i)
      if (auto made = calls.make(i))
        if (const auto call = with_whole_numbers(std::move(made->call))) compare(spec, *call, seen);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(seen.elements, 1000u);
  for (const Combiner combiner :
       {Combiner::assign, Combiner::sum, Combiner::prod, Combiner::amax, Combiner::amin})
    EXPECT_GT(seen.by_combiner[combiner], 0u) << name(combiner);
}

}  // namespace
}  // namespace scatterproof::spec::testing
