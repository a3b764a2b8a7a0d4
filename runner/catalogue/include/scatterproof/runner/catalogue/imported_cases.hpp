// SPDX-License-Identifier: Apache-2.0
// Recorded tests as cases.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "scatterproof/engines/recorded/recording.hpp"
#include "scatterproof/spec/cases/case.hpp"

namespace scatterproof::runner {

struct ImportedCases {
  std::map<std::string, std::vector<spec::Case>> of_api;
  std::vector<std::string> left_out;  ///< `test: why`, of what cannot be a case
  std::size_t others = 0;             ///< tests of operators that have no spec
};

/// A case for each recorded call that has a result, which the case expects. `suite` names the source of the
/// tests.
ImportedCases imported_cases(const engines::Recording& tests, const std::string& suite,
                             const spec::SpecLibrary& specs);

}  // namespace scatterproof::runner
