// SPDX-License-Identifier: Apache-2.0
// A row template and values for its parameters, read into rows.
#pragma once

#include <string>
#include <vector>

#include "rows.hpp"
#include "scatterproof/spec/opspec/reader.hpp"
#include "scatterproof/spec/yaml/yaml.hpp"

namespace scatterproof::runner::bench {

/// The rows of one template, which its schema allows: one for each combination of its parameters, lists of
/// `instead` (may be null) in the place of those of the same name. Errors go to the reader.
std::vector<Row> read_template(spec::Reader& reader, const spec::SpecLibrary& specs,
                               const std::string& family, const spec::yaml::Node& one,
                               const spec::yaml::Node* instead);

}  // namespace scatterproof::runner::bench
