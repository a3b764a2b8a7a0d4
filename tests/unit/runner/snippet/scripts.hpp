// SPDX-License-Identifier: Apache-2.0
// Executes scripts in a framework's own environment.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "scatterproof/runner/catalogue/catalogue.hpp"
#include "scatterproof/spec/core/shell_word.hpp"

namespace scatterproof::runner::snippet {

inline engines::Places places() {
  const char* named = std::getenv("SCATTERPROOF_ENGINES");
  const char* home = std::getenv("HOME");
  return {SCATTERPROOF_SOURCE_DIR,
          named ? named : std::string(home ? home : "") + "/.local/share/scatterproof/engines"};
}

inline const Catalogue& shipped() {
  static const Catalogue catalogue = [] {
    auto loaded = load_catalogue({}, places());
    EXPECT_TRUE(loaded) << (loaded ? "" : spec::to_string(loaded.errors()));
    return std::move(loaded).value();
  }();
  return catalogue;
}

/// What the scripts leave behind, in order; one that ends its process leaves null.
inline std::vector<nlohmann::json> executed(const std::vector<std::string>& scripts,
                                            const std::string& python) {
  std::string folder = (std::filesystem::temp_directory_path() / "snippets-XXXXXX").string();
  if (!mkdtemp(folder.data())) return {};
  std::ofstream(std::filesystem::path(folder) / "scripts.json") << nlohmann::json(scripts).dump();
  std::vector<nlohmann::json> results;
  while (results.size() < scripts.size()) {
    const std::size_t before = results.size();
    const std::string command = fmt::format(
        "{} -B {}/tests/unit/runner/snippet/run_snippets.py {}/scripts.json {}", spec::shell_word(python),
        spec::shell_word(SCATTERPROOF_SOURCE_DIR), spec::shell_word(folder), before);
    FILE* pipe = popen(command.c_str(), "r");
    std::string text;
    char buffer[4096];
    for (std::size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
    pclose(pipe);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) results.push_back(nlohmann::json::parse(line));
    if (results.size() < scripts.size()) results.emplace_back(nullptr);
  }
  std::filesystem::remove_all(folder);
  return results;
}

/// The tensor that a script left, out of its bytes.
inline spec::Tensor tensor_of(const nlohmann::json& left) {
  spec::Tensor tensor(*spec::parse_dtype(left["dtype"].get<std::string>()), left["shape"].get<spec::Shape>());
  const auto hex = left["bytes"].get<std::string>();
  EXPECT_EQ(hex.size(), 2 * tensor.storage().size());
  for (std::size_t i = 0; i < hex.size() / 2 && i < tensor.storage().size(); ++i)
    tensor.storage()[i] = static_cast<std::byte>(std::stoi(hex.substr(2 * i, 2), nullptr, 16));
  return tensor;
}

}  // namespace scatterproof::runner::snippet
