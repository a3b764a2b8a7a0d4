// SPDX-License-Identifier: Apache-2.0
// The numbers that fill tensors other than indices.
#pragma once

#include <span>

#include "scatterproof/runner/fuzz/generated.hpp"
#include "scatterproof/spec/core/random.hpp"
#include "scatterproof/spec/core/scalar.hpp"
#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::runner::fuzz {

/// How the data of a call is drawn. `products`: its values are multiplied.
DataMode draw_data_mode(spec::DType dtype, bool products, spec::Dice& dice);

/// The same where gradients are judged, which few values tell most about.
DataMode draw_differentiated_mode(spec::Dice& dice);
/// The numbers of DataMode::few, for all tensors of a call.
std::span<const double> draw_few(bool products, spec::Dice& dice);

/// What lattice numbers are multiples of: 1, or, if `fine`, 1 and a bit that narrower types do not have. Sums
/// of thousands of its multiples are exact all the same.
double lattice_unit(spec::DType dtype, bool fine);

struct DataStyle {
  DataMode mode = DataMode::lattice;
  double unit = 1;        ///< of lattice numbers
  bool products = false;  ///< the numbers are multiplied
  std::span<const double> few = {};
};

/// Draws each element. Precondition: the tensor is contiguous, from the start of its storage.
void fill(spec::Tensor& tensor, const DataStyle& style, spec::Dice& dice);

/// A scalar argument. One in four is not a number of the dtype: a kernel that first converts it to another
/// type loses it.
spec::Scalar bare_number(spec::DType dtype, bool products, spec::Dice& dice);

}  // namespace scatterproof::runner::fuzz
