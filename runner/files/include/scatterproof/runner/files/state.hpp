// SPDX-License-Identifier: Apache-2.0
// Where runs keep their streams when the user names no file, so that nothing is lost when a process dies.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::runner {

/// A new file name under $XDG_STATE_HOME/scatterproof/runs (or ~/.local/state). Old streams are removed so
/// that the newest ten, with it, are left. Empty when neither variable is set; errors: the folder cannot be
/// written.
spec::Result<std::string> new_stream_path();

/// $XDG_STATE_HOME/scatterproof or ~/.local/state/scatterproof; empty when neither variable is set.
std::string state_folder();

/// $XDG_CACHE_HOME/scatterproof or ~/.cache/scatterproof, for what can be made again; empty likewise.
std::string cache_folder();

/// The streams that runs keep in the folder of state, the newest first.
std::vector<std::string> kept_streams();

/// Of these, those of runs in the present working folder: another folder's run has other failures.
std::vector<std::string> kept_streams_here();

}  // namespace scatterproof::runner
