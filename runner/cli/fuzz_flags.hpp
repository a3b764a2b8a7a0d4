// SPDX-License-Identifier: Apache-2.0
// The options of `fuzz`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "session.hpp"

namespace scatterproof::runner::cli {

inline constexpr std::uint64_t default_calls = 20'000;

struct FuzzFlags {
  SessionFlags session;
  std::vector<std::string> apis;
  bool all = false;
  std::uint64_t calls = 0;
  double seconds = 0;
  std::string shard;
  bool valid = false;
  bool broken = false;
  std::string rule;
  bool practice = false;
  bool large = false;
  bool statistics = false;
  bool relations = false;
  std::string save = "scatterproof-findings";  ///< in the working directory
  std::string from;
  std::string corpus;  ///< file
  bool stop_at_first = false;
  std::optional<double> shrink_seconds;
};

void add_fuzz_flags(CLI::App& verb, FuzzFlags& flags);

}  // namespace scatterproof::runner::cli
