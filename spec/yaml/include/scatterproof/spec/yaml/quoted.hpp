// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace scatterproof::spec::yaml {

/// The text as YAML: plain if no reader could take it for something else, in double quotes otherwise.
std::string quoted(const std::string& text);

}  // namespace scatterproof::spec::yaml
