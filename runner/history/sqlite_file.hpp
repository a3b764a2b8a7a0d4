// SPDX-License-Identifier: Apache-2.0
// How a file is opened with SQLite, in the words of SOCI.
#pragma once

#include <string>

namespace scatterproof::runner::history {

/// To read and write; a file that is not there is made.
std::string opened_to_write(const std::string& path);
/// For reading, while others may write it. SQLite may still put files of its own next to it, and tidy up in
/// it what a killed process has left.
std::string opened_to_read(const std::string& path);
/// For reading without changing a byte of it or of its folder. Concurrent writers may make it look damaged.
std::string opened_to_look(const std::string& path);

/// Whether this process may write the file, and files next to it.
bool is_writable(const std::string& path);
/// Whether files next to it hold what is not in it yet: of a process that is writing it, or was killed.
bool has_pending_writes(const std::string& path);

}  // namespace scatterproof::runner::history
