// SPDX-License-Identifier: Apache-2.0
#include "html/performance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <pugixml.hpp>
#include <set>
#include <sstream>

#include "html/markup.hpp"
#include "html/page.hpp"
#include "overview.hpp"
#include "scatterproof/reports/timing.hpp"
#include "timing/columns.hpp"
#include "timing/plots.hpp"

namespace scatterproof::reports {
namespace {

constexpr std::size_t most_of_a_timing_page = 4'800'000;  // bytes, without style and script

/// A plot as an element of a page, which has the plots' style.
std::string element_of(const Plot& plot) {
  pugi::xml_document document;
  document.load_string(plot.svg.c_str());
  pugi::xml_node svg = document.child("svg");
  svg.remove_child("style");
  std::ostringstream out;
  document.save(out, "", pugi::format_raw | pugi::format_no_declaration | pugi::format_no_empty_element_tags,
                pugi::encoding_utf8);
  return fmt::format(
      "<div class=\"scroll plot\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n{}\n</div>\n",
      html_text(plot.title), out.str());
}

std::string entry_of(const TableEntry& entry) {
  constexpr std::array<const char*, 4> tones = {"", " class=\"good\"", " class=\"bad\"", " class=\"unsure\""};
  return fmt::format("<td{}>{}</td>", tones[static_cast<std::size_t>(entry.tone)], html_text(entry.text));
}

/// The same columns as on a terminal.
std::string numbers_of(const Benchmark& benchmark) {
  const std::vector<TableColumn> columns = columns_for(benchmark);
  std::vector<std::string> heads = {"row", "engine"};
  for (const TableColumn& column : columns) heads.push_back(on_one_line(column.head));
  std::string rows;
  for (const RowRecords& block : benchmark.blocks)
    for (const Figures& line : block.lines) {
      rows +=
          fmt::format("<tr><th scope=\"row\">{}{}</th><td>{}</td>", html_text(short_row(benchmark, block)),
                      block.in_place ? "" : ", out of place", html_text(line.record.engine));
      if (line.times)
        for (const TableColumn& column : columns) rows += entry_of(column.entry(line));
      else
        rows += fmt::format("<td colspan=\"{}\">{}</td>", columns.size(), html_text(untimed(line.record)));
      rows += "</tr>\n";
    }
  const std::string label = "The numbers of " + benchmark.name;
  return fmt::format("<details><summary>{}</summary>\n<div class=\"body\">\n{}</div>\n</details>\n",
                     html_text(label), html_table(label, "numbers", heads, rows));
}

std::string machine_of(const spec::TimingRun& run) {
  std::string text =
      fmt::format("<h3>Measured {}</h3>\n<p>On {} with {}.</p>\n<table>\n", html_text(run.machine.when),
                  html_text(run.machine.cpu),
                  counted(static_cast<std::size_t>(std::max(run.machine.cores, 0)), "core", "cores"));
  bool head = true;
  for (const Line& line : machine_lines(run.machine)) {
    text += head ? "<thead><tr>" : "<tr>";
    for (std::size_t i = 0; i < line.size(); ++i)
      text += head || i == 0
                  ? fmt::format("<th scope=\"{}\">{}</th>", head ? "col" : "row", html_text(line[i].text))
                  : entry_of(line[i]);
    text += head ? "</tr></thead>\n<tbody>\n" : "</tr>\n";
    head = false;
  }
  return text + "</tbody>\n</table>\n";
}

std::vector<Plot> plots_of(const spec::TimingRun& run, const std::vector<Figures>& all) {
  std::vector<Plot> plots = floor_plots(all);
  for (Plot& plot : bandwidth_plots(run.machine, all)) plots.push_back(std::move(plot));
  return plots;
}

}  // namespace

std::string performance_section(const std::vector<spec::TimingRun>& runs, std::size_t most) {
  if (runs.empty()) return "";
  std::string text =
      "<section aria-labelledby=\"performance\">\n<h2 id=\"performance\">Performance</h2>\n<p>Only calls "
      "whose result "
      "was right have times. The floor is the least time in which the machine can move the bytes of a "
      "row.</p>\n";
  std::size_t left_out = 0;
  const auto add = [&](const std::string& piece) { left_out += !append_within(text, most, piece); };
  for (const Plot& plot : spread_plots(runs)) add(element_of(plot));
  for (const spec::TimingRun& run : runs) {
    const std::vector<Figures> all = figures_of(run);
    add(machine_of(run));
    for (const Plot& plot : plots_of(run, all)) add(element_of(plot));
    for (const Benchmark& benchmark : benchmarks_in(all)) add(numbers_of(benchmark));
  }
  if (left_out > 0)
    text += fmt::format("<p class=\"cut\">Cut to keep the page small: {} not shown.</p>\n",
                        counted(left_out, "plot or table is", "plots or tables are"));
  return text + "</section>\n";
}

void write_timing_page(std::ostream& out, const std::vector<spec::TimingRun>& runs,
                       const std::string& tool_version) {
  std::set<std::string> rows, engines;
  for (const spec::TimingRun& run : runs)
    for (const spec::TimingRecord& record : run.records) {
      rows.insert(record.row);
      engines.insert(record.engine);
    }
  const std::string title = fmt::format("Times of {} on {}", counted(rows.size(), "row", "rows"),
                                        counted(engines.size(), "engine", "engines"));
  out << single_file_page(
      title + " - scatterproof", tool_version,
      fmt::format("<header>\n<h1>{}</h1>\n<p>scatterproof {}</p>\n</header>\n<main>\n{}</main>\n", title,
                  html_text(tool_version), performance_section(runs, most_of_a_timing_page)),
      "");
  out.flush();
}

}  // namespace scatterproof::reports
