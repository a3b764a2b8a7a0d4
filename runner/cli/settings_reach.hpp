// SPDX-License-Identifier: Apache-2.0
// What a value of a settings file starts, reads or writes beyond the repository: its user has to approve that
// (docs/use/settings.md, "Trust").
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace scatterproof::runner::cli {

/// How `reach_of` begins where a program is started.
inline constexpr const char* program_reach = "starts a program";

/// The root of the repository that contains a folder: the folder itself or the nearest above that has `.git`.
/// Empty: there is none.
std::string repository_of(const std::string& folder);

/// What a value reaches, by the kind of its option (`ENGINE`, `FILE`, `KIND=PATH`, ..): `starts a program:
/// cmd:./w`, `is outside of the repository: /etc/x`, `connects to a server`. The `.git` of the repository
/// counts as outside: files there are executed. Empty: nothing.
std::string reach_of(const std::string& kind, const std::string& value, const std::string& root);

/// Whether the verb judges calls, and so may start programs that a file names.
bool judges(const CLI::App& verb);

}  // namespace scatterproof::runner::cli
