// SPDX-License-Identifier: Apache-2.0
// Scaffolds are files as they stand in engines/plugin/scaffolds, but for the one place that they name.
#include "scatterproof/engines/scaffold.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

namespace scatterproof::engines {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view include_mark = "@SCATTERPROOF_INCLUDE@";

fs::path scaffolds(const Places& places) { return fs::path(places.data) / "engines/plugin/scaffolds"; }

/// The folder of scatterproof/kernel_abi.h: in a checkout, or beside an installation's share folder.
std::string include_folder(const Places& places) {
  const fs::path data = fs::absolute(places.data);
  std::error_code ignored;
  for (const auto& folder : {data / "engines/plugin/include", data / "../../include"})
    if (fs::exists(folder / "scatterproof/kernel_abi.h", ignored)) return folder.lexically_normal().string();
  return {};
}

std::string text_of(const fs::path& file, const Places& places) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  std::string filled = text.str();
  if (const auto at = filled.find(include_mark); at != std::string::npos)
    filled.replace(at, include_mark.size(), include_folder(places));
  return filled;
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
    return wrong("", fmt::format("there is no scaffold in '{}'", language),
                 fmt::format("one of {}", fmt::join(languages, ", ")));
  std::vector<std::pair<fs::path, fs::path>> copies;  // from, to
  for (const auto& entry : fs::directory_iterator(scaffolds(places) / language))
    copies.emplace_back(entry.path(), fs::path(folder) / entry.path().filename());
  std::ranges::sort(copies);
  std::error_code failure;
  for (const auto& [from, to] : copies)
    if (fs::symlink_status(to, failure).type() != fs::file_type::not_found)
      return wrong(to.string(), "there is a file of this name already",
                   "name a new folder; nothing was written");
  fs::create_directories(folder, failure);
  if (failure) return wrong(folder, "the folder cannot be made: " + failure.message(), "");
  std::vector<std::string> written;
  for (const auto& [from, to] : copies) {
    std::ofstream out(to, std::ios::binary);
    out << text_of(from, places);
    out.close();
    if (!out) return wrong(to.string(), "the file cannot be written", "");
    written.push_back(to.string());
  }
  return written;
}

}  // namespace scatterproof::engines
