// SPDX-License-Identifier: Apache-2.0
// One tensor of a row template: dtype, shape, fill and layout.
#pragma once

#include <string>

#include "scatterproof/runner/bench/rows.hpp"
#include "scatterproof/spec/opspec/reader.hpp"
#include "scatterproof/spec/yaml/yaml.hpp"

namespace scatterproof::runner::bench {

/// Reads the tensor; references to other tensors are not checked. Errors go to the reader.
TensorPlan read_tensor(spec::Reader& reader, const std::string& name, const spec::yaml::Node& node);

}  // namespace scatterproof::runner::bench
