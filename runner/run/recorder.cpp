// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/run/recorder.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace scatterproof::runner {

spec::Result<Recorder> Recorder::open(const std::string& path, const engines::EngineInfo& engine) {
  auto lock = FileLock::take(path);
  if (!lock) return lock.errors();
  Recorder recorder;
  recorder.path_ = path;
  recorder.lock_ = std::move(lock).value();
  recorder.file_.open(path, std::ios::binary | std::ios::trunc);
  if (!recorder.file_)
    return spec::Error{.file = path,
                       .what = fmt::format("cannot write the recording: {}", std::strerror(errno))};
  recorder.file_ << engines::header_line(engine) << std::flush;
  return recorder;
}

// Flushed line by line: whatever ends this process, what came before is in the file.
void Recorder::answered(const spec::Case& one, const spec::Outcome& outcome) {
  file_ << engines::call_line(one.id, one.call, outcome) << std::flush;
}

spec::Errors Recorder::failed() const {
  if (file_.good()) return {};
  return {{.file = path_, .what = "the recording could not be written completely"}};
}

}  // namespace scatterproof::runner
