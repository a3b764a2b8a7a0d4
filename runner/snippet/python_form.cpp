// SPDX-License-Identifier: Apache-2.0
#include "python_form.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "scatterproof/spec/yaml.hpp"

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

}  // namespace

spec::Result<PythonForm> load_python_form(const std::string& engine, const engines::Places& places) {
  const std::string name = engine.substr(0, engine.find('@'));
  const fs::path folder = fs::path(places.data) / "engines/workers" / name;
  const fs::path path = folder / "snippet.yaml";
  if (name.find('/') != std::string::npos || !fs::exists(path))
    return spec::Error{"",
                       {},
                       fmt::format("there is no form for snippets of '{}'", engine),
                       "frameworks have one: engines/workers/<name>/snippet.yaml",
                       ""};
  const auto document = spec::yaml::read_file(path.string());
  if (!document) return document.errors();
  if (spec::Errors errors = spec::yaml::validate(*document, "snippet"); !errors.empty()) return errors;
  const Node& root = document->root;
  PythonForm form;
  form.name = name;
  form.setup = root.find("setup")->text;
  form.setup_of = texts(root.find("setup_of"));
  form.dtypes = texts(root.find("dtypes"));
  form.tensor = root.find("tensor")->text;
  form.empty = root.find("empty")->text;
  form.strided = root.find("strided")->text;
  if (const Node* includes = root.find("includes"))
    for (const Node& include : includes->items) {
      const std::string text = text_of(folder / include.text);
      if (text.empty())
        return document->error(include.at, fmt::format("'{}' cannot be read, or is empty", include.text));
      form.includes += text;
    }
  return form;
}

}  // namespace scatterproof::runner::snippet
