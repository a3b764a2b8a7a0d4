// SPDX-License-Identifier: Apache-2.0
// What is wrong with a value by a draft-07 schema, said for a person. valijson decides whether a value is
// valid; this reads the same schema beside the value and finds the words and the places.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>
#include <vector>

namespace scatterproof::spec {

/// Steps from the root: a member's key or an item's index.
using JsonPath = std::vector<std::variant<std::string, std::size_t>>;

struct SchemaError {
  JsonPath path;
  bool at_key = false;  ///< about the last step's key, not about its value
  std::string what;
  std::string hint;
};

/// Every fault, outermost first in the order of the schema; one for a value whose type is wrong, none below
/// it.
std::vector<SchemaError> explain(const nlohmann::json& schema, const nlohmann::json& value);

/// `calls[2].self.dtype`; empty for the root.
std::string to_string(const JsonPath& path);

}  // namespace scatterproof::spec
