// SPDX-License-Identifier: Apache-2.0
// The schemas as the build wrote them into the library (embed_schemas.cmake).
#pragma once

#include <span>
#include <string_view>

namespace scatterproof::spec {

struct EmbeddedSchema {
  std::string_view name;
  std::string_view text;
};

/// Sorted by name.
std::span<const EmbeddedSchema> embedded_schemas();

}  // namespace scatterproof::spec
