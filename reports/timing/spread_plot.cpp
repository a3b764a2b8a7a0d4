// SPDX-License-Identifier: Apache-2.0
// Times with their spread, engines and versions below each other, on a logarithmic axis.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "plots.hpp"
#include "ratios.hpp"
#include "scatterproof/spec/record/engine_name.hpp"
#include "svg.hpp"
#include "text.hpp"
#include "words.hpp"

namespace scatterproof::reports {
namespace {

// All in pixels.
constexpr double lane_height = 15;
constexpr double between_rows = 30;   // with the row's name
constexpr double letter_width = 6.2;  // of 11 pixels' text, rather too wide than too narrow
constexpr double lanes_width = 520;
constexpr double words_width = 190;
constexpr double top = 96;
constexpr std::size_t most_letters = 100;  // of a name

struct Lane {
  std::string name;    ///< the engine without its version
  std::string engine;  ///< what distinguishes it from the others of the plot
  int threads = 1;
  spec::Spread times;
};
struct SpreadRow {
  double floor = 0;  ///< seconds; 0: there is none
  std::vector<Lane> lanes = {};
};
using Rows = std::vector<std::pair<std::string, SpreadRow>>;

SpreadRow& row_named(Rows& rows, const std::string& name) {
  const auto found = std::ranges::find(rows, name, &Rows::value_type::first);
  return found != rows.end() ? found->second : rows.emplace_back(name, SpreadRow{}).second;
}

/// An engine by its version; in several runs also by when it was timed, where that alone tells.
std::string lane_name(const spec::TimingRecord& record, const spec::TimingRun& run,
                      const std::set<std::string>& twice) {
  std::string name = record.engine;
  const auto version = run.machine.versions.find("scatterproof");
  if (!is_peer(name) && version != run.machine.versions.end()) name += ' ' + version->second;
  return twice.contains(record.engine) ? name + ", " + run.machine.when.substr(0, 10) : name;
}

class SpreadPlot {
 public:
  explicit SpreadPlot(const Rows& rows) : rows_(rows) {
    std::set<std::string> names;
    for (const auto& [name, row] : rows_) {
      if (row.floor > 0) widen(row.floor);
      for (const Lane& lane : row.lanes) {
        widen(lane.times.minimum);
        widen(lane.times.ninetieth);
        names.insert(lane.engine);
      }
    }
    for (const std::string& name : names) colours_.emplace(name, colours_.size() % series_colours);
    for (const std::string& name : names)
      label_ = std::max(label_, 40 + letter_width * static_cast<double>(width_of(lane_words(name, 64))));
    ticks_ = logarithmic_ticks(from_, to_);
    from_ = ticks_.front();
    to_ = ticks_.back();
  }

  std::string draw(const std::string& title, const std::string& subtitle) const {
    double height = top + 40;
    for (const auto& [name, row] : rows_) height += height_of(row);
    Drawing drawing(label_ + lanes_width + words_width, height, title, subtitle);
    drawing.text({20, 30}, title, "title");
    drawing.text({20, 50}, subtitle, "muted");
    draw_axis(drawing, height - 40);
    double y = top;
    for (const auto& [name, row] : rows_) {
      draw_row(drawing, name, row, y);
      y += height_of(row);
    }
    std::ostringstream out;
    drawing.save(out);
    return out.str();
  }

 private:
  static double height_of(const SpreadRow& row) {
    return between_rows + lane_height * static_cast<double>(row.lanes.size());
  }
  static std::string lane_words(const std::string& engine, int threads) {
    return capped(printable(engine), most_letters) + ", " + threads_words(threads);
  }
  void widen(double seconds) {
    from_ = std::min(from_, seconds);
    to_ = std::max(to_, seconds);
  }
  double x_of(double seconds) const {
    return label_ + lanes_width * std::log10(seconds / from_) / std::log10(to_ / from_);
  }

  void draw_axis(Drawing& drawing, double bottom) const {
    constexpr double least_between = 52;  // a label and air
    double free_from = 0;
    for (const double tick : ticks_) {
      drawing.line({x_of(tick), top - 8}, {x_of(tick), bottom}, "grid");
      if (x_of(tick) < free_from) continue;
      free_from = x_of(tick) + least_between;
      for (const double y : {top - 14, bottom + 18})
        drawing.text({x_of(tick), y}, time_words(tick), "muted", TextAnchor::middle);
    }
  }

  void draw_row(Drawing& drawing, const std::string& name, const SpreadRow& row, double y) const {
    drawing.text({20, y + 17}, capped(printable(name), most_letters), "head");
    double at = y + between_rows - 2;
    const double bottom = at + lane_height * static_cast<double>(row.lanes.size()) - 6;
    if (row.floor > 0) drawing.line({x_of(row.floor), at - 6}, {x_of(row.floor), bottom}, "axis");
    for (const Lane& lane : row.lanes) {
      draw_lane(drawing, lane, at);
      at += lane_height;
    }
  }

  void draw_lane(Drawing& drawing, const Lane& lane, double y) const {
    const std::size_t colour = colours_.at(lane.engine);
    const std::string words = fmt::format("{} / {} / {}", time_words(lane.times.minimum),
                                          time_words(lane.times.median), time_words(lane.times.ninetieth));
    drawing.text({label_ - 10, y + 4}, lane_words(lane.engine, lane.threads), "muted", TextAnchor::end);
    drawing.line({x_of(lane.times.minimum), y}, {x_of(lane.times.ninetieth), y},
                 fmt::format("series s{}", colour));
    drawing.mark({x_of(lane.times.median), y}, colour, fmt::format("f{}", colour),
                 lane.engine + ": " + words);
    drawing.text({label_ + lanes_width + 12, y + 4}, words, "muted");
  }

  const Rows& rows_;
  double from_ = 1e9;
  double to_ = 1e-12;
  double label_ = 0;  ///< the width that the names of engines take
  std::vector<double> ticks_;
  std::map<std::string, std::size_t> colours_;
};

/// Versions of an engine, and its runs, are drawn below each other; of several calls for one purpose the
/// fastest counts.
void add(SpreadRow& row, const Lane& lane) {
  const auto key = [](const Lane& one) { return std::tuple(one.name, one.threads, one.engine); };
  const auto at = std::ranges::lower_bound(row.lanes, key(lane), {}, key);
  if (at == row.lanes.end() || key(*at) != key(lane))
    row.lanes.insert(at, lane);
  else if (lane.times.minimum < at->times.minimum)
    *at = lane;
}

/// Engines that were timed in several runs under one name.
std::set<std::string> timed_twice(const std::vector<spec::TimingRun>& runs) {
  std::set<std::string> seen, twice;
  for (const spec::TimingRun& run : runs) {
    std::set<std::string> here;
    for (const spec::TimingRecord& record : run.records) here.insert(record.engine);
    for (const std::string& engine : here)
      if (!seen.insert(engine).second) twice.insert(engine);
  }
  return twice;
}

}  // namespace

std::vector<Plot> spread_plots(const std::vector<spec::TimingRun>& runs) {
  const std::set<std::string> twice = timed_twice(runs);
  std::vector<std::string> order;
  std::map<std::string, Rows> by_benchmark;
  for (const spec::TimingRun& run : runs)
    for (const spec::TimingRecord& record : run.records) {
      if (record.seconds.empty()) continue;
      if (!by_benchmark.contains(record.benchmark)) order.push_back(record.benchmark);
      SpreadRow& row =
          row_named(by_benchmark[record.benchmark], record.row + (record.in_place ? "" : ", out of place"));
      if (record.floor_seconds > 0)
        row.floor = row.floor > 0 ? std::min(row.floor, record.floor_seconds) : record.floor_seconds;
      add(row, {spec::without_release(record.engine), lane_name(record, run, twice), record.threads,
                spec::spread(record.seconds)});
    }
  std::vector<Plot> plots;
  for (const std::string& benchmark : order) {
    const std::string title = benchmark + ": times";
    plots.push_back(
        {file_name({"times", benchmark}) + ".svg", title,
         SpreadPlot(by_benchmark[benchmark])
             .draw(
                 title,
                 "a line from the minimum to the 90th percentile with a mark at the median; an upright line "
                 "is the floor with the most threads; logarithmic")});
  }
  return plots;
}

}  // namespace scatterproof::reports
