// SPDX-License-Identifier: Apache-2.0
// How sizes and dtypes are spread.
#pragma once

#include <cstdint>
#include <string>

#include "scatterproof/spec/core/dtype.hpp"
#include "scatterproof/spec/core/random.hpp"

namespace scatterproof::spec::solve {

/// A few; 1 is the most frequent: vectors and blocks begin beyond it. One in three is 0, where it may be.
std::int64_t small_size(bool may_be_zero, Dice& dice);

/// A size up to `most`: at least half of the time near it, and mostly at the block boundaries of kernels: a
/// power of two or a multiple of 8 to 256, one less, one more; or a prime. Precondition: most >= 1.
std::int64_t boundary_size(std::int64_t most, Dice& dice);

/// i64 is what most indices are, and f32 most data.
DType draw_dtype(bool index, Dice& dice);
/// Half of them those that most tensors have.
DType draw_usual_dtype(Dice& dice);

/// Another selection with as many arrays.
std::string draw_selection(const std::string& like, Dice& dice);

}  // namespace scatterproof::spec::solve
