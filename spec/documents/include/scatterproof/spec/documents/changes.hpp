// SPDX-License-Identifier: Apache-2.0
// What changed from one release's text to another's, and what rests on it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scatterproof/spec/documents/audit.hpp"

namespace scatterproof::spec {

/// A clause that only one of the two texts has.
struct TextChange {
  Clause clause;
  bool added = false;                ///< only the second text has it; else only the first
  std::vector<std::string> touches;  ///< names of the parts that rest on it
};

/// The clauses of the first text, then those of the second, each in its order. A clause that one text repeats
/// more often than the other is listed once for each additional time.
std::vector<TextChange> changes(std::string_view from, std::string_view to,
                                const std::vector<SpecPart>& parts);

}  // namespace scatterproof::spec
