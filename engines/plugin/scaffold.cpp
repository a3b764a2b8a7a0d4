// SPDX-License-Identifier: Apache-2.0
// The scaffolds in engines/plugin/scaffolds are kernels named `mine` that build as they are; a copy gets the
// user's name.
#include "scatterproof/engines/plugin/scaffold.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <utility>

namespace scatterproof::engines {
namespace {

namespace fs = std::filesystem;

fs::path scaffolds(const Places& places) { return fs::path(places.data) / "engines/plugin/scaffolds"; }

/// The last part of the folder's path.
std::string kernel_name(const std::string& folder) {
  const fs::path path = fs::absolute(folder).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

/// The name also becomes part of file names, a CMake project and a JSON text.
bool is_kernel_name(const std::string& name) {
  static const std::regex allowed("[A-Za-z][A-Za-z0-9_-]*");
  return std::regex_match(name, allowed);
}

/// `mine` and `libmine`, as whole words.
std::string renamed(const std::string& text, const std::string& name) {
  static const std::regex placeholder(R"(\b(lib)?mine\b)");
  return std::regex_replace(text, placeholder, "$1" + name);
}

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

spec::Error wrong(std::string file, std::string what, std::string hint) {
  spec::Error error;
  error.file = std::move(file);
  error.what = std::move(what);
  error.hint = std::move(hint);
  return error;
}

}  // namespace

std::vector<std::string> scaffold_languages(const Places& places) {
  std::vector<std::string> languages;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(scaffolds(places), ignored))
    if (entry.is_directory()) languages.push_back(entry.path().filename().string());
  std::ranges::sort(languages);
  return languages;
}

spec::Result<std::vector<std::string>> write_scaffold(const std::string& language, const std::string& folder,
                                                      const Places& places) {
  const auto languages = scaffold_languages(places);
  if (std::ranges::find(languages, language) == languages.end())
    return wrong("", fmt::format("no scaffold for language '{}'", language),
                 fmt::format("one of {}", fmt::join(languages, ", ")));
  const std::string name = kernel_name(folder);
  if (!is_kernel_name(name))
    return wrong("", fmt::format("invalid name '{}' for a kernel", name),
                 "the folder's name becomes the kernel's: letters, digits, '_' and '-', a letter first");
  std::vector<std::pair<fs::path, fs::path>> copies;  // from, to
  for (const auto& entry : fs::directory_iterator(scaffolds(places) / language))
    copies.emplace_back(entry.path(), fs::path(folder) / renamed(entry.path().filename().string(), name));
  std::ranges::sort(copies);
  std::error_code failure;
  for (const auto& [from, to] : copies)
    if (fs::symlink_status(to, failure).type() != fs::file_type::not_found)
      return wrong(to.string(), "this file already exists", "name a new folder; nothing was written");
  fs::create_directories(folder, failure);
  if (failure) return wrong(folder, "cannot create the folder: " + failure.message(), "");
  std::vector<std::string> written;
  for (const auto& [from, to] : copies) {
    std::ofstream out(to, std::ios::binary);
    out << renamed(text_of(from), name);
    out.close();
    if (!out) return wrong(to.string(), "cannot write the file", "");
    written.push_back(to.string());
  }
  return written;
}

}  // namespace scatterproof::engines
