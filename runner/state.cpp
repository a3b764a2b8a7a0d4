// SPDX-License-Identifier: Apache-2.0
#include "state.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace scatterproof::runner {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kept_streams = 10;

fs::path state_folder() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state && *state) return fs::path(state) / "scatterproof" / "runs";
  const char* home = std::getenv("HOME");
  return home && *home ? fs::path(home) / ".local" / "state" / "scatterproof" / "runs" : fs::path();
}

void remove_old(const fs::path& folder) {
  std::vector<fs::path> streams;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".jsonl") streams.push_back(entry.path());
  std::sort(streams.begin(), streams.end());  // names begin with the time
  for (std::size_t i = 0; i + kept_streams < streams.size(); ++i) fs::remove(streams[i], ignored);
}

}  // namespace

spec::Result<std::string> new_stream_path() {
  const fs::path folder = state_folder();
  if (folder.empty()) return std::string();
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (!failed && access(folder.c_str(), W_OK) != 0) failed = {errno, std::generic_category()};
  if (failed) return spec::Error{.file = folder.string(), .what = failed.message()};
  remove_old(folder);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  return (folder / fmt::format("{}-{}.jsonl", milliseconds, getpid())).string();
}

}  // namespace scatterproof::runner
