// SPDX-License-Identifier: Apache-2.0
// The parameters of a row template: every combination of their values, substituted for their names.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scatterproof/spec/opspec/reader.hpp"
#include "scatterproof/spec/yaml/yaml.hpp"

namespace scatterproof::runner::bench {

using Bindings = std::map<std::string, const spec::yaml::Node*>;

/// All combinations of the lists of `parameters`, the last one varying fastest; lists of `instead` (may be
/// null) take the place of those of the same name. One empty combination where there are no parameters
/// (null). The nodes must outlive the result.
std::vector<Bindings> combinations(const spec::yaml::Node* parameters, const spec::yaml::Node* instead);

/// Reports invalid names, and names of `instead` that `parameters` lacks. Both may be null.
void check_names(spec::Reader& reader, const spec::yaml::Node* parameters, const spec::yaml::Node* instead);

/// A copy of `node` in which a scalar `$name` or `$name.member` is the bound value, placed where that value
/// is written, so that errors point there; an unbound `$name` stays. Inside a longer text only
/// words and numbers can be substituted, and for a map its `name`.
spec::yaml::Node substituted(spec::Reader& reader, const spec::yaml::Node& node, const Bindings& bindings);

}  // namespace scatterproof::runner::bench
