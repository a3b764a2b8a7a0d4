// SPDX-License-Identifier: Apache-2.0
// Explains in words why a value does not match a draft-07 schema. valijson decides whether a value is valid;
// this reads the same schema along with the value to find the words and the positions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>
#include <vector>

namespace scatterproof::spec {

/// Steps from the root: a member's key or an item's index.
using JsonPath = std::vector<std::variant<std::string, std::size_t>>;

struct SchemaError {
  JsonPath path = {};
  bool at_key = false;  ///< about the last step's key, not about its value
  std::string what = {};
  std::string hint = {};
};

/// All errors, outermost first, in the order of the schema. A value of the wrong type gives one error, and
/// none below it.
std::vector<SchemaError> explain(const nlohmann::json& schema, const nlohmann::json& value);

/// `calls[2].self.dtype`; empty for the root.
std::string to_string(const JsonPath& path);

}  // namespace scatterproof::spec
