// SPDX-License-Identifier: Apache-2.0
// What executing a meaning has in common, whichever evaluator does it; and the result's dtype and shape
// alone, for those who read printed values.
#pragma once

#include "scatterproof/spec/bag.hpp"
#include "scatterproof/spec/call.hpp"
#include "scatterproof/spec/op_spec.hpp"

namespace scatterproof::spec {

/// More contributions than this are refused: a bag of them would not fit a small machine's memory.
inline constexpr std::int64_t max_contributions = std::int64_t{1} << 25;

/// What of a bag needs no evaluation: the latitude, and the arguments' names.
void set_policies(Bag& bag, const OpSpec& spec, const Call& call);

/// `execute` by the plain evaluator: what execute_quickly is held against, and who speaks when that cannot.
Result<Bag> execute_plainly(const OpSpec& spec, const Call& call);

struct ResultForm {
  DType dtype = DType::f32;
  Shape shape;
};
/// What the meaning says of the result before anything is written. Errors as `execute`.
Result<ResultForm> result_form(const OpSpec& spec, const Call& call);

}  // namespace scatterproof::spec
