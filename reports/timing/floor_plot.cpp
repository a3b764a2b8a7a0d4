// SPDX-License-Identifier: Apache-2.0
// Share of the floor by row, as bars.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "columns.hpp"
#include "plots.hpp"
#include "svg.hpp"
#include "text.hpp"
#include "words.hpp"

namespace scatterproof::reports {
namespace {

// All in pixels.
constexpr double bar_height = 12;
constexpr double between_rows = 9;
constexpr double bars_width = 440;
constexpr double figure_width = 60;   // right of the bars
constexpr double letter_width = 6.6;  // of 12 pixels' text, rather too wide than too narrow
constexpr double top = 112;
constexpr double widest_label = 400;

struct Bar {
  Figures figures;
  std::map<std::string, double> peers;  ///< their share of the floor, by engine
};
struct PlotRow {
  std::string label;
  std::vector<Bar> bars;  ///< by number of threads
};

/// The row's bars: the engine's shares, and next to them those of peers with as many threads.
PlotRow row_of(const RowRecords& block, const std::string& engine) {
  PlotRow row{.label = block.row + (block.in_place ? "" : ", out of place"), .bars = {}};
  for (const Figures& line : block.lines) {
    if (line.record.engine != engine || !line.share_of_floor) continue;
    Bar bar{line, {}};
    for (const Figures& other : block.lines)
      if (is_peer(other.record.engine) && other.share_of_floor && other.record.threads == line.record.threads)
        bar.peers[other.record.engine] = other.share_of_floor->by_minimum;
    row.bars.push_back(std::move(bar));
  }
  if (row.bars.size() > 2) row.bars.erase(row.bars.begin() + 1, row.bars.end() - 1);
  return row;
}

class FloorPlot {
 public:
  explicit FloorPlot(std::vector<PlotRow> rows) : rows_(std::move(rows)) {
    for (const PlotRow& row : rows_) {
      label_ = std::max(label_, letter_width * static_cast<double>(width_of(printable(row.label))));
      for (const Bar& bar : row.bars) {
        most_ = std::max(most_, bar.figures.share_of_floor->by_minimum);
        threads_.insert(bar.figures.record.threads);
        for (const auto& [peer, share] : bar.peers) {
          most_ = std::max(most_, share);
          peers_.insert(peer);
        }
      }
    }
    label_ = std::min(label_, widest_label) + 24;
  }

  std::string draw(const std::string& title, const std::string& subtitle) const {
    double height = top + 34;
    for (const PlotRow& row : rows_) height += height_of(row);
    Drawing drawing(std::max(label_ + bars_width + figure_width + 16, 640.0), height, title, subtitle);
    drawing.text({20, 30}, title, "title");
    drawing.text({20, 50}, subtitle, "muted");
    draw_legend(drawing);
    draw_scale(drawing, height - 34);
    double y = top;
    for (const PlotRow& row : rows_) {
      draw_row(drawing, row, y);
      y += height_of(row);
    }
    std::ostringstream out;
    drawing.save(out);
    return out.str();
  }

 private:
  static double height_of(const PlotRow& row) {
    return bar_height * static_cast<double>(row.bars.size()) + between_rows;
  }
  double x_of(double share) const { return label_ + share / most_ * bars_width; }
  /// Half as dark with fewer threads than the most.
  std::string tone(int threads) const { return threads == *threads_.rbegin() ? "f0" : "f0 pale"; }

  void draw_scale(Drawing& drawing, double bottom) const {
    const double step = most_ > 2 ? 1 : 0.25;
    for (double share = 0; share <= most_ + 1e-9; share += step) {
      drawing.line({x_of(share), top - 8}, {x_of(share), bottom}, share == 1 ? "axis" : "grid");
      drawing.text({x_of(share), bottom + 17}, fmt::format("{:.0f} %", 100 * share), "muted",
                   TextAnchor::middle);
    }
  }

  void draw_row(Drawing& drawing, const PlotRow& row, double y) const {
    const double middle = y + bar_height * static_cast<double>(row.bars.size()) / 2;
    const auto letters = static_cast<std::size_t>(widest_label / letter_width);
    drawing.text({label_ - 10, middle + 4}, capped(printable(row.label), letters), "", TextAnchor::end);
    double at = y;
    for (const Bar& bar : row.bars) {
      const Ratio& share = *bar.figures.share_of_floor;
      drawing.rectangle({x_of(0), at + 1}, x_of(share.by_minimum) - x_of(0), bar_height - 2,
                        tone(bar.figures.record.threads));
      drawing.text({label_ + bars_width + figure_width, at + bar_height - 2}, percent_words(share), "muted",
                   TextAnchor::end);
      at += bar_height;
    }
    for (const Bar& bar : row.bars) {  // above all bars: a mark is a little higher than one
      draw_peers(drawing, bar, y + bar_height / 2);
      y += bar_height;
    }
  }

  void draw_peers(Drawing& drawing, const Bar& bar, double y) const {
    std::size_t series = 0;  // the bars have the first colour
    for (const std::string& name : peers_) {
      ++series;
      const auto found = bar.peers.find(name);
      if (found == bar.peers.end()) continue;
      drawing.mark({x_of(found->second), y}, series, hollow(series),
                   fmt::format("{}, {}: {:.0f} %", name, threads_words(bar.figures.record.threads),
                               100 * found->second));
    }
  }
  static std::string hollow(std::size_t series) { return fmt::format("hollow h{}", series % series_colours); }

  void draw_legend(Drawing& drawing) const {
    double x = 20;
    const auto entry = [&](const std::string& words) {
      drawing.text({x + 20, 78}, words, "");
      x += 44 + letter_width * static_cast<double>(width_of(printable(words)));
    };
    for (const int threads : threads_) {
      drawing.rectangle({x, 69}, 14, bar_height - 2, tone(threads));
      entry(threads_words(threads));
    }
    std::size_t series = 0;
    for (const std::string& name : peers_) {
      ++series;
      drawing.mark({x + 7, 74}, series, hollow(series), "");
      entry(name);
    }
  }

  std::vector<PlotRow> rows_;
  double label_ = 0;
  double most_ = 1;
  std::set<int> threads_;
  std::set<std::string> peers_;
};

}  // namespace

std::vector<Plot> floor_plots(const std::vector<Figures>& all) {
  std::vector<std::pair<std::string, std::string>> order;  // operation, engine
  std::map<std::pair<std::string, std::string>, std::vector<PlotRow>> rows;
  for (const Benchmark& benchmark : benchmarks_in(all))
    for (const RowRecords& block : benchmark.blocks) {
      std::set<std::string> engines;
      for (const Figures& line : block.lines)
        if (!is_peer(line.record.engine)) engines.insert(line.record.engine);
      for (const std::string& engine : engines) {
        PlotRow row = row_of(block, engine);
        const std::pair<std::string, std::string> place{block.lines.front().record.operation, engine};
        if (row.bars.empty()) continue;
        if (!rows.contains(place)) order.push_back(place);
        rows[place].push_back(std::move(row));
      }
    }
  std::vector<Plot> plots;
  for (const auto& place : order) {
    const std::string title = fmt::format("{} on {}: share of the floor", place.first, place.second);
    const std::string subtitle =
        "the least time that memory allows over the time taken (minimum); ~ where the times spread over 10 %";
    plots.push_back({file_name({"floor", place.first, place.second}) + ".svg", title,
                     FloorPlot(std::move(rows[place])).draw(title, subtitle)});
  }
  return plots;
}

}  // namespace scatterproof::reports
