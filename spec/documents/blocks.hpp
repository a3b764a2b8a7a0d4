// SPDX-License-Identifier: Apache-2.0
// A text as blocks: paragraphs, rows of tables and printed blocks, each under its heading.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scatterproof::spec {

struct TextBlock {
  enum class Kind { paragraph, row, printed } kind = Kind::paragraph;
  int line = 0;  ///< where it begins, counted from 1
  std::string section;
  std::string text;  ///< its lines
};

/// In the order of the text. Headings, list markers and fences are left out.
std::vector<TextBlock> blocks(std::string_view text);

}  // namespace scatterproof::spec
