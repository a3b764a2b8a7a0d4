// SPDX-License-Identifier: Apache-2.0
#include "svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include "text.hpp"

namespace scatterproof::reports {
namespace {

struct Scheme {
  const char* ground;
  const char* ink;
  const char* muted;
  const char* grid;
  std::array<const char*, series_colours> series;
};
// Hues that people with any kind of colour vision can distinguish (after Okabe and Ito); darker on white,
// lighter on black.
constexpr Scheme light = {
    "#ffffff",
    "#1f2328",
    "#59636e",
    "#dde2e7",
    {"#0072b2", "#c04f00", "#008561", "#b0447f", "#a87400", "#2a8fc9", "#6b4fbb", "#5f6b00"}};
constexpr Scheme dark = {
    "#0d1117",
    "#e6edf3",
    "#9198a1",
    "#2b323a",
    {"#58a6ff", "#ff8b3d", "#2ac79a", "#f07fbb", "#e8b93c", "#8fd3ff", "#b79cff", "#c3cc4a"}};

constexpr const char* shapes_of_text = R"(
text { font: 12px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
.title { font-size: 16px; font-weight: 600; }
.head { font-weight: 600; }
.muted { font-size: 11px; }
.grid, .axis, .rule { stroke-width: 1; }
.rule { stroke-dasharray: 2 3; }
.series { fill: none; stroke-width: 2; stroke-linejoin: round; }
.floor { fill: none; stroke-width: 1.3; stroke-dasharray: 6 4; opacity: 0.75; }
.hollow { stroke-width: 1.8; }
.pale { opacity: 0.5; }
)";

/// Colours by rule, not by variable: few programs other than browsers support variables.
std::string colours(const Scheme& scheme) {
  std::string rules = fmt::format(
      "text {{ fill: {1}; }} .muted {{ fill: {2}; }} .ground {{ fill: {0}; }} .grid {{ stroke: {3}; }} "
      ".axis, .rule {{ stroke: {2}; }}\n",
      scheme.ground, scheme.ink, scheme.muted, scheme.grid);
  for (std::size_t i = 0; i < series_colours; ++i)
    rules +=
        fmt::format(".s{0} {{ stroke: {1}; }} .f{0} {{ fill: {1}; }} .h{0} {{ fill: {2}; stroke: {1}; }}\n",
                    i, scheme.series[i], scheme.ground);
  return rules;
}

std::string number(double value) { return fmt::format("{:.1f}", value); }

void put(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(value.c_str());
}

std::string closed(Point at, std::initializer_list<Point> corners) {
  std::string path;
  for (const Point& corner : corners)
    path +=
        fmt::format("{}{} {}", path.empty() ? "M" : "L", number(at.x + corner.x), number(at.y + corner.y));
  return path + "Z";
}

/// The outline of a mark, about 9 pixels across.
std::string outline(Point at, std::size_t shape) {
  switch (shape % series_colours) {
    case 0:  // a disc, as two arcs
      return fmt::format("M{0} {1}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z", number(at.x - 4), number(at.y));
    case 1:
      return closed(at, {{-3.6, -3.6}, {3.6, -3.6}, {3.6, 3.6}, {-3.6, 3.6}});
    case 2:
      return closed(at, {{0, -4.8}, {4.6, 3.4}, {-4.6, 3.4}});
    case 3:
      return closed(at, {{0, -5}, {5, 0}, {0, 5}, {-5, 0}});
    case 4:
      return closed(at, {{0, 4.8}, {4.6, -3.4}, {-4.6, -3.4}});
    case 5:
      return closed(at, {{-4.8, -1.6}, {4.8, -1.6}, {4.8, 1.6}, {-4.8, 1.6}});
    case 6:
      return closed(at, {{-1.6, -4.8}, {1.6, -4.8}, {1.6, 4.8}, {-1.6, 4.8}});
    default:
      return closed(at, {{-4.8, 0}, {3.4, -4.6}, {3.4, 4.6}});
  }
}

}  // namespace

std::vector<double> logarithmic_ticks(double low, double high) {
  std::vector<double> all;
  for (double decade = std::pow(10, std::floor(std::log10(low))); decade < 10 * high; decade *= 10)
    for (const double step : {1, 2, 5}) all.push_back(step * decade);
  const auto first = std::upper_bound(all.begin(), all.end(), low);
  const auto last = std::lower_bound(all.begin(), all.end(), high);
  return {first == all.begin() ? first : first - 1, last == all.end() ? last : last + 1};
}

std::string plot_style() {
  return fmt::format("{}{}@media (prefers-color-scheme: dark) {{\n{}}}\n", shapes_of_text, colours(light),
                     colours(dark));
}

Drawing::Drawing(double width, double height, const std::string& title, const std::string& description) {
  svg_ = document_.append_child("svg");
  put(svg_, "xmlns", "http://www.w3.org/2000/svg");
  put(svg_, "width", number(width));
  put(svg_, "height", number(height));
  put(svg_, "viewBox", fmt::format("0 0 {} {}", number(width), number(height)));
  put(svg_, "role", "img");
  svg_.append_child("title").text().set(printable(title).c_str());
  svg_.append_child("desc").text().set(printable(description).c_str());
  svg_.append_child("style").text().set(plot_style().c_str());
  // The ground is drawn: the page around the picture may follow another scheme than the reader's system.
  rectangle({0, 0}, width, height, "ground");
}

pugi::xml_node Drawing::add(const char* element, const std::string& classes) {
  pugi::xml_node node = svg_.append_child(element);
  put(node, "class", classes);
  return node;
}

void Drawing::line(Point from, Point to, const std::string& classes) {
  pugi::xml_node node = add("line", classes);
  put(node, "x1", number(from.x));
  put(node, "y1", number(from.y));
  put(node, "x2", number(to.x));
  put(node, "y2", number(to.y));
}

void Drawing::path(const std::vector<Point>& points, const std::string& classes) {
  std::string d;
  for (const Point& point : points)
    d += fmt::format("{}{} {}", d.empty() ? "M" : "L", number(point.x), number(point.y));
  put(add("path", classes), "d", d);
}

void Drawing::rectangle(Point corner, double width, double height, const std::string& classes) {
  pugi::xml_node node = add("rect", classes);
  put(node, "x", number(corner.x));
  put(node, "y", number(corner.y));
  put(node, "width", number(width));
  put(node, "height", number(height));
}

void Drawing::mark(Point at, std::size_t shape, const std::string& classes, const std::string& tip) {
  pugi::xml_node node = add("path", classes);
  put(node, "d", outline(at, shape));
  if (!tip.empty()) node.append_child("title").text().set(printable(tip).c_str());
}

void Drawing::text(Point at, const std::string& words, const std::string& classes, TextAnchor anchor) {
  pugi::xml_node node = add("text", classes);
  put(node, "x", number(at.x));
  put(node, "y", number(at.y));
  constexpr std::array<const char*, 3> anchors = {"start", "middle", "end"};
  put(node, "text-anchor", anchors[static_cast<std::size_t>(anchor)]);
  node.text().set(printable(words).c_str());
}

void Drawing::text_upwards(Point at, const std::string& words, const std::string& classes) {
  text(at, words, classes, TextAnchor::middle);
  put(svg_.last_child(), "transform", fmt::format("rotate(-90 {} {})", number(at.x), number(at.y)));
}

void Drawing::save(std::ostream& out) const {
  document_.save(out, "  ", pugi::format_indent, pugi::encoding_utf8);
}

}  // namespace scatterproof::reports
