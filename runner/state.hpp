// SPDX-License-Identifier: Apache-2.0
// Where runs keep their streams when the user names no file, so that nothing is lost when a process dies.
#pragma once

#include <string>

namespace scatterproof::runner {

/// A new file name under $XDG_STATE_HOME/scatterproof/runs (or ~/.local/state); older streams than the last
/// ten are removed. Empty when there is no place to write.
std::string new_stream_path();

}  // namespace scatterproof::runner
