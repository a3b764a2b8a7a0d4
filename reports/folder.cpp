// SPDX-License-Identifier: Apache-2.0
// A report that is a folder.
#include <fstream>
#include <set>
#include <system_error>

#include "scatterproof/reports/reporter.hpp"

namespace scatterproof::reports {
namespace {

namespace fs = std::filesystem;

/// The names that an earlier report listed, the list's own among them; none if there was no report.
std::set<std::string> listed_in(const fs::path& folder) {
  std::ifstream file(folder / Folder::list_of_files);
  if (!file) return {};
  std::set<std::string> names = {Folder::list_of_files};
  for (std::string name; std::getline(file, name);)
    if (fs::path(name).filename() == name) names.insert(name);  // nothing outside of the folder
  return names;
}

}  // namespace

bool Folder::holds_other_files(const fs::path& path) {
  const std::set<std::string> listed = listed_in(path);
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, ignored))
    if (!listed.contains(entry.path().filename().string())) return true;
  return false;
}

Folder::Folder(fs::path path) : path_(std::move(path)) {
  std::error_code ignored;
  for (const std::string& name : listed_in(path_))
    if (name != list_of_files) fs::remove(path_ / name, ignored);
}

void Folder::write(const std::string& name, std::string_view text) {
  list_ += name + '\n';
  put(list_of_files, list_);  // first, so that whatever is in the folder is listed
  put(name, text);
}

void Folder::put(const std::string& name, std::string_view text) {
  std::ofstream file(path_ / name, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file && failed_.empty()) failed_ = (path_ / name).string();
}

}  // namespace scatterproof::reports
