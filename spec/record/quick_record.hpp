// SPDX-License-Identifier: Apache-2.0
// A record as this program writes it, read without a tree of JSON: most streams hold nothing else, and may hold millions.
#pragma once

#include <cstdint>
#include <string_view>

#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::spec {

/// Calls of one record: far more than any run makes, and sums stay sums.
inline constexpr std::uint64_t most_calls = 1'000'000'000'000'000;

/// Reads a line that to_json_line wrote. False: the line may be a record or not, whoever reads any JSON has to say; `record`
/// then holds anything.
bool read_quickly(std::string_view line, Record& record);

}  // namespace scatterproof::spec
