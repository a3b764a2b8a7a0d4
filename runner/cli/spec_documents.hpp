// SPDX-License-Identifier: Apache-2.0
// `spec documents`.
#pragma once

#include "cli.hpp"

namespace scatterproof::runner::cli {

void add_spec_documents(CLI::App& spec_verb, Context& context);

}  // namespace scatterproof::runner::cli
