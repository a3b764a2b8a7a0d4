// SPDX-License-Identifier: Apache-2.0
// Checks documents and messages against the embedded schemas. The only translation unit that includes
// valijson.
#include "scatterproof/spec/yaml/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <locale>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "embedded.hpp"
#include "explain.hpp"
#include "scatterproof/spec/yaml/yaml.hpp"
#include "text_check.hpp"

namespace scatterproof::spec {
namespace {

using nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

/// std::regex recurses once per character. A longer string is cut before matching and ends in a character
/// that no pattern accepts: no valid value with a pattern is that long.
std::string cut(std::string_view text) {
  constexpr std::size_t longest = 1024;
  return text.size() <= longest ? std::string(text) : std::string(text.substr(0, longest)) + '\x01';
}

constexpr std::size_t most_errors = 100;

struct Compiled {
  json text;
  valijson::Schema schema;
};

/// Makes std::regex safe to use on several threads. It asks the ctype<char> of the global locale, and
/// libstdc++ lets that cache its answers in tables without a lock: afterwards the tables are full and are
/// only read.
void fill_tables_of_characters() {
  const auto& characters = std::use_facet<std::ctype<char>>(std::locale());
  for (int c = 0; c < 256; ++c)
    static_cast<void>(characters.narrow(characters.widen(static_cast<char>(c)), '\0'));
}

const Compiled& compiled(std::string_view name) {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<Compiled>, std::less<>> cache;
  const std::lock_guard lock(mutex);
  auto& entry = cache[std::string(name)];
  if (!entry) {
    const std::string_view text = schema_text(name);
    if (text.empty()) throw std::logic_error(fmt::format("unknown schema '{}'", name));
    fill_tables_of_characters();
    auto fresh = std::make_unique<Compiled>();
    fresh->text = json::parse(text);
    valijson::SchemaParser parser;
    parser.populateSchema(Adapter(fresh->text), fresh->schema);
    entry = std::move(fresh);
  }
  return *entry;
}

/// Faults of a value; none when valijson accepts it.
std::vector<SchemaError> faults(const Compiled& with, const json& value) {
  thread_local valijson::Validator validator;  // keeps the patterns that it has compiled
  if (validator.validate(with.schema, Adapter(value), nullptr)) return {};
  std::vector<SchemaError> found = explain(with.text, value);
  if (!found.empty()) return found;
  valijson::ValidationResults results;
  validator.validate(with.schema, Adapter(value), &results);
  for (const auto& one : results)
    found.push_back({.what = "the value does not match its schema: " + one.description});
  return found;
}

json to_json(const yaml::Node& node) {
  using Kind = yaml::Node::Kind;
  switch (node.kind) {
    case Kind::null:
      return nullptr;
    case Kind::boolean:
      return node.number.integer() != 0;
    case Kind::integer:
      return node.number.integer();
    case Kind::real:
      return node.number.real();
    case Kind::string:
      return cut(node.text);
    case Kind::list: {
      json list = json::array();
      for (const yaml::Node& item : node.items) list.push_back(to_json(item));
      return list;
    }
    case Kind::map: {
      json map = json::object();
      for (const auto& [key, value] : node.members) map[key] = to_json(value);
      return map;
    }
  }
  throw std::logic_error("a node of no kind");
}

Position position(const yaml::Node& root, const SchemaError& finding) {
  const yaml::Node* node = &root;
  Position key = root.at;
  for (const auto& step : finding.path) {
    if (const auto* index = std::get_if<std::size_t>(&step)) {
      node = &node->items.at(*index);
      continue;
    }
    const auto& members = node->members;
    const auto member = std::find_if(members.begin(), members.end(), [&](const auto& one) {
      return one.first == std::get<std::string>(step);
    });
    key = node->key_positions.at(static_cast<std::size_t>(member - members.begin()));
    node = &member->second;
  }
  return finding.at_key ? key : node->at;
}

/// A fault in a JSON text that nlohmann's parser does not look for. Thrown from its callback.
struct JsonFault {
  std::string what;
};

json parse_strictly(std::string_view text) {
  constexpr int deepest = 64;
  std::vector<std::set<std::string>> keys;
  const auto watch = [&](int depth, json::parse_event_t event, json& parsed) {
    if (parsed.is_string()) {
      std::string checked = cut(parsed.get_ref<const std::string&>());
      if (event == json::parse_event_t::key && json(checked) != parsed) throw JsonFault{"a key is too long"};
      parsed = std::move(checked);
    }
    if (depth > deepest)
      throw JsonFault{fmt::format("lists and maps are nested deeper than {} levels", deepest)};
    if (event == json::parse_event_t::object_start) {
      keys.resize(static_cast<std::size_t>(depth) + 1);
      keys.back().clear();
    }
    if (event == json::parse_event_t::key) {
      keys.resize(static_cast<std::size_t>(depth));
      if (!keys.back().insert(parsed.get<std::string>()).second)
        throw JsonFault{fmt::format("key '{}' is given twice", parsed.get<std::string>())};
    }
    return true;
  };
  return json::parse(text, watch);
}

}  // namespace

std::string_view schema_text(std::string_view name) {
  for (const EmbeddedSchema& one : embedded_schemas())
    if (one.name == name) return one.text;
  return {};
}

std::vector<std::string> schema_names() {
  std::vector<std::string> names;
  for (const EmbeddedSchema& one : embedded_schemas()) names.emplace_back(one.name);
  return names;
}

Errors validate_json(std::string_view text, std::string_view schema) {
  json value;
  try {
    value = parse_strictly(text);
  } catch (const JsonFault& fault) {
    return {{.what = fault.what}};
  } catch (const json::exception& fault) {
    const std::string_view message = fault.what();  // [json.exception.kind.number] words
    return {
        {.what = fmt::format("invalid JSON: {}", yaml::shown(message.substr(message.find(']') + 2), 200))}};
  }
  Errors errors;
  for (const SchemaError& one : faults(compiled(schema), value)) {
    if (errors.size() == most_errors) break;
    const std::string place = to_string(one.path);
    errors.push_back(
        {.what = fmt::format("{}{}{}", place, place.empty() ? "" : ": ", one.what), .hint = one.hint});
  }
  return errors;
}

namespace yaml {

Errors validate(const Document& document, std::string_view schema) {
  Errors errors;
  for (const SchemaError& one : faults(compiled(schema), to_json(document.root))) {
    const Position at = position(document.root, one);
    const auto same = [&](const Error& e) { return e.at == at && e.what == one.what; };
    if (std::any_of(errors.begin(), errors.end(), same)) continue;
    if (errors.size() == most_errors) break;
    errors.push_back(document.error(at, one.what, one.hint));
  }
  const auto earlier = [](const Error& a, const Error& b) {
    return std::pair(a.at.line, a.at.column) < std::pair(b.at.line, b.at.column);
  };
  std::stable_sort(errors.begin(), errors.end(), earlier);
  return errors;
}

}  // namespace yaml
}  // namespace scatterproof::spec
