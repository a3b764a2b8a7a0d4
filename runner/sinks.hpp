// SPDX-License-Identifier: Apache-2.0
// Several reports of one run at once, each with its own file.
#pragma once

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "scatterproof/reports/reporter.hpp"
#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::runner {

class Sinks : public reports::Reporter {
 public:
  /// Opens a reporter for each `KIND=PATH` (`-` is stdout), and the console on stdout when asked.
  static spec::Result<std::unique_ptr<Sinks>> open(const std::vector<std::string>& wanted, bool console,
                                                   const reports::Style& style);

  void run_started(const spec::Header& header) override;
  void call_judged(const spec::Record& record) override;
  void run_finished(const spec::Trailer& trailer) override;

  /// A sentence naming the first report that could not be written whole; empty when all could.
  std::string failed() const;

 private:
  struct Sink {
    std::string path;
    std::unique_ptr<std::ofstream> file;  ///< null: stdout
    std::unique_ptr<reports::Reporter> reporter;
  };
  std::vector<Sink> sinks_;
};

}  // namespace scatterproof::runner
