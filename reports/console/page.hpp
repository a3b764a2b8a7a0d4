// SPDX-License-Identifier: Apache-2.0
// Where the console's reports write: colours, and lines that fit the terminal.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

#include "scatterproof/reports/reporter.hpp"

namespace scatterproof::reports {

enum class Colour { plain, bold, dim, red, green, yellow };

/// The text in a colour, or as it is when the style has none.
std::string painted(const Style& style, Colour colour, std::string_view text);

struct Page {
  std::ostream& out;
  Style style;

  bool verbose() const { return style.verbosity > 0; }
  /// The columns left on a line after `indent`; never less than 20.
  std::size_t columns_from(std::size_t indent) const;
  /// Ends a line that is `indent` columns long; further lines begin below this place.
  void put_hanging(std::string_view text, std::size_t indent, Colour colour) const;
  /// A paragraph whose further lines are indented.
  void put_note(std::string_view text) const;
};

}  // namespace scatterproof::reports
