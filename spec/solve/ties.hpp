// SPDX-License-Identifier: Apache-2.0
// What of a call can be changed while its rules stand: sizes, and dtypes, that change together.
#pragma once

#include <functional>
#include <vector>

#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::spec::solve {

/// A size, or the dtype, of one tensor of a call; or an element of a list of integers, since most of these
/// are sizes too.
struct Knob {
  std::size_t argument = 0;
  std::size_t dimension = 0;  ///< of a size
  friend auto operator<=>(const Knob&, const Knob&) = default;
};
/// Sizes that are set to the same value at once, or tensors to the same dtype.
using Tie = std::vector<Knob>;

using Check = std::function<bool(const Call&)>;

/// The tensor of an argument; null: it is none.
const Tensor* tensor_at(const Call& call, std::size_t argument);
/// A tensor of one value that is stored once, however many elements there are, or none.
Tensor uniform(DType dtype, Shape shape, const Scalar& value);
/// All tensors but the indices hold this value.
void set_data(const OpSpec& spec, Call& call, const Scalar& value);
/// The sizes of a tensor, or a list of integers; null: the argument is neither.
const Shape* shape_at(const Call& call, std::size_t argument);
/// Precondition, here and below: the argument has a shape.
std::int64_t size_at(const Call& call, const Knob& knob);
/// Each value of a tensor becomes the first that it stores; here and below.
void set_shape(Call& call, std::size_t argument, Shape shape);
void set_size(Call& call, const Knob& knob, std::int64_t size);
void set_dtype(Call& call, const Knob& knob, DType dtype);

std::vector<Knob> sizes_of(const Call& call);

/// Smallest sets of sizes, and of dtypes, that `check` lets change together in this call. Sizes are tried
/// beyond the largest, and at 1.
std::vector<Tie> size_ties(const Call& call, const Check& check);
std::vector<Tie> dtype_ties(const Call& call, const Check& check);

}  // namespace scatterproof::spec::solve
