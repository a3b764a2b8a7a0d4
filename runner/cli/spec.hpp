// SPDX-License-Identifier: Apache-2.0
// What the verbs below `spec` share.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "scatterproof/runner/cli/cli.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::cli {

/// The specs whose api matches one of the globs (all when there is none).
spec::Result<std::vector<const spec::OpSpec*>> select_specs(const spec::SpecLibrary& library,
                                                            const std::vector<std::string>& globs);

/// `spec coverage` and `spec documents`.
void add_spec_coverage(CLI::App& spec, Context& context);
void add_spec_documents(CLI::App& spec, Context& context);

}  // namespace scatterproof::runner::cli
