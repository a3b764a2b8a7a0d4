// SPDX-License-Identifier: Apache-2.0
// Kernel calls of every kind from a seed. The sizes and layouts of a call are drawn first and its values
// last, so that every call is valid except where `bad_index` asks otherwise.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "scatterproof/engines/native/kernel.hpp"

namespace scatterproof::engines::test {

/// Which numbers data and updates hold.
enum class Values : std::uint8_t {
  lattice,    ///< any order of combining gives the same bits (complex products: the same values)
  arbitrary,  ///< floats whose sums and products depend on the order
  special     ///< lattice with NaN, infinities and zeros of both signs strewn in; no complex products
};

struct CallKind {
  Values values = Values::lattice;
  std::int64_t largest =
      6;                   ///< sizes go up to this; where it is above 100, tensors have one or two dimensions
  bool bad_index = false;  ///< at least one value of a non-empty index is out of range
};

/// Numbers from a seed (SplitMix64), the same on every machine.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// In [low, high].
  std::int64_t in(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(int percent) { return in(0, 99) < percent; }
  double real() { return static_cast<double>(bits() >> 11) * 0x1p-53 * 2 - 1; }
  template <class T>
  T pick(std::initializer_list<T> choices) {
    return choices.begin()[in(0, static_cast<std::int64_t>(choices.size()) - 1)];
  }

 private:
  std::uint64_t state_;
};

namespace random_calls {

using spec::Combiner;
using spec::DType;
using spec::Scalar;
using spec::Shape;
using spec::Tensor;

inline std::int64_t any_size(Dice& dice, const CallKind& kind) {
  if (dice.chance(2)) return 0;
  if (dice.chance(15)) return 1;
  return dice.chance(50) ? dice.in(1, std::min<std::int64_t>(kind.largest, 6)) : dice.in(1, kind.largest);
}

inline Shape any_shape(Dice& dice, const CallKind& kind, std::int64_t least_rank) {
  const bool large = kind.largest > 100;
  Shape shape(
      static_cast<std::size_t>(dice.in(least_rank, large ? std::max<std::int64_t>(least_rank, 2) : 4)));
  for (std::size_t d = 0; d < shape.size(); ++d)
    shape[d] = large && d > 0 ? dice.in(0, 70) : any_size(dice, kind);
  return shape;
}

/// A view with its axes stored in any order, steps of any sign, gaps and, where allowed, strides of 0.
inline Tensor any_layout(Dice& dice, DType dtype, const Shape& shape, bool may_expand) {
  if (dice.chance(40)) return Tensor(dtype, shape);
  std::vector<std::size_t> order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  if (dice.chance(50))
    for (std::size_t d = order.size(); d > 1; --d)
      std::swap(order[d - 1], order[static_cast<std::size_t>(dice.in(0, static_cast<std::int64_t>(d) - 1))]);
  Shape strides(shape.size());
  std::int64_t extent = 1;
  std::int64_t offset = 0;
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::size_t d = order[i];
    const std::int64_t size = std::max<std::int64_t>(shape[d], 1);
    if (may_expand && dice.chance(20)) {
      strides[d] = 0;
      continue;
    }
    const std::int64_t step = extent * (dice.chance(20) ? 2 : 1);
    extent = step * size;
    const bool backwards = dice.chance(20);
    strides[d] = backwards ? -step : step;
    if (backwards) offset += step * (size - 1);
  }
  const std::int64_t lead = dice.in(0, 3);
  const auto elements = static_cast<std::size_t>(lead + extent + dice.in(0, 3));
  auto storage = std::make_shared<Tensor::Storage>(elements * spec::size_of(dtype));
  return Tensor::view(dtype, shape, strides, lead + offset, std::move(storage)).value();
}

template <class Value>  // Value: at -> Scalar
void fill(Tensor& tensor, Value&& value) {
  if (tensor.numel() == 0) return;
  spec::Coords at(tensor.rank(), 0);
  do tensor.set(at, value(at));
  while (spec::next(at, tensor.shape()));
}

/// Draws values such that `additions` of them in one cell keep to the lattice.
class Numbers {
 public:
  Numbers(Dice& dice, Values values, DType dtype, Combiner combine, std::int64_t additions)
      : dice_(dice), values_(values), dtype_(dtype), combine_(combine) {
    const int precision =
        spec::is_float(dtype) || spec::is_complex(dtype) ? spec::float_format(dtype).precision : 53;
    const std::int64_t budget = std::int64_t{1} << std::min(precision, 40);
    magnitude_ = std::clamp<std::int64_t>(budget / (additions + 1), 1, 1000);
    nonzero_ = additions < budget ? -1 : budget - 1;
  }
  /// Fewer non-zero values than additions: a value must not stand for several positions.
  bool scarce() const { return nonzero_ >= 0 && (combine_ == Combiner::sum || combine_ == Combiner::mean); }

  Scalar next() {
    if (dtype_ == DType::boolean) return Scalar::of_bool(dice_.chance(50));
    if (spec::is_integer(dtype_)) return spec::convert(Scalar::of_int(integer()), dtype_);
    if (values_ == Values::special && !complex_product() && dice_.chance(15))
      return Scalar::of_real(
          dice_.pick({0.0, -0.0, std::numeric_limits<double>::quiet_NaN(),
                      std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}));
    if (!spec::is_complex(dtype_)) return spec::convert(Scalar::of_real(part()), dtype_);
    if (combine_ != Combiner::prod || values_ == Values::arbitrary)
      return spec::convert(Scalar::of_complex(part(), part()), dtype_);
    const double size = part();  // a product of numbers on the axes stays on them
    return dice_.chance(50) ? Scalar::of_complex(size, 0) : Scalar::of_complex(0, size);
  }

 private:
  bool complex_product() const { return spec::is_complex(dtype_) && combine_ == Combiner::prod; }
  std::int64_t integer() {
    return dice_.chance(50) ? static_cast<std::int64_t>(dice_.bits()) : dice_.in(-3, 3);
  }
  double part() {
    if (values_ == Values::arbitrary)
      return combine_ == Combiner::prod ? 1 + 0.3 * dice_.real() : dice_.real();
    if (combine_ == Combiner::prod) {
      const double sign = dice_.chance(50) ? 1 : -1;
      if (powers_ == 0 || !dice_.chance(10)) return sign;
      --powers_;
      return sign * (powers_ % 2 == 0 ? 2 : 0.5);
    }
    if (combine_ != Combiner::sum && combine_ != Combiner::mean)
      return static_cast<double>(dice_.in(1, 200)) - 100.5;
    if (nonzero_ == 0 || (nonzero_ > 0 && !dice_.chance(20))) return 0;
    if (nonzero_ > 0) --nonzero_;
    const auto size = static_cast<double>(dice_.in(1, magnitude_));
    return dice_.chance(50) ? size : -size;
  }

  Dice& dice_;
  Values values_;
  DType dtype_;
  Combiner combine_;
  std::int64_t magnitude_;
  std::int64_t nonzero_;      ///< non-zero values still to be given; -1: any number
  std::int64_t powers_ = 12;  ///< factors of two and a half still to be given, together
};

inline Combiner any_combiner(Dice& dice, DType dtype) {
  const Combiner drawn = dice.pick({Combiner::assign, Combiner::sum, Combiner::sum, Combiner::prod,
                                    Combiner::mean, Combiner::amax, Combiner::amin});
  if (dtype == DType::boolean && drawn == Combiner::mean) return Combiner::sum;
  const bool ordered = drawn == Combiner::amax || drawn == Combiner::amin;
  return spec::is_complex(dtype) && ordered ? Combiner::prod : drawn;
}

/// The index's values: near-sorted, few distinct ones, all the same or any. `sizes`: one a tuple member.
inline void fill_index(Dice& dice, const CallKind& kind, KernelCall& call, const Shape& sizes) {
  const bool tuples = sizes.size() != 1 || call.op == KernelOp::scatter_nd || call.op == KernelOp::gather_nd;
  const std::int64_t least = sizes.empty() ? 0 : *std::ranges::min_element(sizes);
  const int pattern = static_cast<int>(dice.in(0, 4));
  const auto span = static_cast<std::int64_t>(spec::integer_range(call.index.dtype()).highest);
  const std::int64_t positions = std::max<std::int64_t>(call.index.numel(), 1);
  std::int64_t count = 0;
  fill(call.index, [&](const spec::Coords& at) {
    const bool shared = tuples && call.index.strides().back() == 0;  // one element for all members
    std::int64_t size = !tuples ? sizes[0] : shared ? least : sizes[static_cast<std::size_t>(at.back())];
    size = std::min(size, span);
    std::int64_t value = 0;
    if (size > 0) {
      value = dice.in(0, size - 1);
      if (pattern == 0) value = size * count / positions;
      if (pattern == 1) value = std::min<std::int64_t>(value % 3, size - 1);
      if (pattern == 2) value = size / 2;
      if (call.wrap_negative && call.index.dtype() != DType::u8 && size < 128 && dice.chance(30) && !shared)
        value -= tuples ? sizes[static_cast<std::size_t>(at.back())] : sizes[0];
    }
    ++count;
    return Scalar::of_int(std::max<std::int64_t>(value, spec::integer_range(call.index.dtype()).lowest));
  });
  if (!kind.bad_index || call.index.numel() == 0 || sizes.empty()) return;
  spec::Coords at(call.index.rank());
  for (std::size_t d = 0; d < at.size(); ++d) at[d] = dice.in(0, call.index.shape()[d] - 1);
  const std::int64_t size = tuples ? sizes[static_cast<std::size_t>(at.back())] : sizes[0];
  const bool wide = call.index.dtype() == DType::i64;
  if (size > span) return;
  call.index.set(at, Scalar::of_int(call.index.dtype() == DType::u8 || dice.chance(30) ? size
                                    : wide && dice.chance(30) ? dice.pick({INT64_MAX, INT64_MIN})
                                                              : -size - 1));
}

inline void stretch_randomly(Dice& dice, Shape& shape, std::size_t keep) {
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (d != keep && dice.chance(30)) shape[d] = 1;
}

struct Draft {
  KernelCall call;
  Shape updates;  ///< sizes of the updates; gathers: of the result
  Shape sizes;    ///< in which the index's values lie, one a tuple member
  std::int64_t positions = 0;
};

inline Draft draw_elements(Dice& dice, const CallKind& kind, KernelCall call) {
  Shape data = any_shape(dice, kind, 0);
  const bool flat = data.empty();
  if (flat) data = {1};
  const auto axis = static_cast<std::size_t>(dice.in(0, static_cast<std::int64_t>(data.size()) - 1));
  Shape index = data;
  call.broadcast = dice.chance(20);
  const bool gather = call.op == KernelOp::gather_elements;
  for (std::size_t d = 0; d < index.size(); ++d) {
    if (d == axis)
      index[d] = flat && dice.chance(50) ? 1 : any_size(dice, kind);
    else if (call.broadcast)
      index[d] = dice.chance(30) ? 1 : index[d];
    else if (dice.chance(30))
      index[d] = dice.in(0, index[d]);
  }
  Shape space = index;
  for (std::size_t d = 0; d < space.size(); ++d)
    if (d != axis && call.broadcast && space[d] == 1) space[d] = data[d];
  if (call.broadcast && !flat)
    for (std::size_t d = 0; d < data.size(); ++d)
      if (d != axis && index[d] == space[d] && dice.chance(15)) data[d] = 1;
  call.axis = static_cast<std::int64_t>(axis);
  Draft draft{std::move(call), space, {data[axis]}, spec::numel(space)};
  if (draft.call.broadcast) {
    stretch_randomly(dice, draft.updates, draft.updates.size());
    while (!draft.updates.empty() && dice.chance(10)) draft.updates.erase(draft.updates.begin());
    // A dropped size counts as 1, which fits anything.
  } else if (dice.chance(30)) {
    for (auto& size : draft.updates) size += dice.in(0, 2);
  } else {
    draft.call.index_equals_updates = true;
  }
  if (!gather && dice.chance(15)) {
    draft.call.start_from_data = false;
    draft.sizes[0] = any_size(dice, kind);
    draft.call.output_size = draft.sizes[0];
  }
  // All without dimensions, or none: a number is not a vector of one.
  const bool scalar = flat && draft.call.start_from_data && index[0] == 1 && !draft.call.broadcast;
  draft.call.data = any_layout(dice, draft.call.data.dtype(), scalar ? Shape{} : data, true);
  draft.call.index = any_layout(dice, draft.call.index.dtype(), scalar ? Shape{} : index, true);
  if (scalar) draft.updates = {};
  return draft;
}

inline Draft draw_rows(Dice& dice, const CallKind& kind, KernelCall call) {
  const Shape data = any_shape(dice, kind, 1);
  const auto axis = static_cast<std::size_t>(dice.in(0, static_cast<std::int64_t>(data.size()) - 1));
  Shape index(static_cast<std::size_t>(kind.largest > 100 ? 1 : dice.in(0, 2)));
  for (auto& size : index) size = any_size(dice, kind);
  Shape space(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(axis));
  space.insert(space.end(), index.begin(), index.end());
  space.insert(space.end(), data.begin() + static_cast<std::ptrdiff_t>(axis) + 1, data.end());
  call.axis = static_cast<std::int64_t>(axis);
  call.broadcast = dice.chance(20);
  Draft draft{std::move(call), space, {data[axis]}, spec::numel(space)};
  if (draft.call.broadcast) stretch_randomly(dice, draft.updates, draft.updates.size());
  if (!draft.call.broadcast && index.size() == 1 && dice.chance(20)) {
    draft.call.surplus_updates = true;
    draft.updates[axis] += dice.in(0, 2);
  }
  draft.call.data = any_layout(dice, draft.call.data.dtype(), data, true);
  draft.call.index = any_layout(dice, draft.call.index.dtype(), index, true);
  return draft;
}

inline Draft draw_nd(Dice& dice, const CallKind& kind, KernelCall call) {
  const Shape data = any_shape(dice, kind, 1);
  const auto rank = static_cast<std::int64_t>(data.size());
  const bool gather = call.op == KernelOp::gather_nd;
  const std::int64_t batch = gather ? dice.in(0, rank - 1) : 0;
  const std::int64_t depth = dice.in(0, rank - batch);
  Shape index(data.begin(), data.begin() + batch);
  for (std::int64_t d = dice.in(0, kind.largest > 100 ? 1 : 2); d > 0; --d)
    index.push_back(any_size(dice, kind));
  Shape space = index;
  space.insert(space.end(), data.begin() + batch + depth, data.end());
  index.push_back(depth);
  call.batch_dims = batch;
  call.broadcast = !gather && dice.chance(20);
  Draft draft{std::move(call), space, Shape(data.begin() + batch, data.begin() + batch + depth),
              spec::numel(space)};
  if (draft.call.broadcast) stretch_randomly(dice, draft.updates, draft.updates.size());
  draft.call.data = any_layout(dice, draft.call.data.dtype(), data, true);
  draft.call.index = any_layout(dice, draft.call.index.dtype(), index, true);
  return draft;
}

inline void fill_values(Dice& dice, const CallKind& kind, Draft& draft) {
  KernelCall& call = draft.call;
  const DType dtype = call.data.dtype();
  Numbers numbers(dice, kind.values, dtype, call.combine, draft.positions);
  fill(call.data, [&](const spec::Coords&) { return numbers.next(); });
  if (!call.start_from_data) call.fill = numbers.next();
  if (call.op >= KernelOp::gather_elements) return;
  const bool scarce = numbers.scarce();
  if (!scarce && dice.chance(10)) {
    call.updates = numbers.next();
    return;
  }
  Tensor updates = scarce ? Tensor(dtype, draft.updates) : any_layout(dice, dtype, draft.updates, true);
  if (scarce && spec::numel(draft.updates) < draft.positions) return void(call.updates = Scalar::of_int(0));
  fill(updates, [&](const spec::Coords&) { return numbers.next(); });
  call.updates = std::move(updates);
}

}  // namespace random_calls

/// A call drawn by the dice; make_walk() takes it unless an index out of range keeps a size from being sound.
inline KernelCall random_call(Dice& dice, const CallKind& kind = {}) {
  using spec::DType;
  const DType dtype = spec::all_dtypes[static_cast<std::size_t>(dice.in(0, 11))];
  const DType index =
      dice.pick({DType::i64, DType::i64, DType::i32, DType::i32, DType::i16, DType::u8, DType::i8});
  KernelCall call;
  call.op = static_cast<KernelOp>(dice.in(0, 5));
  call.data = spec::Tensor(dtype, {0});
  call.index = spec::Tensor(index, {0});
  call.index_dtypes = {DType::u8, DType::i8, DType::i16, DType::i32, DType::i64};
  call.wrap_negative = dice.chance(40);
  if (call.op < KernelOp::gather_elements) {
    call.combine = random_calls::any_combiner(dice, dtype);
    call.include_start = dice.chance(60);
    call.integer_mean = dice.pick({spec::IntegerMean::floor, spec::IntegerMean::truncate});
  }
  const bool elements = call.op == KernelOp::scatter_elements || call.op == KernelOp::gather_elements;
  const bool rows = call.op == KernelOp::scatter_rows || call.op == KernelOp::gather_rows;
  auto draft = elements ? random_calls::draw_elements(dice, kind, std::move(call))
               : rows   ? random_calls::draw_rows(dice, kind, std::move(call))
                        : random_calls::draw_nd(dice, kind, std::move(call));
  random_calls::fill_index(dice, kind, draft.call, draft.sizes);
  random_calls::fill_values(dice, kind, draft);
  const auto rank = static_cast<std::int64_t>(draft.call.data.rank());
  if (rank > 0 && dice.chance(20) && (elements || rows)) draft.call.axis -= rank;
  return std::move(draft.call);
}

/// Enough of a call to see what is special about it.
inline std::string describe(const KernelCall& call) {
  static constexpr const char* ops[] = {"scatter_elements", "scatter_rows", "scatter_nd",
                                        "gather_elements",  "gather_rows",  "gather_nd"};
  const auto layout = [](const spec::Tensor& t) {
    return std::string(spec::name(t.dtype())) + spec::to_string(t.shape()) + " strides " +
           spec::to_string(t.strides());
  };
  std::string text = std::string(ops[static_cast<int>(call.op)]) + " " +
                     std::string(spec::name(call.combine)) + (call.include_start ? "" : " without start") +
                     "\n  data " + layout(call.data) + " " + spec::to_string(call.data) + "\n  index " +
                     layout(call.index) + " " + spec::to_string(call.index) + "\n  axis " +
                     std::to_string(call.axis) + " batch_dims " + std::to_string(call.batch_dims);
  if (!call.updates) return text;
  if (const auto* updates = std::get_if<spec::Tensor>(&*call.updates))
    return text + "\n  updates " + layout(*updates) + " " + spec::to_string(*updates);
  return text + "\n  updates " + spec::to_string(std::get<spec::Scalar>(*call.updates));
}

}  // namespace scatterproof::engines::test
