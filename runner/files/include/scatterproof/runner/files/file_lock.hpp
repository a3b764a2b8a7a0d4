// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::runner {

/// Keeps others from writing a file for as long as it lives (flock: gone with the process, whatever ends it).
class FileLock {
 public:
  /// Creates the file if there is none, and leaves its content as it is. Errors: another process, or another
  /// lock of this one, has it. A file that is not regular (a pipe, a terminal) is not locked.
  static spec::Result<FileLock> take(const std::string& path);

 private:
  std::shared_ptr<const int> descriptor_;
};

}  // namespace scatterproof::runner
