// SPDX-License-Identifier: Apache-2.0
// Makes untrusted strings readable: shared by the reports.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "scatterproof/spec/core/text.hpp"
#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::reports {

using spec::one_line;
using spec::printable;

/// At most `limit` bytes of valid UTF-8, then how much is missing.
std::string capped(std::string text, std::size_t limit);

/// Appends a piece if the text then has at most `limit` bytes. Else it stays as it is, and the answer is no.
bool append_within(std::string& text, std::size_t limit, std::string_view piece);

/// Each of these characters as an entity of HTML: any of & < > " ' and the backtick.
std::string with_entities(std::string_view text, std::string_view which);

/// At most `width` columns of one line of text; what was cut ends in `...`. Precondition: valid UTF-8.
std::string shortened(std::string_view text, std::size_t width);

/// Columns a terminal needs, at one per code point. Precondition: valid UTF-8.
std::size_t width_of(std::string_view text);

/// The text in lines of at most `width` columns where spaces allow; each line of the text begins a new one.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// What a verdict means, in a few words.
std::string_view meaning(spec::Verdict verdict);

/// How a record counts in every report.
enum class Standing { passed, weak, failed, known, flaky, open, unsupported };
Standing standing(const spec::Record& record);
std::string_view word(Standing standing);

/// A record's explanation, and its likely causes.
std::string story_of(const spec::Record& record);
/// The first line of a record's explanation, or what its verdict means when it has none.
std::string cause(const spec::Record& record);

}  // namespace scatterproof::reports
