// SPDX-License-Identifier: Apache-2.0
// The help of one verb as data. The printed help, the manual pages and the completion are made from it.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "scatterproof/runner/cli/cli.hpp"

namespace scatterproof::runner::cli {

/// One option, argument or verb: `-j, --jobs N`, and what it means with its default and values.
struct HelpEntry {
  std::string name;
  std::string what;
};

struct Section {
  std::string title;
  std::vector<HelpEntry> entries;
};

struct HelpPage {
  std::string command = {};  ///< `scatterproof engines new`
  std::string purpose = {};
  std::string usage = {};
  std::vector<Example> examples = {};
  std::vector<Section> sections = {};  ///< arguments, verbs, options by their group
};

HelpPage page_of(const CLI::App& verb);

/// The words in lines of at most `width` columns; each line but the first one begins with `indent` blanks,
/// where the first one is taken to begin.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t width);

/// In capitals: how help and manual pages write the names of arguments and headings.
std::string upper(std::string text);

/// The folder of the pages, with recipes for CI; empty where it is not installed.
std::string pages_folder(const engines::Places& places);

/// As --help prints it, for a terminal this wide.
std::string help_text(const HelpPage& page, int width, const engines::Places& places);

/// What stands for an option's value, `WHEN`; empty for a flag.
std::string value_name(const CLI::Option& option);
/// The values there are, as declared by only_values; empty when any will do.
std::vector<std::string> values_of(const CLI::Option& option);
/// `-e`, `--engine`.
std::vector<std::string> names_of(const CLI::Option& option);
std::vector<const CLI::Option*> positionals_of(const CLI::App& verb);
/// The verbs below this one, in the order they were added.
std::vector<const CLI::App*> verbs_of(const CLI::App& parent);

}  // namespace scatterproof::runner::cli
