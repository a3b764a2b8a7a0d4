// SPDX-License-Identifier: Apache-2.0
#include "settings_reach.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace scatterproof::runner::cli {
namespace {
namespace fs = std::filesystem;

/// Resolves links, as far as files exist. A link to a missing file counts, too: writing to it creates that
/// file.
fs::path resolved(const fs::path& path) {
  fs::path at = fs::absolute(path);
  std::error_code failed;
  for (int links = 0; links < 40 && fs::is_symlink(at, failed); ++links)
    at = at.parent_path() / fs::read_symlink(at, failed);
  const fs::path found = fs::weakly_canonical(at, failed);
  return failed ? at.lexically_normal() : found;
}

bool lies_in(const fs::path& path, const fs::path& folder) {
  const auto [end, ignored] = std::ranges::mismatch(folder, path);
  return end == folder.end();
}

std::string reach_of_path(const std::string& path, const std::string& root) {
  if (path.empty() || path == "-") return "";
  const fs::path found = resolved(path), inside = resolved(root);
  if (lies_in(found, inside) && !lies_in(found, inside / ".git")) return "";
  return "is outside of the repository: " + path;
}

std::string reach_of_engine(const std::string& engine, const std::string& root) {
  constexpr std::string_view recorded = "recorded:";
  for (const std::string_view prefix : {"cmd:", "so:", "py:"})
    if (engine.starts_with(prefix)) return fmt::format("{}: {}", program_reach, engine);
  return engine.starts_with(recorded) ? reach_of_path(engine.substr(recorded.size()), root) : "";
}

}  // namespace

std::string repository_of(const std::string& folder) {
  std::error_code ignored;
  for (fs::path at = resolved(folder.empty() ? "." : folder);; at = at.parent_path()) {
    if (fs::exists(at / ".git", ignored)) return at.string();
    if (at == at.parent_path()) return "";
  }
}

std::string reach_of(const std::string& kind, const std::string& value, const std::string& root) {
  if (kind == "ENGINE") return reach_of_engine(value, root);
  if (kind == "PLACE" && value.find("://") != std::string::npos) return "connects to a server";
  if (kind == "FILE" || kind == "FOLDER" || kind == "STREAM" || kind == "PLACE")
    return reach_of_path(value, root);
  const auto equals = value.find('=');
  if (kind == "KIND=PATH" || kind == "NAME=FILE")
    return equals == std::string::npos ? "" : reach_of_path(value.substr(equals + 1), root);
  return "";
}

bool judges(const CLI::App& verb) {
  static constexpr std::array verbs{"run", "fuzz", "compare", "claims", "bench", "selftest"};
  return std::ranges::find(verbs, verb.get_name()) != verbs.end();
}

}  // namespace scatterproof::runner::cli
