// SPDX-License-Identifier: Apache-2.0
// Calls built to meet a condition, from the roles that a spec's kernel entry gives to its arguments. Nothing
// of fuzz is used: this must find what fuzz does not reach.
#pragma once

#include <optional>

#include "scatterproof/engines/faulty/drawn.hpp"
#include "scatterproof/spec/core/random.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::selftest {

/// The sizes and kinds of a call; its values come from the dice.
struct Sketch {
  const spec::OpSpec* op = nullptr;
  spec::Shape data;
  spec::Shape index;
  spec::Shape updates;
  std::int64_t axis = 0;
  std::int64_t width = 1;      ///< numbers in a tuple
  std::int64_t axis_size = 1;  ///< what index values are valid for
  spec::DType dtype = spec::DType::f32;
  spec::DType index_dtype = spec::DType::i64;
  std::optional<engines::LayoutCondition> layouts[3];  ///< by engines::WhichTensor; empty: contiguous
  bool one_place = false;                              ///< all values of the index are equal,
  std::int64_t strays = 0;                             ///< except this many
  bool negative = false;                               ///< the index has negative values
  bool breaks = false;                                 ///< one thing about the call is wrong
  std::optional<engines::SpecialValue> holds;
  /// The data and the updates consist of these alone; empty: any numbers.
  std::vector<spec::Scalar> values = {};
};

/// A sketch that meets the condition if it is about one call, as small as `growth` 0 allows.
Sketch draw_sketch(const spec::OpSpec& op, const engines::FaultCondition& condition, std::int64_t growth,
                   spec::Dice& dice);

/// Makes it a sketch of real numbers, many of them equal.
void make_differentiable(Sketch& sketch, spec::Dice& dice);

spec::Call make_call(const Sketch& sketch, spec::Dice& dice);

}  // namespace scatterproof::runner::selftest
