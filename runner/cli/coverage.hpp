// SPDX-License-Identifier: Apache-2.0
// `spec coverage`.
#pragma once

#include <string>
#include <vector>

#include "cli.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::cli {

/// The specs whose API matches one of the globs (all when there is none).
spec::Result<std::vector<const spec::OpSpec*>> select_specs(const spec::SpecLibrary& library,
                                                            const std::vector<std::string>& globs);

void add_coverage(CLI::App& spec_verb, Context& context);

}  // namespace scatterproof::runner::cli
