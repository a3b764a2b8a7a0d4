// SPDX-License-Identifier: Apache-2.0
// Faults and mutants that no call can reveal, each with the argument why: runner/selftest/equivalents.yaml.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::runner::selftest {

struct Equivalent {
  std::string why;
  spec::Position at;
};
using Equivalents = std::map<std::string, Equivalent>;  ///< by name

/// Reads the file; a name listed twice is an error.
spec::Result<Equivalents> load_equivalents(const std::string& path);

/// Errors for entries whose name is not one of `known`.
spec::Errors unknown_names(const Equivalents& equivalents, const std::string& path,
                           const std::vector<std::string>& known);

}  // namespace scatterproof::runner::selftest
