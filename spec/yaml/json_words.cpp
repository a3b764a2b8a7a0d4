// SPDX-License-Identifier: Apache-2.0
#include "json_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "text_check.hpp"

namespace scatterproof::spec {

using nlohmann::json;

std::string text_or(const json& schema, const char* key, std::string otherwise) {
  const auto found = schema.is_object() ? schema.find(key) : schema.end();
  return schema.is_object() && found != schema.end() && found->is_string() ? found->get<std::string>()
                                                                           : otherwise;
}

std::string alternatives(const Words& words) {
  if (words.empty()) return {};
  if (words.size() == 1) return words.front();
  const Words all_but_last(words.begin(), words.end() - 1);
  return fmt::format("{} or {}", fmt::join(all_but_last, ", "), words.back());
}

std::string described(const json& value) {
  switch (value.type()) {
    case json::value_t::null:
      return "nothing";
    case json::value_t::object:
      return "a map";
    case json::value_t::array:
      return "a list";
    case json::value_t::boolean:
      return value.get<bool>() ? "true" : "false";
    case json::value_t::string:
      return fmt::format("the string '{}'", yaml::shown(value.get_ref<const std::string&>()));
    case json::value_t::number_float:
      return std::isfinite(value.get<double>()) ? fmt::format("the number {}", value.dump())
                                                : fmt::format("the number {}", value.get<double>());
    default:
      return fmt::format("the integer {}", value.dump());
  }
}

std::string written(const json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::string type_words(const std::string& type) {
  if (type == "object") return "a map";
  if (type == "array") return "a list";
  if (type == "string") return "a string";
  if (type == "boolean") return "true or false";
  if (type == "null") return "nothing";
  return type == "integer" ? "an integer" : "a number";
}

bool has_type(const json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  if (type == "integer") return value.is_number_integer();
  return value.is_number();
}

Words types_of(const json& schema) {
  const auto type = schema.find("type");
  if (type == schema.end()) return {};
  if (type->is_string()) return {type->get<std::string>()};
  return type->get<Words>();
}

std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace scatterproof::spec
