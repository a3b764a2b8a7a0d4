// SPDX-License-Identifier: Apache-2.0
// Meanings whose values are elements as they stand: what they depend on is known without probing.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/spec/gradient/dependence.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::spec {

/// Whether each start and each value that the meaning writes is an element of these arguments as it stands,
/// or does not depend on their data. Nothing else in the meaning may depend on their data.
bool has_plain_values(const OpSpec& spec, const std::vector<std::string>& arguments);

/// Sets starts and contributions. Preconditions: the values are plain for Dependences::arguments; everything
/// else is set.
void read_origins(const OpSpec& spec, Dependences& made);

}  // namespace scatterproof::spec
