// SPDX-License-Identifier: Apache-2.0
// A row template and values for its parameters, read into rows.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/runner/bench/rows.hpp"
#include "scatterproof/spec/opspec/reader.hpp"
#include "scatterproof/spec/yaml/yaml.hpp"

namespace scatterproof::runner::bench {

/// The rows of one template that its schema accepts: one for each combination of its parameters. Lists of
/// `instead` (may be null) replace those of the same name. Errors go to the reader.
std::vector<BenchmarkRow> read_template(spec::Reader& reader, const spec::SpecLibrary& specs,
                                        const std::string& benchmark, const spec::yaml::Node& one,
                                        const spec::yaml::Node* instead);

}  // namespace scatterproof::runner::bench
