// SPDX-License-Identifier: Apache-2.0
// Drawings as SVG: text stays text, colours follow the reader's light or dark scheme, no script.
#pragma once

#include <ostream>
#include <pugixml.hpp>
#include <string>
#include <vector>

namespace scatterproof::reports {

struct Point {
  double x = 0;
  double y = 0;
};

enum class TextAnchor { start, middle, end };

/// How many colours, and marks, distinguish series before they repeat.
constexpr std::size_t series_colours = 8;

/// 1, 2 and 5 times the powers of ten from the last below `low` to the first above `high`.
std::vector<double> logarithmic_ticks(double low, double high);

/// The style sheet of all drawings, for a page that holds some; a drawing that is a file has it within.
std::string plot_style();

/// Every drawn element gets classes of the style sheet. Lines: `grid`, `axis`, `rule` (a rate or size of the
/// machine), `series s0` to `series s7` in a series' colour, `floor` with the colour instead of `series`.
/// Areas: `f0` to `f7`, `hollow h0` to `hollow h7`, `pale` added to either. Text: `title`, `head`, `muted`.
class Drawing {
 public:
  /// In pixels. Title and description are what a screen reader says.
  Drawing(double width, double height, const std::string& title, const std::string& description);

  void line(Point from, Point to, const std::string& classes);
  void path(const std::vector<Point>& points, const std::string& classes);
  void rectangle(Point corner, double width, double height, const std::string& classes);
  /// One of `series_colours` shapes, so that series differ without colour too. A browser shows `tip` where
  /// the pointer rests; may be empty.
  void mark(Point at, std::size_t shape, const std::string& classes, const std::string& tip);
  /// `at` is the start, middle or end of the baseline.
  void text(Point at, const std::string& words, const std::string& classes,
            TextAnchor anchor = TextAnchor::start);
  /// Reads upwards; its middle is at `at`.
  void text_upwards(Point at, const std::string& words, const std::string& classes);

  void save(std::ostream& out) const;

 private:
  pugi::xml_node add(const char* element, const std::string& classes);
  pugi::xml_document document_;
  pugi::xml_node svg_;
};

}  // namespace scatterproof::reports
