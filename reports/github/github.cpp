// SPDX-License-Identifier: Apache-2.0
// GitHub Actions: workflow commands that annotate the lines of failing cases, and, where a step has a summary
// (GITHUB_STEP_SUMMARY), the run in Markdown appended to it.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <ostream>
#include <utility>

#include "markdown/digest.hpp"
#include "scatterproof/reports/reporter.hpp"

namespace scatterproof::reports {
namespace {

constexpr std::size_t most_annotations = 10;           // GitHub shows no more of one type from one step
constexpr std::size_t longest_annotation = 1000;       // bytes of its message
constexpr std::size_t longest_step_summary = 1000000;  // GitHub takes 1 MiB from a step

/// What would end a command, or one of its properties.
std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) switch (c) {
      case '%':
        out += "%25";
        break;
      case '\r':
        out += "%0D";
        break;
      case '\n':
        out += "%0A";
        break;
      case ':':
        out += property ? "%3A" : ":";
        break;
      case ',':
        out += property ? "%2C" : ",";
        break;
      default:
        out += c;
    }
  return out;
}

/// A path as seen from a folder; empty: it does not lie in it.
std::string path_within(const std::string& file, const std::string& folder) {
  namespace fs = std::filesystem;
  const fs::path inner =
      fs::absolute(file).lexically_normal().lexically_relative(fs::absolute(folder).lexically_normal());
  return inner.empty() || *inner.begin() == ".." ? "" : inner.generic_string();
}

/// The repository that the step is about.
std::string repository() {
  const char* const workspace = std::getenv("GITHUB_WORKSPACE");
  return workspace && *workspace ? workspace : std::filesystem::current_path().string();
}

class GitHub final : public Reporter {
 public:
  GitHub(std::ostream& out, std::string data) : out_(out), data_(std::move(data)) {}

  void run_started(const spec::Header& header) override { run_.run_started(header); }
  void call_judged(const spec::Record& record) override { run_.call_judged(record); }
  void run_finished(const spec::Trailer& trailer) override {
    annotate_failures(trailer);
    annotate_stale(trailer);
    for (const spec::FailedGate& gate : trailer.gates)
      annotate("error", "", 0, "gate " + gate.gate, gate.text);
    append_summary(trailer);
    out_.flush();
  }

 private:
  /// GitHub shows lines of the repository only. Shipped files are not in it, wherever they are installed.
  void annotate(std::string_view type, const std::string& path, int line, const std::string& title,
                const std::string& message) {
    const bool is_shipped = path.empty() || (!data_.empty() && !path_within(path, data_).empty());
    const std::string file = is_shipped ? "" : path_within(path, repository());
    std::string where;
    if (!file.empty()) where += fmt::format("file={},", escaped(printable(file), true));
    if (!file.empty() && line > 0) where += fmt::format("line={},", line);
    out_ << fmt::format("::{} {}title={}::{}\n", type, where, escaped(capped(printable(title), 200), true),
                        escaped(capped(printable(message), longest_annotation), false));
  }

  /// One for each group, the worst first; the last one counts the groups for which there is no room.
  void annotate_failures(const spec::Trailer& trailer) {
    const std::vector<Failures::Group> groups = run_.failures().groups();
    const bool whole = !trailer.interrupted && !trailer.ended.empty();
    std::size_t room = most_annotations;
    if (!whole) {
      annotate("error", "", 0, "scatterproof: the run is not whole", run_.concluded(trailer).sentence);
      --room;
    }
    const std::size_t shown = groups.size() <= room ? groups.size() : room - 1;
    for (std::size_t i = 0; i < shown; ++i) annotate(groups[i]);
    if (shown == groups.size()) return;
    std::size_t records = 0;
    for (std::size_t i = shown; i < groups.size(); ++i) records += records_in(groups[i]);
    annotate(
        "error", "", 0, fmt::format("scatterproof: {} more groups of failures", groups.size() - shown),
        fmt::format("{} in {} more groups: GitHub shows {} annotations of a step. The step summary has more.",
                    counted(records, "failure", "failures"), groups.size() - shown, most_annotations));
  }

  void annotate(const Failures::Group& group) {
    const FailureText failure = run_.failures().read(group);
    const spec::Record& record = failure.first;
    std::string engines;
    for (const auto& [engine, reproduce] : failure.engines) engines += (engines.empty() ? "" : ", ") + engine;
    std::string message = fmt::format("{} on {}", record.id, capped(printable(engines), 200));
    if (group.size() > 1)
      message += fmt::format(", and {}", counted(group.size() - 1, "similar case", "similar cases"));
    message += fmt::format("\n{}\n{}", cause(record), failure.engines.front().second);
    // What expired is to be repaired, or given another day, in the baseline.
    const bool expired = record.disposition == spec::Disposition::expired && !record.known_file.empty();
    annotate("error", expired ? record.known_file : record.file, expired ? record.known_line : record.line,
             fmt::format("{} {}: {}", record.api, name(record.verdict), cause(record)), message);
  }

  void annotate_stale(const spec::Trailer& trailer) {
    const std::size_t all = trailer.stale.size();
    const std::size_t shown = all <= most_annotations ? all : most_annotations - 1;
    for (std::size_t i = 0; i < shown; ++i) {
      const spec::StaleEntry& entry = trailer.stale[i];
      annotate("warning", entry.file, entry.line, "stale baseline entry", entry.text);
    }
    if (shown < all)
      annotate("warning", "", 0, "stale baseline entries", fmt::format("{} more are stale", all - shown));
  }

  void append_summary(const spec::Trailer& trailer) {
    const char* const path = std::getenv("GITHUB_STEP_SUMMARY");
    if (path == nullptr || *path == '\0') return;
    std::ofstream summary(path, std::ios::binary | std::ios::app);
    summary << digest(run_, trailer, longest_step_summary);
    summary.close();
    if (!summary)
      annotate("warning", "", 0, "scatterproof", fmt::format("cannot write the step summary {}", path));
  }

  std::ostream& out_;
  std::string data_;
  Overview run_;
};

}  // namespace

std::unique_ptr<Reporter> make_github(std::ostream& out, const Style& style) {
  return std::make_unique<GitHub>(out, style.data);
}

}  // namespace scatterproof::reports
