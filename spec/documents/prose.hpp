// SPDX-License-Identifier: Apache-2.0
// Running text: removes markup and splits it into sentences.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scatterproof::spec {

/// Every run of blanks as one, none at the ends; typographic quotes and dashes as ASCII.
std::string folded(std::string_view text);

/// Folded, and without roles, links, emphasis, backquotes and escapes.
std::string plain(std::string_view text);

/// A plain text's sentences.
std::vector<std::string> sentences(std::string_view text);

/// The first three words; a character of a script without blanks is a word of its own.
std::string first_words(std::string_view text);

}  // namespace scatterproof::spec
