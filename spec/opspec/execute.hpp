// SPDX-License-Identifier: Apache-2.0
// The result's dtype and shape alone, for those who read printed values.
#pragma once

#include "scatterproof/spec/call.hpp"
#include "scatterproof/spec/op_spec.hpp"

namespace scatterproof::spec {

struct ResultForm {
  DType dtype = DType::f32;
  Shape shape;
};
/// What the meaning says of the result before anything is written. Errors as `execute`.
Result<ResultForm> result_form(const OpSpec& spec, const Call& call);

}  // namespace scatterproof::spec
