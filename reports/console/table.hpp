// SPDX-License-Identifier: Apache-2.0
// The matrix of APIs and engines, and colours.
#pragma once

#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "scatterproof/reports/reporter.hpp"
#include "text.hpp"

namespace scatterproof::reports {

enum class Colour { plain, bold, dim, red, green, yellow };

/// The text in a colour, or as it is when the style has none.
std::string painted(const Style& style, Colour colour, std::string_view text);

/// How many records of one API on one engine stand how.
using Tally = std::map<Standing, std::size_t>;

/// APIs down, engines across, a cell for each pair that has records.
class Matrix {
 public:
  void count(const spec::Record& record);
  /// Engines that do not fit beside each other follow below.
  void print(std::ostream& out, const Style& style) const;

 private:
  std::vector<std::string> engines_;                          ///< in the order they came
  std::map<std::string, std::map<std::string, Tally>> rows_;  ///< by API, then engine
};

}  // namespace scatterproof::reports
