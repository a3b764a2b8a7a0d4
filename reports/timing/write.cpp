// SPDX-License-Identifier: Apache-2.0
// The summary and its plots, as files.
#include <fstream>
#include <system_error>

#include "plots.hpp"
#include "scatterproof/reports/timing.hpp"
#include "summary.hpp"

namespace scatterproof::reports {

spec::Result<std::vector<std::filesystem::path>> write_timing_reports(const spec::TimingRun& run,
                                                                      const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    return spec::Error{.file = folder.string(), .what = "cannot make the folder: " + failed.message()};
  const std::vector<Figures> all = figures_of(run);
  std::vector<Plot> plots = bandwidth_plots(run.machine, all);
  for (Plot& plot : floor_plots(all)) plots.push_back(std::move(plot));

  std::vector<std::filesystem::path> written;
  const auto write = [&](const std::string& name, const std::string& text) {
    written.push_back(folder / name);
    std::ofstream file(written.back(), std::ios::binary);
    file << text;
    file.close();
    return file.good();
  };
  bool good = write("summary.md", summary(run, all, plots));
  for (const Plot& plot : plots) good = good && write(plot.file, plot.svg);
  if (!good) return spec::Error{.file = written.back().string(), .what = "cannot write the report"};
  return written;
}

}  // namespace scatterproof::reports
