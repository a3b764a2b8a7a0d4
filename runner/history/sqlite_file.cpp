// SPDX-License-Identifier: Apache-2.0
#include "sqlite_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cctype>
#include <filesystem>

namespace scatterproof::runner::history {
namespace {

namespace fs = std::filesystem;

std::string absolute(const std::string& path) {
  std::error_code failed;
  const fs::path whole = fs::absolute(path, failed);
  return failed ? path : whole.string();
}

/// A name that SQLite reads as a URI, so that it can say more than where the file is.
std::string uri(const std::string& path) {
  std::string text = "file:";
  for (const char c : absolute(path)) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || c == '/')
      text += c;
    else
      text += fmt::format("%{:02X}", byte);
  }
  return text;
}

std::string named(const std::string& name) { return fmt::format("dbname=\"{}\"", name); }

bool holds_something(const std::string& path) {
  std::error_code missing;
  const auto size = fs::file_size(path, missing);
  return !missing && size > 0;
}

}  // namespace

std::string opened_to_write(const std::string& path) { return named(absolute(path)); }

std::string opened_to_read(const std::string& path) {
  if (is_writable(path)) return opened_to_write(path);  // one that may only read leaves its files behind
  // In a read-only folder, the lock that readers share cannot be created; other processes do not write there
  // either.
  if (access(fs::path(absolute(path)).parent_path().c_str(), W_OK) != 0) return opened_to_look(path);
  return named(absolute(path)) + " readonly=true";
}

std::string opened_to_look(const std::string& path) {
  if (has_pending_writes(path)) return named(absolute(path)) + " readonly=true";
  return named(uri(path) + "?immutable=1") + " readonly=true";
}

bool is_writable(const std::string& path) {
  return access(path.c_str(), W_OK) == 0 && access(fs::path(absolute(path)).parent_path().c_str(), W_OK) == 0;
}

bool has_pending_writes(const std::string& path) {
  return holds_something(path + "-wal") || holds_something(path + "-journal");
}

}  // namespace scatterproof::runner::history
