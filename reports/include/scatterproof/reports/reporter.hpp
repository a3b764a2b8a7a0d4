// SPDX-License-Identifier: Apache-2.0
// A report is a listener to the stream of a run. Events default to nothing: a new report shows what it cares
// about.
#pragma once

#include <filesystem>
#include <ios>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scatterproof/reports/past.hpp"
#include "scatterproof/spec/record/record.hpp"
#include "scatterproof/spec/record/stream_file.hpp"
#include "scatterproof/spec/record/timing.hpp"

namespace scatterproof::reports {

class Reporter {
 public:
  virtual ~Reporter() = default;
  /// In addition to the run, at any time before it is finished: earlier runs, and a benchmark.
  virtual void past_known(const Past&) {}
  virtual void timed(const spec::TimingRun&) {}
  virtual void run_started(const spec::Header&) {}
  virtual void call_judged(const spec::Record&) {}
  virtual void run_finished(const spec::Trailer&) {}
};

struct Style {
  bool colour = false;
  int width = 80;
  int verbosity = 0;
  bool in_actions =
      false;  ///< the output is the log of a step of GitHub Actions, which is searched for commands
  std::string data = {};  ///< the folder of what is shipped: none of its files is the user's
};

/// The reports there are, by name.
std::vector<std::string> kinds();

/// A folder that holds one report and nothing else. It lists its files, so that a later report can replace an
/// earlier one without touching other files.
class Folder {
 public:
  static constexpr const char* list_of_files = "report-files.txt";
  static bool holds_other_files(const std::filesystem::path& path);

  /// Removes the files of an earlier report. Precondition: the folder exists and holds no other files.
  explicit Folder(std::filesystem::path path);
  void write(const std::string& name, std::string_view text);
  /// The first file that could not be written whole; empty when all could.
  const std::string& failed() const { return failed_; }

 private:
  void put(const std::string& name, std::string_view text, std::ios::openmode how);

  std::filesystem::path path_;
  std::string failed_;
};

/// Whether reports of this kind are folders of files.
bool is_folder(const std::string& kind);

/// A reporter writing to `out`, which must outlive it; nullptr for an unknown kind, and for one that is a
/// folder.
std::unique_ptr<Reporter> make_reporter(const std::string& kind, std::ostream& out, const Style& style);
/// A reporter writing to `folder`, which must outlive it; nullptr for a kind that is not a folder.
std::unique_ptr<Reporter> make_reporter(const std::string& kind, Folder& folder, const Style& style);

/// Feeds a whole run to a reporter. When the stream was cut off, run_finished gets a trailer whose `ended` is
/// empty.
void replay(const spec::Run& run, Reporter& reporter);
/// The same for a run that need not fit into memory. After an error the reporter is not told that the run is
/// finished.
spec::Errors replay(const spec::StoredRun& run, Reporter& reporter);

}  // namespace scatterproof::reports
