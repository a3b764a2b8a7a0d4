// SPDX-License-Identifier: Apache-2.0
#include "html/past.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "html/markup.hpp"
#include "overview.hpp"
#include "text.hpp"

namespace scatterproof::reports {
namespace {

constexpr double column_width = 6;  // pixels, and so for the next three
constexpr double between_columns = 2;
constexpr double spark_height = 22;
constexpr double least_seen = 4;                 // one failure among thousands shows
constexpr std::size_t longest_line_shown = 300;  // bytes of a command line

/// `2026-11-23`.
std::string day_of(const PastRun& run) { return run.started.substr(0, 10); }

std::string run_words(const Past& past, const PastPoint& point, const std::string& page) {
  if (point.run + 1 == past.runs.size()) return "this run";
  const PastRun& run = past.runs[point.run];
  return fmt::format("run <a href=\"{}#run/{}\"><code>{}</code></a> of {}", html_text(page),
                     html_anchor(run.run), html_text(run.run.substr(0, 12)), html_text(day_of(run)));
}

std::size_t runs_that_failed(const std::vector<PastPoint>& points) {
  return static_cast<std::size_t>(
      std::ranges::count_if(points, [](const PastPoint& one) { return one.failures > 0; }));
}

std::string summary_of(const std::vector<PastPoint>& points) {
  return fmt::format("failures in {} of {}; {} of {} calls in the last", runs_that_failed(points),
                     counted(points.size(), "run", "runs"), points.back().failures, points.back().calls);
}

/// A rectangle of a path.
std::string piece(double x, double y, double height) {
  return fmt::format("M{} {:.1f}h{}v{:.1f}h-{}z", x, y, column_width, height, column_width);
}

std::string all_runs(const Past& past) {
  std::string rows;
  for (std::size_t i = 0; i < past.runs.size(); ++i) {
    const PastRun& run = past.runs[i];
    rows += fmt::format(
        "<tr id=\"run/{}\"><th "
        "scope=\"row\"><code>{}</code>{}</th><td>{}</td><td><code>{}</code></td></tr>\n",
        html_anchor(run.run), html_text(run.run.substr(0, 12)),
        i + 1 == past.runs.size() ? " (this run)" : "", html_text(run.started),
        html_text(run.command_line, longest_line_shown));
  }
  return "<h3>Runs</h3>\n" + html_table("Runs", "wide", {"run", "started", "command"}, rows);
}

}  // namespace

std::string sparkline(const Past& past, const std::vector<PastPoint>& points) {
  const double step = column_width + between_columns;
  std::string good, bad, words, version;
  for (const PastPoint& one : points) {
    const double x = static_cast<double>(one.run) * step;
    const double share =
        one.calls == 0 ? 0 : static_cast<double>(one.failures) / static_cast<double>(one.calls);
    const double failed = one.failures == 0 ? 0 : std::max(least_seen, share * spark_height);
    if (failed < spark_height) good += piece(x, failed, spark_height - failed);
    if (failed > 0) bad += piece(x, 0, failed);
    words += fmt::format("{}{}{}: {} of {}", words.empty() ? "Failed calls by run: " : ", ",
                         html_text(day_of(past.runs[one.run])),
                         one.version == version ? "" : " (" + html_text(one.version) + ")", one.failures,
                         one.calls);
    version = one.version;
  }
  return fmt::format(
      "<svg class=\"spark\" role=\"img\" width=\"{}\" height=\"{}\"><title>{}</title><desc>{}</desc><path "
      "class=\"ok\" "
      "d=\"{}\"></path><path class=\"bad\" d=\"{}\"></path></svg>",
      static_cast<double>(past.runs.size()) * step, spark_height, summary_of(points), words, good, bad);
}

std::string since_when(const Past& past, const std::vector<PastPoint>& points, const std::string& page) {
  const auto is_bad = [](const PastPoint& one) { return one.failures > 0; };
  const bool fails = is_bad(points.back());
  // The last run in which it was otherwise, and the one after.
  const auto before = std::find_if(points.rbegin(), points.rend(),
                                   [&](const PastPoint& one) { return is_bad(one) != fails; });
  if (before == points.rend())
    return fails ? fmt::format("Fails in all {} that judged it.", counted(points.size(), "run", "runs"))
                 : fmt::format("No failure in {}.", counted(points.size(), "run", "runs"));
  return fmt::format("{} since {}; did {} in {}. Failed in {} of {}.", fails ? "Fails" : "Does not fail",
                     run_words(past, *std::prev(before), page), fails ? "not" : "fail",
                     run_words(past, *before, page), runs_that_failed(points),
                     counted(points.size(), "run", "runs"));
}

std::string past_section(const Past& past, std::size_t most) {
  if (past.runs.size() < 2) return "";
  const std::string runs = all_runs(past);
  std::string rows;
  std::size_t never = 0, left_out = 0;
  for (const auto& [place, points] : past.rows) {
    if (runs_that_failed(points) == 0) {
      ++never;
      continue;
    }
    left_out +=
        !append_within(rows, most - std::min(most, runs.size()),
                       fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                                   html_name(place.first), html_name(place.second), sparkline(past, points),
                                   since_when(past, points, "")));
  }
  std::string text = fmt::format(
      "<section aria-labelledby=\"past\">\n<h2 id=\"past\">Earlier runs</h2>\n<p>The last {} in the history, "
      "the oldest at the left. A column is a run: at its top the share of calls that failed, whether a "
      "baseline "
      "describes them or not. A gap: nothing was judged.</p>\n{}<p>{} of API and engine never failed.</p>\n",
      counted(past.runs.size(), "run", "runs"),
      html_table("Since when", "wide past", {"API", "engine", "runs", "since when"}, rows),
      counted(never, "pair", "pairs"));
  if (left_out > 0)
    text += fmt::format("<p class=\"cut\">Cut to keep the page small: {} not shown.</p>\n",
                        counted(left_out, "pair is", "pairs are"));
  return text + runs + "</section>\n";
}

}  // namespace scatterproof::reports
