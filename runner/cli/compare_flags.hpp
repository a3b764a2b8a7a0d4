// SPDX-License-Identifier: Apache-2.0
// The options of `compare`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session.hpp"

namespace scatterproof::runner::cli {

struct CompareFlags {
  SessionFlags session;
  std::vector<std::string> what;  ///< families, APIs, frameworks
  bool predict = false;
  bool gradients = false;  ///< compare these instead of results
  bool pairs = false;
  std::string from, to;  ///< engines: show only what an API does differently on the second
  std::string check;     ///< a case
  std::string accepted;  ///< JSON of an earlier comparison
  std::string json, markdown, html;
  std::string save;                    ///< a folder for cases
  std::optional<double> seconds = {};  ///< for a family
  double shrink_seconds = 1;           ///< for each difference
  bool thorough = false;
};

void add_compare_flags(CLI::App& verb, CompareFlags& flags);

}  // namespace scatterproof::runner::cli
