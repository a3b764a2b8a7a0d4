// SPDX-License-Identifier: Apache-2.0
// Streams of earlier runs, as verbs read them.
#pragma once

#include <CLI/App.hpp>
#include <set>
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

/// The ids of cases that failed when they last ran, on some engine, as the kept streams tell. Not expected failures.
std::set<std::string> ids_that_failed_last();

}  // namespace scatterproof::runner::cli
