// SPDX-License-Identifier: Apache-2.0
// Shared by all files of JSON lines: writing a line, and typed access to the fields of one. The only place in
// this library that sees how JSON is read and printed.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scatterproof::spec {

using nlohmann::json;
using nlohmann::ordered_json;

/// Bytes that are not UTF-8 become U+FFFD: an engine's message may hold anything.
inline std::string one_line(const ordered_json& object) {
  return object.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

/// JSON has no NaN and no infinity.
inline double finite(double value) { return std::isfinite(value) ? value : 0; }

/// What is wrong with a line, in one sentence, and what to do about it, if there is anything to say.
class Malformed : public std::runtime_error {
 public:
  explicit Malformed(const std::string& what, std::string todo = {})
      : std::runtime_error(what), hint(std::move(todo)) {}
  std::string hint;
};

/// Throws Malformed.
inline json parse_line(std::string_view line) {
  if (line.starts_with("SQLite format 3"))
    throw Malformed("a database, not a stream of records",
                    "name the stream of a run; --db names the history");
  json object = json::parse(line, nullptr, false);
  if (object.is_discarded()) throw Malformed("not a line of JSON");
  return object;
}

/// Typed access to the object of one line. A field that is missing or of another type is Malformed.
class Fields {
 public:
  explicit Fields(const json& object) : object_(object) {
    if (!object.is_object()) throw Malformed("not a JSON object");
  }

  std::string text(const char* key) const {
    const json& value = at(key);
    if (!value.is_string()) throw Malformed(fmt::format("'{}' is not a string", key));
    return value.get<std::string>();
  }
  bool has(const char* key) const { return object_.contains(key); }
  std::string text_or_empty(const char* key) const { return has(key) ? text(key) : std::string(); }
  bool boolean(const char* key) const {
    const json& value = at(key);
    if (!value.is_boolean()) throw Malformed(fmt::format("'{}' is not true or false", key));
    return value.get<bool>();
  }
  bool true_if_there(const char* key) const { return has(key) && boolean(key); }
  std::uint64_t count(const char* key) const {
    const json& value = at(key);
    if (!value.is_number_unsigned())
      throw Malformed(fmt::format("'{}' is not an integer of at least 0", key));
    return value.get<std::uint64_t>();
  }
  std::uint64_t count_up_to(const char* key, std::uint64_t most) const {
    const std::uint64_t value = count(key);
    if (value > most) throw Malformed(fmt::format("'{}' is larger than {}", key, most));
    return value;
  }
  int small_count(const char* key) const {
    const std::uint64_t value = count(key);
    if (value > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
      throw Malformed(fmt::format("'{}' is too large", key));
    return static_cast<int>(value);
  }
  std::int64_t size(const char* key) const {
    const std::uint64_t value = count(key);
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      throw Malformed(fmt::format("'{}' is too large", key));
    return static_cast<std::int64_t>(value);
  }
  double number(const char* key) const {
    const json& value = at(key);
    if (!value.is_number()) throw Malformed(fmt::format("'{}' is not a number", key));
    return value.get<double>();
  }
  std::optional<double> number_if_there(const char* key) const {
    if (!object_.contains(key)) return {};
    return number(key);
  }
  template <class Parse>
  auto word(const char* key, Parse parse) const {
    const std::string found = text(key);
    const auto value = parse(found);
    if (!value) throw unknown_word(key, found);
    return *value;
  }
  static Malformed unknown_word(const char* key, const std::string& found) {
    return Malformed(fmt::format("'{}' has the unknown value '{}'", key, found));
  }
  const json& list(const char* key) const {
    const json& value = at(key);
    if (!value.is_array()) throw Malformed(fmt::format("'{}' is not a list", key));
    return value;
  }
  std::vector<std::string> strings(const char* key) const {
    std::vector<std::string> all;
    for (const json& value : list(key)) {
      if (!value.is_string()) throw Malformed(fmt::format("'{}' is not a list of strings", key));
      all.push_back(value.get<std::string>());
    }
    return all;
  }
  std::vector<std::int64_t> sizes(const char* key) const {
    std::vector<std::int64_t> all;
    for (const json& value : list(key)) {
      if (!value.is_number_integer()) throw Malformed(fmt::format("'{}' is not a list of integers", key));
      all.push_back(value.get<std::int64_t>());
    }
    return all;
  }
  const json& object(const char* key) const {
    const json& value = at(key);
    if (!value.is_object()) throw Malformed(fmt::format("'{}' is not an object", key));
    return value;
  }
  std::map<std::string, std::string> texts(const char* key) const {
    std::map<std::string, std::string> all;
    for (const auto& [name, value] : object(key).items()) {
      if (!value.is_string()) throw Malformed(fmt::format("'{}' of '{}' is not a string", name, key));
      all[name] = value.get<std::string>();
    }
    return all;
  }

 private:
  const json& at(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) throw Malformed(fmt::format("'{}' is missing", key));
    return *found;
  }
  const json& object_;
};

}  // namespace scatterproof::spec
