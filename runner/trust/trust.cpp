// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/trust/trust.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "scatterproof/runner/files/file_lock.hpp"
#include "scatterproof/runner/files/replace_file.hpp"
#include "scatterproof/runner/files/state.hpp"

namespace scatterproof::runner {
namespace {
namespace fs = std::filesystem;

using Approved = std::map<std::string, std::string>;  // by real path, the content

std::string list_path() {
  const std::string folder = state_folder();
  return folder.empty() ? "" : (fs::path(folder) / "trusted.json").string();
}

std::string real_path(const std::string& path) {
  std::error_code failed;
  const fs::path real = fs::canonical(path, failed);
  return failed ? fs::absolute(path).lexically_normal().string() : real.string();
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

spec::Result<Approved> read_list() {
  const std::string path = list_path();
  std::error_code ignored;
  if (path.empty() || !fs::exists(path, ignored)) return Approved();
  try {
    return nlohmann::json::parse(content_of(path)).get<Approved>();
  } catch (const nlohmann::json::exception&) {
    return spec::Error{.file = path,
                       .what = "the list of approved settings files is damaged",
                       .hint = "remove it, and approve them again with `scatterproof trust`"};
  }
}

/// Written completely or not at all; only its owner can read or write it, since it lists what may be started.
/// Errors: it cannot be written.
spec::Errors write_list(const Approved& approved) {
  const std::string path = list_path();
  const std::string text =
      nlohmann::json(approved).dump(1, ' ', true, nlohmann::json::error_handler_t::replace);
  if (const spec::Errors errors = replace_file(path, text + '\n'); !errors.empty()) return errors;
  std::error_code failed;
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write, failed);
  if (failed) return {{.file = path, .what = "cannot be kept from others: " + failed.message()}};
  return {};
}

/// Changes the list while it is locked.
template <class Change>
spec::Errors change_list(Change change) {
  if (list_path().empty())
    return {
        {.what = "there is no folder to remember approved files in", .hint = "set HOME or XDG_STATE_HOME"}};
  std::error_code failed;
  fs::create_directories(state_folder(), failed);
  if (failed) return {{.file = state_folder(), .what = "cannot be made: " + failed.message()}};
  const auto lock = FileLock::take(list_path() + ".lock");
  if (!lock) return lock.errors();
  auto read = read_list();
  if (!read) return read.errors();
  Approved approved = std::move(read).value();
  change(approved);
  return write_list(approved);
}

}  // namespace

bool everything_is_trusted() {
  const char* variable = std::getenv("SCATTERPROOF_TRUST");
  return variable && std::string_view(variable) == "1";
}

spec::Result<bool> is_trusted(const std::string& path, const std::string& content) {
  if (everything_is_trusted()) return true;
  const auto approved = read_list();
  if (!approved) return approved.errors();
  const auto found = approved->find(real_path(path));
  return found != approved->end() && found->second == content;
}

spec::Errors trust(const std::string& path, const std::string& content) {
  return change_list([&](Approved& approved) { approved[real_path(path)] = content; });
}

spec::Result<bool> revoke_trust(const std::string& path) {
  bool was = false;
  if (const spec::Errors errors =
          change_list([&](Approved& approved) { was = approved.erase(real_path(path)) > 0; });
      !errors.empty())
    return errors;
  return was;
}

spec::Result<std::vector<std::string>> trusted_files() {
  const auto approved = read_list();
  if (!approved) return approved.errors();
  std::vector<std::string> paths;
  for (const auto& [path, content] : *approved)
    if (content_of(path) == content) paths.push_back(path);
  return paths;
}

}  // namespace scatterproof::runner
