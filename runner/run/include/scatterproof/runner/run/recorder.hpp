// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <string>

#include "scatterproof/engines/recorded/recording.hpp"
#include "scatterproof/runner/files/file_lock.hpp"
#include "scatterproof/spec/cases/case.hpp"
#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::runner {

/// Writes the answers of an engine into a recording, each as soon as it is there.
class Recorder {
 public:
  /// Errors: the file cannot be written, or another run is writing it.
  static spec::Result<Recorder> open(const std::string& path, const engines::EngineInfo& engine);

  void answered(const spec::Case& one, const spec::Outcome& outcome);

  /// The error, if something could not be written.
  spec::Errors failed() const;

 private:
  std::string path_;
  FileLock lock_;
  std::ofstream file_;
};

}  // namespace scatterproof::runner
