// SPDX-License-Identifier: Apache-2.0
// Translates yaml-cpp's syntax messages into this program's words.
#pragma once

#include <string>

namespace scatterproof::spec::yaml {

struct SyntaxWords {
  std::string what;
  std::string hint;
  bool names_opening = false;  ///< it helps to name where the unfinished list or map starts
};

SyntaxWords syntax_words(const std::string& yaml_cpp_message);

}  // namespace scatterproof::spec::yaml
