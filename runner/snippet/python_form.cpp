// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/snippet/python_form.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <iterator>

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

/// The text of a form of tensors; errors, where it names what no tensor has.
std::string tensor_form(const spec::yaml::Document& document, const char* key, spec::Errors& errors) {
  const Node& node = *document.root.find(key);
  try {
    (void)filled(node.text, {});
  } catch (const fmt::format_error& error) {
    errors.push_back(document.error(node.at, fmt::format("invalid tensor form '{}': {}", key, error.what()),
                                    "it may name {values}, {dtype}, {shape}, {strides}, {byte_strides}, "
                                    "{offset}, {byte_offset} and {storage}; write {{ for a brace"));
  }
  return node.text;
}

std::string forms_text(const Node& forms) {
  std::vector<std::string> names;
  for (const auto& [name, part] : forms.members) names.push_back(name);
  return fmt::format("the forms {}", fmt::join(names, ", "));
}

/// The parts of a form of the engine, such as compiled; one that is a setting has no function.
void take(const Node& part, PythonForm& form) {
  if (const Node* function = part.find("function")) form.function = function->text;
  const Node* setup = part.find("setup");
  if (!setup) return;
  form.setup += "\n" + setup->text;
  for (auto& [dtype, other] : form.setup_of) other += "\n" + setup->text;
}

}  // namespace

std::string filled(const std::string& form, const TensorParts& parts) {
  return fmt::format(fmt::runtime(form), fmt::arg("dtype", parts.dtype), fmt::arg("shape", parts.shape),
                     fmt::arg("strides", parts.strides), fmt::arg("byte_strides", parts.byte_strides),
                     fmt::arg("offset", parts.offset), fmt::arg("byte_offset", parts.byte_offset),
                     fmt::arg("values", parts.values), fmt::arg("storage", parts.storage));
}

spec::Result<PythonForm> load_python_form(const std::string& engine, const engines::Places& places) {
  const std::string name = spec::without_release(engine), framework = spec::without_form(name);
  const fs::path folder = fs::path(places.data) / "engines/workers" / framework;
  const fs::path path = folder / "snippet.yaml";
  if (name.find('/') != std::string::npos || !fs::exists(path))
    return spec::Error{.what = fmt::format("no snippet form for '{}'", engine),
                       .hint = "it would be engines/workers/<name>/snippet.yaml; frameworks have one"};
  const auto document = spec::yaml::read_file(path.string());
  if (!document) return document.errors();
  if (spec::Errors refused = spec::yaml::validate(*document, "snippet"); !refused.empty()) return refused;
  const Node& root = document->root;
  PythonForm form;
  form.name = name;
  form.setup = root.find("setup")->text;
  form.setup_of = texts(root.find("setup_of"));
  form.dtypes = texts(root.find("dtypes"));
  spec::Errors errors;
  form.tensor = tensor_form(*document, "tensor", errors);
  form.empty = tensor_form(*document, "empty", errors);
  form.strided = tensor_form(*document, "strided", errors);
  for (const auto& [dtype, name_there] : root.find("dtypes")->members)
    if (!spec::parse_dtype(dtype))
      errors.push_back(document->error(name_there.at, fmt::format("invalid dtype '{}'", dtype)));
  if (!errors.empty()) return errors;
  if (name != framework) {
    const Node* forms = root.find("forms");
    const Node* one = forms ? forms->find(name.substr(framework.size() + 1)) : nullptr;
    if (!one)
      return spec::Error{
          .what = fmt::format("no snippet form for '{}'", engine),
          .hint = fmt::format("{} has {}", framework, forms ? forms_text(*forms) : "one form")};
    take(*one, form);
  }
  if (const Node* includes = root.find("includes"))
    for (const Node& include : includes->items) {
      const std::string text = text_of(folder / include.text);
      if (text.empty())
        return document->error(include.at, fmt::format("'{}' is unreadable or empty", include.text));
      form.includes += text;
    }
  return form;
}

}  // namespace scatterproof::runner::snippet
