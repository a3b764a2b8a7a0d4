// SPDX-License-Identifier: Apache-2.0
// The judge of gradients. Pure.
#pragma once

#include <span>
#include <string>

#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/gradient/expected_gradient.hpp"
#include "scatterproof/spec/judge/judge.hpp"

namespace scatterproof::spec {

/// Numbers this far from `value` on either side.
struct Interval {
  double value = 0;
  double bound = 0;
};

/// What an element of this argument's gradient may be, apart from its choices. The bound is infinite where it
/// is not judged, as its sum may leave the range of the dtype.
Interval without_choices(const ExpectedGradients& expected, std::size_t argument,
                         const ElementGradient& element);

/// The verdict on the answers for all arguments, in the order of ExpectedGradients::arguments. No document
/// promises that there is a gradient, so an engine may refuse one.
Judgement judge_gradients(const ExpectedGradients& expected, std::span<const GradientAnswer> answers);

/// A simple mistake that explains each element of wrong answers; none: none that is known.
Diagnosis likely_mistake(const Dependences& of, const Tensor& cotangent,
                         std::span<const GradientAnswer> answers);

}  // namespace scatterproof::spec
