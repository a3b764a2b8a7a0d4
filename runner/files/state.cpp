// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/files/state.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "scatterproof/spec/core/stable_hash.hpp"

namespace scatterproof::runner {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t most_streams = 10;

/// By the XDG base directory specification: below what the variable names, or else below the home.
std::string folder_of_user(const char* variable, const char* below_home) {
  if (const char* folder = std::getenv(variable); folder && *folder)
    return (fs::path(folder) / "scatterproof").string();
  const char* home = std::getenv("HOME");
  return home && *home ? (fs::path(home) / below_home / "scatterproof").string() : "";
}

/// Empty when there is no state folder.
fs::path folder_of_streams() {
  const std::string folder = state_folder();
  return folder.empty() ? fs::path() : fs::path(folder) / "runs";
}

/// The newest first: names begin with the time.
std::vector<fs::path> streams_in(const fs::path& folder) {
  std::vector<fs::path> streams;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".jsonl") streams.push_back(entry.path());
  std::sort(streams.rbegin(), streams.rend());
  return streams;
}

/// How the streams of runs in the present working folder end.
std::string end_of_streams_here() {
  std::error_code ignored;
  return fmt::format("-{:016x}.jsonl", spec::stable_hash(fs::current_path(ignored).string()));
}

/// Makes room for one more.
void remove_old(const fs::path& folder) {
  std::error_code ignored;
  const std::vector<fs::path> streams = streams_in(folder);
  for (std::size_t i = most_streams - 1; i < streams.size(); ++i) fs::remove(streams[i], ignored);
}

}  // namespace

std::string state_folder() { return folder_of_user("XDG_STATE_HOME", ".local/state"); }

std::string cache_folder() { return folder_of_user("XDG_CACHE_HOME", ".cache"); }

std::vector<std::string> kept_streams() {
  std::vector<std::string> paths;
  for (const fs::path& stream : streams_in(folder_of_streams())) paths.push_back(stream.string());
  return paths;
}

std::vector<std::string> kept_streams_here() {
  std::vector<std::string> paths = kept_streams();
  std::erase_if(paths,
                [end = end_of_streams_here()](const std::string& path) { return !path.ends_with(end); });
  return paths;
}

spec::Result<std::string> new_stream_path() {
  const fs::path folder = folder_of_streams();
  if (folder.empty()) return std::string();
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (!failed && access(folder.c_str(), W_OK) != 0) failed = {errno, std::generic_category()};
  if (failed) return spec::Error{.file = folder.string(), .what = failed.message()};
  remove_old(folder);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  return (folder / fmt::format("{}-{}{}", milliseconds, getpid(), end_of_streams_here())).string();
}

}  // namespace scatterproof::runner
