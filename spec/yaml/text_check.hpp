// SPDX-License-Identifier: Apache-2.0
// Refuses a text before any YAML is scanned: bytes that are not text, and sizes that would cost yaml-cpp
// memory (it queues all tokens of a [...] before it returns the first).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/yaml/yaml.hpp"

namespace scatterproof::spec::yaml {

struct TextError {
  Position at;
  std::string what;
  std::string hint;
};

/// The first thing wrong with the bytes, if any.
std::optional<TextError> check_text(std::string_view text, const TextLimits& limits);

/// The message for exceeding the depth limit.
std::string too_deep(const TextLimits& limits);

/// Line `line` (1-based) without its line end; empty when there is none.
std::string_view line_of(std::string_view text, int line);

/// The bytes in a form fit for messages: cut to `longest`, control bytes escaped, no character cut in half.
std::string shown(std::string_view text, std::size_t longest = 60);

}  // namespace scatterproof::spec::yaml
