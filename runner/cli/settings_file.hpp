// SPDX-License-Identifier: Apache-2.0
// scatterproof.yaml and the built-in profiles: read, checked against the tree of verbs, and put in order.
#pragma once

#include <CLI/App.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scatterproof/runner/cli/cli.hpp"
#include "scatterproof/spec/yaml/yaml.hpp"

namespace scatterproof::runner::cli {

/// The value that a file gives an option.
struct OptionSetting {
  CLI::Option* option = nullptr;
  std::string name;                 ///< the option's, without dashes
  std::vector<std::string> values;  ///< as on the command line; empty: a flag that is not set
  spec::Position at;
  std::string reach = {};  ///< what it reaches beyond the repository (settings_reach.hpp); empty: nothing
};

/// What one place says of the options of commands.
struct SettingsLayer {
  std::shared_ptr<const spec::yaml::Document> document;
  std::string profile;                                         ///< empty: it holds for every profile
  std::map<std::string, std::vector<OptionSetting>> commands;  ///< by command: `run`, `spec coverage`
};

/// The settings in force, whatever the command line says.
struct SettingsFiles {
  std::string file;                   ///< the user's; empty: there is none
  std::string profile;                ///< empty: none
  std::vector<SettingsLayer> layers;  ///< the strongest first
  std::string content;                ///< of `file`, as it was read
};

/// The `run`, `spec coverage` of a verb.
std::string command_name(const CLI::App& verb);
/// Whether a file may set this option: not those that say which file it is.
bool is_settable(const CLI::Option& option);

/// The scatterproof.yaml in the working directory, or above it up to the root of the repository; outside of a
/// repository only in the working directory, so that a stranger's file in a shared folder is not used. Empty:
/// there is none. Errors: it belongs neither to the user nor to root, or others can write to it.
spec::Result<std::string> settings_file_here();

/// Reads the file that --config or SCATTERPROOF_CONFIG names, or else scatterproof.yaml in the working
/// directory or a folder above it, up to the root of the repository. All of the file is checked, whatever
/// profile is in force; files that options name need not exist. The options of the layers are those of `app`.
spec::Result<SettingsFiles> read_settings(CLI::App& app, const Context& context);

/// A file alone, with a layer for what holds always and one for each of its profiles.
spec::Result<SettingsFiles> read_whole_settings(CLI::App& app, const std::string& path);

}  // namespace scatterproof::runner::cli
