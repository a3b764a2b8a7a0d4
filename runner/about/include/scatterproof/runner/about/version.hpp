// SPDX-License-Identifier: Apache-2.0
// The versions this program is made of, for --version and for the header of a run.
#pragma once

#include <map>
#include <string>

namespace scatterproof::runner {

std::string tool_version();                             ///< `0.1.0`
std::map<std::string, std::string> libraries();         ///< name -> version, compiler included
std::string version_text(const std::string& revision);  ///< for --version, one library a line
std::string machine();                                  ///< CPU model, cores, kernel
std::string host_name();
std::string utc_now();  ///< ISO 8601, seconds

}  // namespace scatterproof::runner
