// SPDX-License-Identifier: Apache-2.0
// The JSON Schemas of spec/data/schema, built into the library, and the check of JSON messages against them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::spec {

/// The text of spec/data/schema/<name>.schema.json as it was at build time; empty when no schema has this
/// name.
std::string_view schema_text(std::string_view name);
/// The short names of all schemas, sorted: baseline, cases, ops ...
std::vector<std::string> schema_names();

/// Checks one JSON text, such as a worker's message, against a schema by short name. Returns all errors at
/// once, none when it is valid. Each error names the place inside the message (`arguments[2].shape: ...`);
/// file and position are empty. Safe on hostile text: duplicate keys, nesting beyond 64 levels and broken
/// JSON are errors. Thread-safe.
Errors validate_json(std::string_view json, std::string_view schema);

}  // namespace scatterproof::spec
