// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/files/replace_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace scatterproof::runner {
namespace {

/// The reason why not; none when it is written.
std::error_code written(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return file ? std::error_code() : std::error_code(errno, std::generic_category());
}

}  // namespace

spec::Errors replace_file(const std::string& path, const std::string& text) {
  namespace fs = std::filesystem;
  std::error_code failed, ignored;
  const fs::path target = fs::is_symlink(path, failed) ? fs::canonical(path, failed) : fs::path(path);
  const fs::path draft = target.parent_path() / fmt::format(".{}.{}", target.filename().string(), getpid());
  failed = written(draft, text);
  if (!failed) fs::rename(draft, target, failed);
  if (!failed) return {};
  fs::remove(draft, ignored);  // of a full disk, every byte is wanted
  return {{.file = path, .what = fmt::format("cannot write the file: {}", failed.message())}};
}

}  // namespace scatterproof::runner
