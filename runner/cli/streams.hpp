// SPDX-License-Identifier: Apache-2.0
// Streams of earlier runs, as verbs read them.
#pragma once

#include <CLI/App.hpp>
#include <set>
#include <string>
#include <vector>

#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/record/record.hpp"
#include "scatterproof/spec/record/stream_file.hpp"

namespace scatterproof::runner::cli {

/// `--from`, repeatable.
void add_from(CLI::App& verb, std::vector<std::string>& streams);

/// These streams; if there are none, the newest that a run kept by itself, which is named on stderr. A
/// truncated stream is mentioned.
spec::Result<std::vector<spec::Run>> read_streams(const std::vector<std::string>& paths);

/// Mentions on stderr that a stream was cut off, if it was.
void say_if_cut_off(const spec::StreamFile& stream);

/// The records of all of them.
std::vector<spec::Record> records_of(const std::vector<spec::Run>& runs);

/// Why reports cannot be written to these KIND=PATHs: one of the streams that they are made from is there.
spec::Errors overwritten(const std::vector<std::string>& wanted, const std::vector<std::string>& streams);

/// The ids of cases that failed on some engine when they last ran, according to the kept streams. Without
/// expected failures.
std::set<std::string> ids_that_failed_last();

}  // namespace scatterproof::runner::cli
