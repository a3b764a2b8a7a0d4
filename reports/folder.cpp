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
  // Last, so that whatever is in the folder is listed. The file stays: it may be locked.
  if (fs::exists(path_ / list_of_files, ignored)) fs::resize_file(path_ / list_of_files, 0, ignored);
}

void Folder::write(const std::string& name, std::string_view text) {
  put(list_of_files, name + '\n', std::ios::app);  // first, for the same reason
  put(name, text, std::ios::trunc);
}

void Folder::put(const std::string& name, std::string_view text, std::ios::openmode how) {
  std::ofstream file(path_ / name, std::ios::binary | how);
  file << text;
  file.close();
  if (!file && failed_.empty()) failed_ = (path_ / name).string();
}

}  // namespace scatterproof::reports
