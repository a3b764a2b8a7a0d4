// SPDX-License-Identifier: Apache-2.0
// Releases are dotted numbers, wherever they are compared: rules of a spec, ranges of a baseline.
#pragma once

#include <string_view>

namespace scatterproof::spec {

/// Compares dotted numbers part by part: negative, zero or positive.
/// Missing parts are 0; whatever follows the digits of a part
/// ("0rc1", "0+cpu") is ignored.
int compare_versions(std::string_view a, std::string_view b);

}  // namespace scatterproof::spec
