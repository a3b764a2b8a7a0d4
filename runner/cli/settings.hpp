// SPDX-License-Identifier: Apache-2.0
// Values of options that were not typed: from the environment, a settings file, or the defaults
// (docs/use/settings.md).
#pragma once

#include <CLI/App.hpp>
#include <optional>

#include "scatterproof/runner/cli/cli.hpp"

namespace scatterproof::runner::cli {

/// Whether the verb works by settings: not one that is about the program itself.
bool takes_settings(const CLI::App& verb);

/// `--config` and `--profile`.
void add_settings_flags(CLI::App& verb, Context& context);
/// `--show-config`.
void add_show_config(CLI::App& verb, Context& context);

/// Gives the options of `verb` that were neither typed nor set in the environment the values of the settings
/// in force. Call it between parsing and the verb's work. Returns the exit code, if there is nothing more to
/// do: a file is wrong, which has been reported, or --show-config was answered.
std::optional<int> apply_settings(CLI::App& app, CLI::App& verb, const Context& context);

}  // namespace scatterproof::runner::cli
