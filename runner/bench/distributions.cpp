// SPDX-License-Identifier: Apache-2.0
#include "distributions.hpp"

#include <algorithm>
#include <cmath>

#include "parts.hpp"

namespace scatterproof::runner::bench {
namespace {

constexpr std::int64_t stretch = 64;
constexpr std::int64_t hot_rows = 16;

/// Ranks 1..count with weight rank^-exponent, by rejection-inversion (Hörmann, Derflinger,
/// "Rejection-inversion to generate variates from monotone discrete distributions", ACM TOMACS 6(3), 1996):
/// invert the integral of the weights' continuous hull, and reject the small excess of the hull.
class Zipf {
 public:
  Zipf(std::int64_t count, double exponent)
      : count_(count),
        exponent_(exponent),
        first_(integral(1.5) - 1),
        last_(integral(static_cast<double>(count) + 0.5)),
        sure_(2 - inverse(integral(2.5) - weight(2))) {}

  std::int64_t operator()(std::uint64_t seed, std::uint64_t position) const {
    for (std::uint64_t attempt = 0;; ++attempt) {
      const double u = last_ + spec::unit(spec::random(seed + attempt, position)) * (first_ - last_);
      const double x = inverse(u);
      const auto rank = std::clamp(static_cast<std::int64_t>(std::llround(x)), std::int64_t{1}, count_);
      const auto k = static_cast<double>(rank);
      if (k - x <= sure_ || u >= integral(k + 0.5) - weight(k)) return rank;
    }
  }

 private:
  double weight(double x) const { return std::pow(x, -exponent_); }
  /// Of x^-exponent: (x^(1-exponent) - 1) / (1-exponent), which is log(x) where that is 0/0.
  double integral(double x) const {
    const double e = 1 - exponent_;
    return std::abs(e) < 1e-9 ? std::log(x) : std::expm1(e * std::log(x)) / e;
  }
  double inverse(double y) const {
    const double e = 1 - exponent_;
    return std::abs(e) < 1e-9 ? std::exp(y) : std::exp(std::log1p(std::max(y * e, -1.0)) / e);
  }

  std::int64_t count_;
  double exponent_;
  double first_;
  double last_;
  double sure_;
};

/// The end of a Kronecker graph's edge (Graph500, GAP): every bit of the vertex is 1 with probability B + D
/// of the 2x2 seed matrix .57 .19 / .19 .05. Numbers beyond the last vertex are drawn again.
std::int64_t kronecker_vertex(std::int64_t vertices, std::uint64_t seed, std::uint64_t position) {
  constexpr std::uint64_t one_in_2_16 = static_cast<std::uint64_t>((0.19 + 0.05) * 65536);
  const auto bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(vertices - 1)));
  for (std::uint64_t attempt = 0;; ++attempt) {
    std::int64_t vertex = 0;
    std::uint64_t pool = 0;
    for (int bit = 0; bit < bits; ++bit, pool >>= 16) {
      if (bit % 4 == 0)
        pool = spec::random(seed + attempt * 16 + static_cast<std::uint64_t>(bit / 4), position);
      vertex = 2 * vertex + ((pool & 0xFFFF) < one_in_2_16 ? 1 : 0);
    }
    if (vertex < vertices) return vertex;
  }
}

/// Writes value(i) to every element i.
template <class Value>
void write(spec::Tensor& index, Value value) {
  in_parts(index.numel(), [&](std::int64_t begin, std::int64_t end) {
    if (index.dtype() == spec::DType::i32) {
      auto* to = reinterpret_cast<std::int32_t*>(index.storage().data());
      for (std::int64_t i = begin; i < end; ++i) to[i] = static_cast<std::int32_t>(value(i));
    } else {
      auto* to = reinterpret_cast<std::int64_t*>(index.storage().data());
      for (std::int64_t i = begin; i < end; ++i) to[i] = value(i);
    }
  });
}

void sort(spec::Tensor& index) {
  const auto count = static_cast<std::size_t>(index.numel());
  if (index.dtype() == spec::DType::i32)
    std::ranges::sort(std::span(reinterpret_cast<std::int32_t*>(index.storage().data()), count));
  else
    std::ranges::sort(std::span(reinterpret_cast<std::int64_t*>(index.storage().data()), count));
}

}  // namespace

void fill_index(spec::Tensor& index, const Fill& fill, std::span<const std::int64_t> bounds,
                std::uint64_t seed) {
  if (index.numel() == 0) return;
  using Kind = Fill::Kind;
  const auto depth = static_cast<std::int64_t>(bounds.size());
  const std::int64_t bound = bounds.empty() ? 0 : bounds.front();
  const auto at = [seed](std::int64_t position) {
    return spec::random(seed, static_cast<std::uint64_t>(position));
  };
  const Bijection scattered(bound, seed);
  switch (fill.kind) {
    case Kind::lattice:
      return;
    case Kind::uniform:
      return write(index, [&](std::int64_t i) {
        return spec::below(at(i), bounds[static_cast<std::size_t>(i % depth)]);
      });
    case Kind::sorted:
      write(index, [&](std::int64_t i) { return spec::below(at(i), bound); });
      return sort(index);
    case Kind::block:
      return write(index, [&](std::int64_t i) {
        const std::int64_t first =
            spec::below(at(i / stretch), std::max<std::int64_t>(1, bound - stretch + 1));
        return (first + i % stretch) % bound;
      });
    case Kind::runs:
      return write(index, [&](std::int64_t i) { return spec::below(at(i / stretch), bound); });
    case Kind::permutation:
      return write(index, scattered);
    case Kind::all_duplicate:
      return write(index, [&](std::int64_t) { return bound / 2; });
    case Kind::hot:
      return write(index,
                   [&](std::int64_t i) { return scattered(spec::below(at(i), std::min(hot_rows, bound))); });
    case Kind::zipf: {
      const Zipf zipf(bound, fill.exponent);
      return write(index,
                   [&](std::int64_t i) { return scattered(zipf(seed, static_cast<std::uint64_t>(i)) - 1); });
    }
    case Kind::kronecker:
      return write(index, [&](std::int64_t i) {
        return scattered(kronecker_vertex(bound, seed, static_cast<std::uint64_t>(i)));
      });
    case Kind::repeated_rows: {
      const std::int64_t row = index.numel() / index.shape().front();
      return write(index, [&](std::int64_t i) { return spec::below(at(i / row), bound); });
    }
    case Kind::pattern: {
      const auto length = static_cast<std::int64_t>(fill.pattern.offsets.size());
      return write(index, [&](std::int64_t i) {
        return fill.pattern.offsets[static_cast<std::size_t>(i % length)] + fill.pattern.delta * (i / length);
      });
    }
  }
}

}  // namespace scatterproof::runner::bench
