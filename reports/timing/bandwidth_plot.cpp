// SPDX-License-Identifier: Apache-2.0
// Bandwidth against the table's size, a grid of panels on common axes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "plots.hpp"
#include "scatterproof/spec/record/engine_name.hpp"
#include "svg.hpp"
#include "words.hpp"

namespace scatterproof::reports {
namespace {

// All in pixels.
constexpr double panel_width = 330;
constexpr double panel_height = 230;
constexpr double left = 62;     // of the first panel: the scale and what it counts
constexpr double top = 92;      // below the titles, with room for a panel's own
constexpr double between = 22;  // panels in a row
constexpr double below = 66;    // a row of panels: its scale, and the next row's heads
constexpr double legend_width = 196;
constexpr double letter_width = 6.4;  // of 11 pixels' text, rather too wide than too narrow

/// What all panels of a plot share; the peers' records are found by the same key with their name.
using Key = std::tuple<std::string, std::string, std::string, std::int64_t, std::int64_t, bool, std::string>;

Key key_of(const spec::TimingRecord& r) {
  return {r.operation, r.dtype, r.index_dtype, r.lookups, r.row_bytes, r.in_place, r.device};
}

struct Measured {
  double bytes_per_second = 0;
  double floor = 0;  ///< the bandwidth at the floor; 0 when there is none
  std::string tip;
};
using Series = std::map<std::int64_t, Measured>;              ///< by the table's size
using Panel = std::map<std::string, Series>;                  ///< by distribution
using Panels = std::map<std::pair<int, std::string>, Panel>;  ///< by threads and engine

void add(Panels& panels, const Figures& one) {
  const spec::TimingRecord& r = one.record;
  Measured& at = panels[{r.threads, r.engine}][r.distribution][r.table_bytes];
  if (at.bytes_per_second >= *one.bytes_per_second) return;  // the best of an engine's calls
  at.bytes_per_second = *one.bytes_per_second;
  at.floor = r.floor_seconds > 0 ? r.bytes_algorithmic / r.floor_seconds : 0;
  at.tip = fmt::format("{}, {}: {} GB/s", r.row, r.engine, digits(1e-9 * at.bytes_per_second));
}

/// A logarithmic scale from numbers to pixels.
struct Scale {
  double from = 1;
  double to = 10;
  double start = 0;
  double end = 1;

  double operator()(double value) const {
    return start + (end - start) * (std::log2(value / from) / std::log2(to / from));
  }
};

/// Colours by distribution, the same in every plot of a run.
using Colours = std::map<std::string, std::size_t>;

class BandwidthPlot {
 public:
  BandwidthPlot(const spec::MachineRecord& machine, const Colours& colours, const Panels& panels)
      : machine_(machine), colours_(colours), panels_(panels) {
    for (const auto& [place, panel] : panels_) {
      add_once(threads_, place.first);
      add_once(engines_, place.second);
      for (const auto& [distribution, series] : panel) add_series(distribution, series);
    }
    order_engines();
    const auto [low, high] = std::minmax_element(rates_.begin(), rates_.end());
    ticks_ = logarithmic_ticks(*low, *high);
  }

  std::string draw(const std::string& title, const std::string& subtitle) {
    const double width = x_of(engines_.size()) - between + legend_width;
    const double height = y_of(threads_.size()) - 32;
    Drawing drawing(std::max(width, 640.0), std::max(height, 420.0), title, subtitle);
    drawing.text({20, 30}, title, "title");
    drawing.text({20, 50}, subtitle, "muted");
    for (std::size_t row = 0; row < threads_.size(); ++row) {
      drawing.text_upwards({18, y_of(row) + panel_height / 2}, "GB/s, algorithmic", "muted");
      for (std::size_t column = 0; column < engines_.size(); ++column) draw_panel(drawing, row, column);
    }
    draw_legend(drawing, {x_of(engines_.size()) - between + 20, top});
    std::ostringstream out;
    drawing.save(out);
    return out.str();
  }

 private:
  static void add_once(auto& list, const auto& value) {
    if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
  }
  /// The native one first, then peers in the tables' order.
  void order_engines() {
    std::set<std::string> peers;
    for (const std::string& engine : engines_)
      if (is_peer(engine)) peers.insert(spec::without_release(engine));
    const std::vector<std::string> order = in_order(peers);
    const auto rank = [&](const std::string& engine) {
      const auto found = std::find(order.begin(), order.end(), spec::without_release(engine));
      return is_peer(engine) ? found - order.begin() : -1;
    };
    std::stable_sort(engines_.begin(), engines_.end(),
                     [&](const std::string& x, const std::string& y) { return rank(x) < rank(y); });
  }
  void add_series(const std::string& distribution, const Series& series) {
    distributions_.insert(distribution);
    for (const auto& [size, measured] : series) {
      sizes_.insert(size);
      rates_.push_back(1e-9 * measured.bytes_per_second);
      if (measured.floor > 0) rates_.push_back(1e-9 * measured.floor);
    }
  }
  static double x_of(std::size_t column) {
    return left + static_cast<double>(column) * (panel_width + between);
  }
  static double y_of(std::size_t row) { return top + static_cast<double>(row) * (panel_height + below); }

  Scale horizontal(std::size_t column) const {
    constexpr double air = 18;
    return {static_cast<double>(*sizes_.begin()), static_cast<double>(*sizes_.rbegin()), x_of(column) + air,
            x_of(column) + panel_width - air};
  }
  Scale vertical(std::size_t row) const {
    return {ticks_.front(), ticks_.back(), y_of(row) + panel_height, y_of(row)};
  }

  void draw_panel(Drawing& drawing, std::size_t row, std::size_t column) const {
    const auto found = panels_.find({threads_[row], engines_[column]});
    if (found == panels_.end()) return;  // an engine that was not asked for this number of threads
    drawing.text({x_of(column), y_of(row) - 10},
                 fmt::format("{}, {}", engines_[column], threads_words(threads_[row])), "head");
    draw_axes(drawing, row, column);
    const Scale x = horizontal(column);
    const Scale y = vertical(row);
    for (const auto& [distribution, series] : found->second) draw_floor(drawing, distribution, series, x, y);
    for (const auto& [distribution, series] : found->second) draw_series(drawing, distribution, series, x, y);
  }

  void draw_axes(Drawing& drawing, std::size_t row, std::size_t column) const {
    const Scale x = horizontal(column);
    const Scale y = vertical(row);
    const double bottom = y_of(row) + panel_height;
    const double right = x_of(column) + panel_width;
    for (const double tick : ticks_) {
      drawing.line({x_of(column), y(tick)}, {right, y(tick)}, "grid");
      if (column == 0)
        drawing.text({x_of(column) - 8, y(tick) + 4}, fmt::format("{:g}", tick), "muted", TextAnchor::end);
    }
    double free_from = 0;
    for (const std::int64_t size : sizes_) {
      const double at = x(static_cast<double>(size));
      drawing.line({at, y_of(row)}, {at, bottom}, "grid");
      const std::string words = size_words(static_cast<double>(size));
      const double half = letter_width * static_cast<double>(words.size()) / 2;
      if (at - half < free_from) continue;
      drawing.text({at, bottom + 17}, words, "muted", TextAnchor::middle);
      free_from = at + half + 2;
    }
    drawing.line({x_of(column), bottom}, {right, bottom}, "axis");
    draw_machine(drawing, row, column);
  }

  void draw_machine(Drawing& drawing, std::size_t row, std::size_t column) const {
    const Scale x = horizontal(column);
    const Scale y = vertical(row);
    const auto cache = static_cast<double>(machine_.cache_bytes);
    if (cache > x.from && cache < x.to)
      drawing.line({x(cache), y_of(row)}, {x(cache), y_of(row) + panel_height}, "rule");
    const auto copy = machine_.copy_bytes_per_second.find(threads_[row]);
    if (copy == machine_.copy_bytes_per_second.end()) return;
    const double rate = 1e-9 * copy->second;
    if (rate > y.from && rate < y.to)
      drawing.line({x_of(column), y(rate)}, {x_of(column) + panel_width, y(rate)}, "rule");
  }

  void draw_floor(Drawing& drawing, const std::string& distribution, const Series& series, const Scale& x,
                  const Scale& y) const {
    std::vector<Point> points;
    for (const auto& [size, measured] : series)
      if (measured.floor > 0) points.push_back({x(static_cast<double>(size)), y(1e-9 * measured.floor)});
    if (points.size() == 1) {  // a dash where a line has no length
      points = {{points[0].x - 9, points[0].y}, {points[0].x + 9, points[0].y}};
    }
    if (!points.empty()) drawing.path(points, "floor s" + colour(distribution));
  }

  void draw_series(Drawing& drawing, const std::string& distribution, const Series& series, const Scale& x,
                   const Scale& y) const {
    std::vector<Point> points;
    for (const auto& [size, measured] : series)
      points.push_back({x(static_cast<double>(size)), y(1e-9 * measured.bytes_per_second)});
    if (points.size() > 1) drawing.path(points, "series s" + colour(distribution));
    auto point = points.begin();
    for (const auto& [size, measured] : series)
      drawing.mark(*point++, colours_.at(distribution), "f" + colour(distribution), measured.tip);
  }

  void draw_legend(Drawing& drawing, Point at) const {
    const auto entry = [&](const std::string& words) {
      drawing.text({at.x + 36, at.y + 4}, words, "");
      at.y += 21;
    };
    for (const auto& [distribution, order] : in_colour_order()) {
      drawing.line({at.x, at.y}, {at.x + 26, at.y}, "series s" + colour(distribution));
      drawing.mark({at.x + 13, at.y}, order, "f" + colour(distribution), "");
      entry(distribution);
    }
    at.y += 10;
    drawing.path({{at.x, at.y}, {at.x + 26, at.y}}, "floor s0");
    entry("floor, same colour");
    drawing.line({at.x, at.y}, {at.x + 26, at.y}, "rule");
    entry("copy rate");
    drawing.line({at.x + 13, at.y - 9}, {at.x + 13, at.y + 9}, "rule");
    entry(fmt::format("cache, {}", size_words(static_cast<double>(machine_.cache_bytes))));
  }
  std::vector<std::pair<std::string, std::size_t>> in_colour_order() const {
    std::vector<std::pair<std::string, std::size_t>> order;
    for (const std::string& distribution : distributions_)
      order.emplace_back(distribution, colours_.at(distribution));
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return order;
  }
  std::string colour(const std::string& distribution) const {
    return std::to_string(colours_.at(distribution) % series_colours);
  }

  const spec::MachineRecord& machine_;
  const Colours& colours_;
  const Panels& panels_;
  std::vector<int> threads_;
  std::vector<std::string> engines_;
  std::set<std::string> distributions_;
  std::set<std::int64_t> sizes_;
  std::vector<double> rates_;
  std::vector<double> ticks_;
};

bool has_a_line(const Panels& panels) {
  return std::any_of(panels.begin(), panels.end(), [](const auto& panel) {
    return !is_peer(panel.first.second) &&
           std::any_of(panel.second.begin(), panel.second.end(),
                       [](const auto& series) { return series.second.size() > 1; });
  });
}

/// The panels of one native engine: its own and its peers'.
Panels panels_of(const std::string& engine, const Key& key, const std::vector<Figures>& all) {
  Panels panels;
  for (const Figures& one : all) {
    const bool belongs = one.record.engine == engine || is_peer(one.record.engine);
    if (belongs && one.bytes_per_second && key_of(one.record) == key && one.record.table_bytes > 0)
      add(panels, one);
  }
  return panels;
}

Plot plot_of(const spec::MachineRecord& machine, const Colours& colours, const Panels& panels,
             const spec::TimingRecord& like) {
  const std::string place = like.in_place ? "in place" : "out of place";
  const std::string title =
      fmt::format("{} on {}: bandwidth against the table's size", like.operation, like.engine);
  const std::string subtitle =
      fmt::format("{} values, {} index, {} lookups of {}, {}; {}, {} cores", like.dtype, like.index_dtype,
                  count_words(static_cast<double>(like.lookups)),
                  bytes_words(static_cast<double>(like.row_bytes)), place, machine.cpu, machine.cores);
  std::vector<std::string> words = {"bandwidth", like.operation, like.engine, like.dtype, like.index_dtype};
  if (!like.in_place) words.emplace_back("out-of-place");
  if (like.device != "cpu") words.push_back(like.device);
  return {file_name(words) + ".svg", title + ", " + subtitle,
          BandwidthPlot(machine, colours, panels).draw(title, subtitle)};
}

}  // namespace

std::string file_name(const std::vector<std::string>& words) {
  std::string name;
  for (const std::string& word : words) {
    if (!name.empty()) name += '-';
    for (const char c : word) {
      const bool plain =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_';
      if (plain || name.back() != '-') name += plain ? c : '-';
    }
  }
  return name;
}

std::vector<Plot> bandwidth_plots(const spec::MachineRecord& machine, const std::vector<Figures>& all) {
  Colours colours;
  std::vector<std::pair<std::string, Key>> order;
  std::map<std::pair<std::string, Key>, const spec::TimingRecord*> like;
  for (const Figures& one : all) {
    colours.try_emplace(one.record.distribution, colours.size());
    const std::pair<std::string, Key> place{one.record.engine, key_of(one.record)};
    if (!is_peer(place.first) && like.try_emplace(place, &one.record).second) order.push_back(place);
  }
  std::vector<Plot> plots;
  for (const auto& place : order) {
    const Panels panels = panels_of(place.first, place.second, all);
    if (!has_a_line(panels)) continue;
    Plot plot = plot_of(machine, colours, panels, *like[place]);
    const auto same_name = [&](const Plot& other) { return other.file == plot.file; };
    if (std::any_of(plots.begin(), plots.end(), same_name))
      plot.file =
          file_name({plot.file.substr(0, plot.file.rfind('.')), std::to_string(plots.size())}) + ".svg";
    plots.push_back(std::move(plot));
  }
  return plots;
}

}  // namespace scatterproof::reports
