// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/snippet/python_syntax.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "scatterproof/spec/record/engine_name.hpp"
#include "scatterproof/spec/yaml/yaml.hpp"

namespace scatterproof::runner::snippet {
namespace {

namespace fs = std::filesystem;
using spec::yaml::Node;

std::map<std::string, std::string> texts(const Node* map) {
  std::map<std::string, std::string> made;
  if (map)
    for (const auto& [key, value] : map->members) made.emplace(key, value.text);
  return made;
}

/// A file's text without its first comment line (the licence).
std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.starts_with("# SPDX")) text.erase(0, text.find('\n') + 1);
  return text;
}

/// How something is written that has these parts; errors if it names what has none.
template <class Parts>
std::string pattern(const spec::yaml::Document& document, const Node& part, const char* key,
                    const char* what_parts, spec::Errors& errors) {
  const Node* node = part.find(key);
  if (!node) return {};
  try {
    (void)filled(node->text, Parts{});
  } catch (const fmt::format_error& error) {
    errors.push_back(document.error(node->at, fmt::format("invalid syntax '{}': {}", key, error.what()),
                                    fmt::format("it may name {}; write {{{{ for a brace", what_parts)));
  }
  return node->text;
}

std::string tensor_pattern(const spec::yaml::Document& document, const Node& part, const char* key,
                           spec::Errors& errors) {
  return pattern<TensorParts>(document, part, key,
                              "{values}, {dtype}, {shape}, {strides}, {byte_strides}, {offset}, "
                              "{byte_offset} and {storage}",
                              errors);
}

std::string derivative_pattern(const spec::yaml::Document& document, const Node& part, const char* key,
                               spec::Errors& errors) {
  return pattern<DerivativeParts>(document, part, key, "{called}, {sources} and {tangents}", errors);
}

std::string forms_text(const Node& forms) {
  std::vector<std::string> names;
  for (const auto& [name, part] : forms.members) names.push_back(name);
  return fmt::format("the forms {}", fmt::join(names, ", "));
}

/// The texts of the files that are included by the syntax, or by a form of it.
void include(const spec::yaml::Document& document, const Node& part, PythonSyntax& syntax,
             spec::Errors& errors) {
  const Node* includes = part.find("includes");
  if (!includes) return;
  for (const Node& include : includes->items) {
    const std::string text = text_of(fs::path(document.file).parent_path() / include.text);
    if (text.empty())
      errors.push_back(document.error(include.at, fmt::format("'{}' is unreadable or empty", include.text)));
    syntax.includes += text;
  }
}

constexpr std::string_view names_there = "NAME";  // in a setup: what the user wrote in the form's name

/// The parts of a form of the engine, such as compiled; one that is a setting has no function.
void take(const spec::yaml::Document& document, const Node& part, const std::string& value,
          PythonSyntax& syntax, spec::Errors& errors) {
  include(document, part, syntax, errors);
  if (const Node* function = part.find("function")) syntax.function = function->text;
  syntax.view = tensor_pattern(document, part, "view", errors);
  const Node* setup = part.find("setup");
  if (!setup) return;
  std::string text = "\n" + setup->text;
  if (const auto at = text.find(names_there); !value.empty() && at != text.npos)
    text.replace(at, names_there.size(), value);
  syntax.setup += text;
  for (auto& [dtype, other] : syntax.setup_of) other += text;
}

/// The form that is meant, and what the user wrote for NAME, if it is `device=NAME`; null: there is none.
std::pair<const Node*, std::string> find_form(const Node& forms, const std::string& name) {
  if (const Node* same = forms.find(name)) return {same, ""};
  const auto equals = name.find('=');
  if (equals == name.npos) return {nullptr, ""};
  return {forms.find(name.substr(0, equals + 1) + std::string(names_there)), name.substr(equals + 1)};
}

std::set<std::string> with_snippets(const engines::Places& places) {
  std::set<std::string> names;
  std::error_code unreadable;
  for (const auto& folder : fs::directory_iterator(fs::path(places.data) / "engines/workers", unreadable))
    if (fs::exists(folder.path() / "snippet.yaml")) names.insert(folder.path().filename().string());
  return names;
}

}  // namespace

std::string filled(const std::string& pattern, const TensorParts& parts) {
  return fmt::format(fmt::runtime(pattern), fmt::arg("dtype", parts.dtype), fmt::arg("shape", parts.shape),
                     fmt::arg("strides", parts.strides), fmt::arg("byte_strides", parts.byte_strides),
                     fmt::arg("offset", parts.offset), fmt::arg("byte_offset", parts.byte_offset),
                     fmt::arg("values", parts.values), fmt::arg("storage", parts.storage));
}

std::string filled(const std::string& pattern, const DerivativeParts& parts) {
  return fmt::format(fmt::runtime(pattern), fmt::arg("called", parts.called),
                     fmt::arg("sources", parts.sources), fmt::arg("tangents", parts.tangents));
}

spec::Result<PythonSyntax> load_python_syntax(const std::string& engine, const engines::Places& places) {
  const std::string name = spec::without_release(engine), framework = spec::without_form(name);
  const fs::path folder = fs::path(places.data) / "engines/workers" / framework;
  const fs::path path = folder / "snippet.yaml";
  if (name.find('/') != std::string::npos || !fs::exists(path))
    return spec::Error{
        .what = fmt::format("no snippets for '{}'", engine),
        .hint = fmt::format("there are snippets for {}", fmt::join(with_snippets(places), ", "))};
  const auto document = spec::yaml::read_file(path.string());
  if (!document) return document.errors();
  if (spec::Errors refused = spec::yaml::validate(*document, "snippet"); !refused.empty()) return refused;
  const Node& root = document->root;
  PythonSyntax syntax;
  syntax.name = name;
  syntax.setup = root.find("setup")->text;
  syntax.setup_of = texts(root.find("setup_of"));
  syntax.dtypes = texts(root.find("dtypes"));
  if (const Node* function = root.find("function")) syntax.function = function->text;
  spec::Errors errors;
  syntax.tensor = tensor_pattern(*document, root, "tensor", errors);
  syntax.empty = tensor_pattern(*document, root, "empty", errors);
  syntax.strided = tensor_pattern(*document, root, "strided", errors);
  syntax.gradient = derivative_pattern(*document, root, "gradient", errors);
  syntax.tangent = derivative_pattern(*document, root, "tangent", errors);
  syntax.second_order = derivative_pattern(*document, root, "second_order", errors);
  for (const auto& [dtype, name_there] : root.find("dtypes")->members)
    if (!spec::parse_dtype(dtype))
      errors.push_back(document->error(name_there.at, fmt::format("invalid dtype '{}'", dtype)));
  include(*document, root, syntax, errors);
  if (name != framework) {
    const Node* forms = root.find("forms");
    const auto [one, value] =
        forms ? find_form(*forms, name.substr(framework.size() + 1)) : std::pair<const Node*, std::string>{};
    if (!one)
      return spec::Error{
          .what = fmt::format("no snippets for '{}'", engine),
          .hint = fmt::format("{} has {}", framework, forms ? forms_text(*forms) : "one form")};
    take(*document, *one, value, syntax, errors);
  }
  if (!errors.empty()) return errors;
  return syntax;
}

}  // namespace scatterproof::runner::snippet
