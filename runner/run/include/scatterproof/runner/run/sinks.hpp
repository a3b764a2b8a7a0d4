// SPDX-License-Identifier: Apache-2.0
// Several reports of one run at once, each with its own file.
#pragma once

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "scatterproof/reports/reporter.hpp"
#include "scatterproof/runner/files/file_lock.hpp"
#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::runner {

class Sinks : public reports::Reporter {
 public:
  /// Opens a reporter for each `KIND=PATH` (`-` is stdout; for some kinds PATH is a folder), and the console
  /// on stdout if requested.
  static spec::Result<std::unique_ptr<Sinks>> open(const std::vector<std::string>& wanted, bool console,
                                                   const reports::Style& style);

  /// Adds a stream that was not requested: its errors do not fail a run.
  spec::Errors keep_stream(const std::string& path);

  void past_known(const reports::Past& past) override;
  void timed(const spec::TimingRun& run) override;
  void run_started(const spec::Header& header) override;
  void call_judged(const spec::Record& record) override;
  void run_finished(const spec::Trailer& trailer) override;

  /// A sentence naming the reports that could not be written whole; empty when all could.
  std::string failed() const;
  /// The same for the stream of keep_stream.
  std::string failed_to_keep() const;

 private:
  struct Sink {
    std::string path;
    bool asked_for = true;  ///< by the user
    FileLock lock;
    std::unique_ptr<std::ofstream> file;  ///< null: stdout, or a folder
    std::unique_ptr<reports::Folder> folder;
    std::unique_ptr<reports::Reporter> reporter;
  };
  spec::Errors add(const std::string& kind, const std::string& path, bool asked_for,
                   const reports::Style& style);
  spec::Errors open_folder(const std::string& kind, Sink sink, const reports::Style& style);
  std::string failed(bool asked_for) const;
  static bool is_whole(const Sink& sink);
  /// Removes the files with nothing in them, of all reports or of those that could not be written.
  void remove_empty(bool all);

  std::vector<Sink> sinks_;
};

}  // namespace scatterproof::runner
