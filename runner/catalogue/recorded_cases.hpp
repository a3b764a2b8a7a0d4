// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scatterproof/spec/cases/case.hpp"

namespace scatterproof::runner {

/// The calls of a recording as cases that only their specs judge: the recorded answers are ignored. A case
/// has the id that the call was recorded with, or else `<api>/recorded/<line>`. Errors: the recording cannot
/// be read, or a call is not valid for its API.
spec::GoodCases recorded_cases(const std::string& path, const spec::SpecLibrary& specs);

}  // namespace scatterproof::runner
