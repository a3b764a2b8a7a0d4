// SPDX-License-Identifier: Apache-2.0
// Recordings: the calls that were made of an engine, and what came back (docs/formats/recording-format.md).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::engines {

inline constexpr int recording_version = 1;

/// One call and what came back.
struct RecordedCall {
  std::string from;  ///< where the call comes from: a case's id, a test's name; may be empty
  spec::Call call;   ///< the arguments that were given; what was left out is not there
  spec::Outcome outcome;
};

struct Recording {
  EngineInfo engine;  ///< `name` is what it was called when it was recorded
  std::vector<RecordedCall> calls;
  bool cut_off = false;  ///< its last line is not whole, and is left out
};

/// The lines of a recording, each with its newline: the first, and one for each call.
std::string header_line(const EngineInfo& engine);
std::string call_line(const std::string& from, const spec::Call& call, const spec::Outcome& outcome);

/// Errors name the line. A last line that was cut off is none.
spec::Result<Recording> read_recording(const std::string& path);

/// An engine named `name` that answers as the recording does. A call that is recorded several times gets its
/// outcomes in turn; a call that is not in the recording is unsupported.
spec::Result<std::unique_ptr<Engine>> make_recorded_engine(const std::string& name, const std::string& path);

}  // namespace scatterproof::engines
