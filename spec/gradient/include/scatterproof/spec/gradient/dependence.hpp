// SPDX-License-Identifier: Apache-2.0
// What each value of a bag depends on, found by executing the meaning on other data: no API needs code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/judge/bag.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::spec {

/// How a start or a contribution depends on the call's data: value = something constant + coefficient * x.
struct Dependence {
  std::int32_t argument = -1;  ///< index into Dependences::arguments; -1: it depends on none of them
  std::int64_t element = -1;   ///< x: flat row-major position in that argument
  double coefficient = 0;
};

/// The bag of a call, and what each of its values depends on.
struct Dependences {
  Bag bag;
  std::vector<std::string> arguments;  ///< those that a gradient can be asked of
  std::vector<Shape> shapes = {};      ///< of these arguments
  std::vector<DType> dtypes = {};
  std::vector<Dependence> starts = {};         ///< one for each cell; empty: the meaning has no start
  std::vector<Dependence> contributions = {};  ///< one for each of Bag::list
  // what the document says of choices
  GradientPolicy::Ties ties = GradientPolicy::Ties::free;
  GradientPolicy::Collisions collisions = GradientPolicy::Collisions::one;
};

/// The arguments of a call that may have a gradient: tensors of real numbers.
std::vector<std::string> differentiable_arguments(const Call& call);

/// Precondition: the call obeys every rule. Errors: the call has no gradients that follow from its meaning,
/// such as one of integers, or its meaning is not affine in its data.
Result<Dependences> dependences_of(const OpSpec& spec, const Call& call);
/// The same for a caller that has executed the meaning: `bag` is what that gave.
Result<Dependences> dependences_of(const OpSpec& spec, const Call& call, Bag bag);

}  // namespace scatterproof::spec
