// SPDX-License-Identifier: Apache-2.0
// A record as this program writes it, read without a JSON tree: most streams hold nothing else, and may hold
// millions.
#pragma once

#include <cstdint>
#include <string_view>

#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::spec {

/// Calls of one record: far more than any run makes, and sums stay sums.
inline constexpr std::uint64_t most_calls = 1'000'000'000'000'000;

/// Reads a line that to_json_line wrote. False: the line may or may not be a record, which the reader of
/// general JSON has to decide; `record` is then unspecified.
bool read_quickly(std::string_view line, Record& record);

}  // namespace scatterproof::spec
