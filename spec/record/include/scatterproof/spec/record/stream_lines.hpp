// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::spec {

/// Reads a stream that is at hand line by line; `name` is what errors call it.
Result<Run> read_stream_lines(const std::string& name, const std::vector<std::string>& lines);

/// The same without the records: of the first and the last line.
Result<Run> read_ends(const std::string& name, const std::string& header, const std::string& end);

}  // namespace scatterproof::spec
