// SPDX-License-Identifier: Apache-2.0
// Streams of earlier runs, as verbs read them.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::runner::cli {

/// `--from`, repeatable.
void add_from(CLI::App& verb, std::vector<std::string>& streams);

/// These streams; when there is none, the newest that a run kept by itself, which is named on stderr. A stream that was
/// cut off is mentioned.
spec::Result<std::vector<spec::Run>> read_streams(const std::vector<std::string>& paths);

/// The records of all of them.
std::vector<spec::Record> records_of(const std::vector<spec::Run>& runs);

}  // namespace scatterproof::runner::cli
