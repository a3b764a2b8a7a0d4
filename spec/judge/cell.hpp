// SPDX-License-Identifier: Apache-2.0
// One cell of a bag, and what the document allows it to hold.
#pragma once

#include <boost/container/small_vector.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scatterproof/spec/core/verdict.hpp"
#include "scatterproof/spec/judge/bag.hpp"

namespace scatterproof::spec::judging {

/// A few values, without an allocation: most cells of most calls have no more.
using FewScalars = boost::container::small_vector<Scalar, 6>;

inline std::span<const Scalar> span_of(const FewScalars& values) { return {values.data(), values.size()}; }

/// The elements of a result in row-major order, each read when it is asked for: a large result is not copied.
class Elements {
 public:
  /// `tensor` must outlive it, unless it is not contiguous.
  explicit Elements(const Tensor& tensor) {
    if (!tensor.is_contiguous()) compact_ = tensor.contiguous();
    tensor_ = compact_ ? &*compact_ : &tensor;
    size_ = static_cast<std::size_t>(tensor.numel());
  }
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;

  std::size_t size() const { return size_; }
  Scalar operator[](std::size_t i) const {
    return tensor_->at_position(tensor_->offset() + static_cast<std::int64_t>(i));
  }
  template <class Holds>
  bool all(const Holds& holds) const {
    for (std::size_t i = 0; i < size_; ++i)
      if (!holds((*this)[i])) return false;
    return true;
  }

 private:
  std::optional<Tensor> compact_;
  const Tensor* tensor_;
  std::size_t size_;
};

/// The least and the greatest number of a set; none where the least is greater.
struct PartRange {
  double least;
  double greatest;
  bool nan = false;  ///< NaN belongs to the set
};

/// A set of values around an exact result that is proven to hold every correct one.
class Region {
 public:
  virtual ~Region() = default;
  virtual bool holds(const Scalar& value) const = 0;
  /// Of the values of a dtype that it holds: the real parts, and the imaginary parts.
  virtual std::pair<PartRange, PartRange> ranges(DType dtype) const = 0;
  virtual std::string describe(DType dtype) const = 0;
};

/// One cell: what it starts with and what lands in it. Points into its bag.
struct Cell {
  const Bag* bag;
  std::int64_t index;
  std::span<const Contribution> contributions;

  bool touched() const { return !contributions.empty(); }
  /// Precondition: the bag has starts.
  const Scalar& start() const { return (*bag->start)[static_cast<std::size_t>(index)]; }
  bool start_takes_part() const { return bag->start && bag->start_counts; }
};
Cell cell_at(const Bag& bag, std::int64_t index);
/// All that is combined: the start, when it counts, then the contributions.
FewScalars operands(const Cell& cell);

/// The contributions' values, each once (bit for bit), in the order in which they first occur.
FewScalars distinct_values(std::span<const Contribution> contributions);
/// Of two's complement: a sum or product modulo 2^64, or of each pair of bits.
std::int64_t bits_combined(Combiner combine, std::int64_t a, std::int64_t b);

/// What a cell may hold: anything, one of a few listed values, or any value in a region.
struct Allowed {
  ComparisonMode mode = ComparisonMode::exact;
  bool free = false;  ///< the document says nothing about this cell
  FewScalars listed = {};
  bool zeros_alike = false;                        ///< +0 and -0 are one value
  std::shared_ptr<const Region> region = nullptr;  ///< instead of the list
  std::optional<double> bound =
      std::nullopt;  ///< of a region: its radius, for a complex one the larger of the parts'
  std::optional<double> sensitivity =
      std::nullopt;  ///< smallest change that losing a contribution makes, over the bound

  bool holds(const Scalar& value) const;
};

/// Precondition: the bag is sound (unsound() says nothing); an untouched cell has a start.
Allowed allowed_in(const Cell& cell);

/// Why a bag contradicts itself, if it does. That is our own fault, never the engine's.
std::optional<std::string> unsound(const Bag& bag);

/// `7`, `7 or 9`, `a value within 1e-06 of 3.3`.
std::string describe(const Allowed& allowed, DType dtype);

/// The same value for the purpose of a combiner that does not promise the sign of zero.
bool same_value(const Scalar& a, const Scalar& b, bool zeros_alike);

}  // namespace scatterproof::spec::judging
