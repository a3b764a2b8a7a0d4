// SPDX-License-Identifier: Apache-2.0
// JSON values and the types of JSON Schema in words.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace scatterproof::spec {

using Words = std::vector<std::string>;

/// `a, b or c`
std::string alternatives(const Words& words);
/// A value as a person would name it: `the string 'x'`, `a list`.
std::string described(const nlohmann::json& value);
/// A value as written in a file: strings without quotes.
std::string written(const nlohmann::json& value);

/// `integer`: `an integer`
std::string type_words(const std::string& type);
bool has_type(const nlohmann::json& value, const std::string& type);
/// The types that a schema's `type` allows; empty when it has none.
Words types_of(const nlohmann::json& schema);

/// A schema's keyword that is a string, such as `description`.
std::string text_or(const nlohmann::json& schema, const char* keyword, std::string otherwise = {});
/// Unicode characters of a UTF-8 text.
std::size_t characters(const std::string& text);

}  // namespace scatterproof::spec
