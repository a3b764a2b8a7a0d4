// SPDX-License-Identifier: Apache-2.0
// What engines/workers/<name>/engine.yaml says, and where a worker made from it lives.
#include "manifest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>

#include "execute.hpp"
#include "pip.hpp"
#include "scatterproof/spec/core/version.hpp"
#include "scatterproof/spec/yaml/yaml.hpp"

namespace scatterproof::engines::registry {

EngineParts parts_of(const std::string& engine) {
  const auto at = engine.find('@');
  const auto name = engine.substr(0, at);
  const auto colon = name.find(':');
  return {.framework = name.substr(0, colon),
          .form = colon == name.npos ? "" : name.substr(colon + 1),
          .version = at == engine.npos ? "" : engine.substr(at + 1)};
}

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t megabyte = 1'000'000;

std::vector<std::string> texts(const spec::yaml::Node& list) {
  std::vector<std::string> result;
  for (const auto& item : list.items) result.push_back(item.text);
  return result;
}

/// Replaces the package's own pin, or appends it.
void pin(std::vector<std::string>& packages, const std::string& to) {
  const auto same = std::ranges::find(packages, package_name(to), package_name);
  if (same != packages.end())
    *same = to;
  else
    packages.push_back(to);
}

spec::Result<Manifest> read_manifest(const fs::path& file) {
  auto document = spec::yaml::read_file(file.string());
  if (!document) return document.errors();
  if (auto errors = spec::yaml::validate(*document, "engine"); !errors.empty()) return errors;
  const auto text = [&](const char* key) { return document->root.find(key)->text; };
  Manifest manifest;
  manifest.name = text("name");
  manifest.description = text("description");
  manifest.framework = text("framework");
  manifest.packages = texts(*document->root.find("packages"));
  if (const auto* older = document->root.find("older"))
    for (const auto& releases : older->items)
      manifest.older.push_back({releases.find("before")->text, texts(*releases.find("packages"))});
  if (const auto* forms = document->root.find("forms"))
    for (const auto& form : forms->items)
      manifest.forms.push_back({form.find("name")->text, form.find("description")->text});
  const auto& size = *document->root.find("megabytes");
  manifest.fetches = std::stoull(size.find("fetched")->text) * megabyte;
  manifest.takes = std::stoull(size.find("installed")->text) * megabyte;
  const auto& first = manifest.packages.front();
  manifest.version = first.substr(first.find("==") + 2);
  const auto folder = file.parent_path().filename().string();
  if (manifest.name != folder)
    return document->error(document->root.find("name")->at,
                           fmt::format("the engine is named '{}' in the folder '{}'", manifest.name, folder),
                           "the name of an engine is that of its folder");
  return manifest;
}

const EngineForm* form_called(const std::vector<EngineForm>& forms, const std::string& name) {
  const auto form = std::ranges::find(forms, name, &EngineForm::name);
  return form == forms.end() ? nullptr : &*form;
}

spec::Error unknown_engine(const std::string& name, const std::vector<Manifest>& manifests) {
  spec::Error error;
  std::vector<std::string> names = built_in_engines();
  if (std::ranges::find(names, name) != names.end()) {
    error.what = fmt::format("'{}' is part of this program and has one version only", name);
    error.hint = fmt::format("write {}", name);
    return error;
  }
  for (const auto& manifest : manifests) names.push_back(manifest.name);
  if (const auto parts = parts_of(name);
      name.find(':') != name.npos && std::ranges::count(names, parts.framework)) {
    error.what = fmt::format("{} is a form of {}: one installation holds them all", name, parts.framework);
    error.hint = fmt::format("write {}", parts.framework);
    return error;
  }
  error.what = fmt::format("unknown engine '{}'", name);
  error.hint = spec::did_you_mean(
      name, names,
      fmt::format("one of {}, so:LIBRARY for a kernel of your own, py:MODULE:FUNCTION=API for one in "
                  "Python, cmd:COMMAND for a worker, or "
                  "recorded:FILE for recorded answers",
                  fmt::join(names, ", ")));
  return error;
}

/// Numeric parts compare as numbers: 2.10.0 is newer than 2.9.1.
bool newer(const std::string& a, const std::string& b) { return strverscmp(a.c_str(), b.c_str()) > 0; }

/// The frameworks that an interpreter imports, each with its version: asked once. No interpreter has none.
std::map<std::string, std::string> versions_in(const std::string& python, const Places& places) {
  static std::mutex mutex;
  static std::map<std::string, std::map<std::string, std::string>> known;
  if (python.empty()) return {};
  const std::scoped_lock lock(mutex);
  const auto [at, is_new] = known.try_emplace(python);
  if (!is_new) return at->second;
  std::vector<std::string> command = {python, places.data + "/engines/workers/python/installed_here.py"};
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(fs::path(places.data) / "engines/workers", ignored))
    command.push_back(entry.path().filename().string());
  execute(command, [&](const std::string& line) {
    if (const auto space = line.find(' '); space != line.npos)
      at->second.emplace(line.substr(0, space), line.substr(space + 1));
  });
  return at->second;
}

}  // namespace

const EngineForm* Manifest::form(const std::string& written) const {
  if (const EngineForm* same = form_called(forms, written)) return same;
  const auto equals = written.find('=');
  const bool has_value = equals != written.npos && equals + 1 < written.size();
  return has_value ? form_called(forms, written.substr(0, equals) + "=NAME") : nullptr;
}

spec::Result<std::vector<Manifest>> load_manifests(const Places& places) {
  std::vector<Manifest> manifests;
  spec::Errors errors;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(fs::path(places.data) / "engines/workers", ignored)) {
    const auto file = entry.path() / "engine.yaml";
    if (!fs::exists(file)) continue;
    auto manifest = read_manifest(file);
    if (manifest)
      manifests.push_back(*manifest);
    else
      errors.insert(errors.end(), manifest.errors().begin(), manifest.errors().end());
  }
  if (!errors.empty()) return errors;
  std::ranges::sort(manifests, {}, &Manifest::name);
  return manifests;
}

spec::Result<Manifest> find_manifest(const std::string& name, const Places& places) {
  const auto manifests = load_manifests(places);
  if (!manifests) return manifests.errors();
  const auto found = std::ranges::find(*manifests, name, &Manifest::name);
  if (found == manifests->end()) return unknown_engine(name, *manifests);
  return *found;
}

std::vector<std::string> packages_for(const Manifest& manifest, const std::string& version,
                                      const std::vector<std::string>& pins) {
  std::vector<std::string> packages = manifest.packages;
  pin(packages, package_name(packages.front()) + "==" + version);
  const auto is_older = [&](const OlderReleases& releases) {
    return spec::compare_versions(version, releases.before) < 0;
  };
  if (const auto older = std::ranges::find_if(manifest.older, is_older); older != manifest.older.end())
    for (const auto& package : older->packages) pin(packages, package);
  for (const auto& package : pins) pin(packages, package);
  return packages;
}

std::string environment_folder(const Manifest& manifest, const std::string& version, const Places& places) {
  return (fs::path(places.engines) / manifest.engine_name(version)).string();
}

std::string python_in(const std::string& environment) {
  return fs::absolute(fs::path(environment) / "bin/python").string();
}

bool has_python(const std::string& environment) { return access(python_in(environment).c_str(), X_OK) == 0; }

std::vector<std::string> installed_versions(const Manifest& manifest, const Places& places) {
  std::vector<std::string> versions;
  const std::string prefix = manifest.name + "@";
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(places.engines, ignored)) {
    const auto folder = entry.path().filename().string();
    if (folder.starts_with(prefix) && has_python(entry.path().string()))
      versions.push_back(folder.substr(prefix.size()));
  }
  std::ranges::sort(versions, newer);
  return versions;
}

std::vector<Release> releases_of(const Manifest& manifest, const Places& places) {
  std::vector<Release> releases;
  const auto users = versions_in(places.python, places);
  const auto own = users.find(manifest.name);
  if (own != users.end()) releases.push_back({own->second, places.python, true});
  for (const std::string& version : installed_versions(manifest, places))
    if (own == users.end() || own->second != version)
      releases.push_back({version, python_in(environment_folder(manifest, version, places))});
  return releases;
}

}  // namespace scatterproof::engines::registry
