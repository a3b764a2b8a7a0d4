// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>

#include "options.hpp"
#include "scatterproof/runner/cli/cli.hpp"
#include "scatterproof/runner/run/progress.hpp"
#include "scatterproof/spec/core/text.hpp"
#include "scatterproof/spec/record/engine_name.hpp"
#include "settings.hpp"

namespace scatterproof::runner::cli {

void say(const std::string& line) {
  Progress::wipe_line();
  std::fputs((spec::hanging(line, 2) + '\n').c_str(), stderr);
}

void print_errors(const spec::Errors& errors) {
  Progress::wipe_line();
  std::fputs(spec::to_string(errors).c_str(), stderr);
}

int usage_error(const spec::Errors& errors) {
  print_errors(errors);
  return usage;
}

spec::Errors write_file(const std::string& path, const std::function<std::string()>& make) {
  if (path.empty()) return {};
  std::ofstream file(path);
  file << make();
  file.close();
  if (file) return {};
  return {{.file = path, .what = "cannot be written"}};
}

std::vector<engines::EngineListing> installed_releases(const engines::Places& places) {
  const std::vector<std::string> own = engines::built_in_engines();
  std::vector<engines::EngineListing> releases = engines::list_engines(places);
  std::erase_if(releases, [&](const engines::EngineListing& listing) {
    return !listing.installed || std::ranges::find(own, listing.name) != own.end();
  });
  return releases;
}

std::vector<std::string> installed_frameworks(const engines::Places& places) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const engines::EngineListing& release : installed_releases(places))
    if (seen.insert(spec::without_release(release.name)).second) names.push_back(release.name);
  return names;
}

namespace {

bool wants_colour(const Context& context) {
  if (context.color != "auto") return context.color == "always";
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return value && *value;
  };
  if (set("NO_COLOR")) return false;
  if (set("CLICOLOR_FORCE") || set("FORCE_COLOR")) return true;
  const char* term = std::getenv("TERM");
  return isatty(STDOUT_FILENO) && term && std::string_view(term) != "dumb";
}

}  // namespace

reports::Style terminal_style(const Context& context) {
  reports::Style style;
  style.colour = wants_colour(context);
  style.data = context.places.data;
  const char* actions = std::getenv("GITHUB_ACTIONS");
  style.in_actions = actions && std::string_view(actions) == "true";
  winsize size{};
  const char* columns = std::getenv("COLUMNS");
  if (const int width = columns ? std::atoi(columns) : 0; width > 0)
    style.width = width;
  else if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    style.width = size.ws_col;
  return style;
}

spec::Result<spec::FamilyLibrary> load_families(const engines::Places& places) {
  return spec::FamilyLibrary::load(places.data + "/spec/data/families");
}

spec::Result<spec::FamilyComparison> load_comparison(const engines::Places& places,
                                                     const spec::FamilyLibrary& families,
                                                     const spec::Family& family) {
  return spec::load_comparison(places.data + "/spec/data/comparisons", families, family);
}

spec::Result<std::vector<spec::FamilyComparison>> load_comparisons(const engines::Places& places,
                                                                   const spec::FamilyLibrary& families) {
  std::vector<spec::FamilyComparison> all;
  for (const spec::Family& family : families.all()) {
    auto one = load_comparison(places, families, family);
    if (!one) return one.errors();
    all.push_back(std::move(one).value());
  }
  return all;
}

spec::Result<std::unique_ptr<engines::Engine>> find_engine(const std::string& name,
                                                           const spec::SpecLibrary& specs,
                                                           const engines::Places& places) {
  // pip's way to name a version; `engines install` takes it too, so that a slip is likely.
  if (const auto equals = name.find("=="); equals != std::string::npos && name.find(':') == std::string::npos)
    return spec::Error{
        .what = fmt::format("unknown engine '{}'", name),
        .hint = spec::did_you_mean(fmt::format("{}@{}", name.substr(0, equals), name.substr(equals + 2)))};
  std::error_code ignored;
  if (name.ends_with(".so") && name.find(':') == std::string::npos && std::filesystem::exists(name, ignored))
    return spec::Error{.what = fmt::format("unknown engine '{}'", name),
                       .hint = spec::did_you_mean("so:" + name)};
  return engines::make_engine(name, specs, places);
}

void note_interpreter(const std::string& engine, const engines::Places& places) {
  if (const std::string python = engines::interpreter_without(engine, places); !python.empty())
    say(fmt::format(
        "note: {} is the one that `scatterproof engines install` installed: {} does not import it", engine,
        python));
}

// CLI11 has no place for examples. The footer holds them, one a line: the command, a tab, what it does.
CLI::App* add_verb(CLI::App& parent, Context& context, const VerbText& text) {
  CLI::App* verb = parent.add_subcommand(text.name, text.purpose);
  std::string footer;
  for (const Example& example : text.examples) footer += example.command + '\t' + example.what + '\n';
  verb->get_help_ptr()->group(group::general);
  verb->footer(footer);
  verb->group(text.group);
  add_color(*verb, context);
  if (takes_settings(*verb)) {
    add_settings_flags(*verb, context);
    add_show_config(*verb, context);
  }
  return verb;
}

std::vector<Example> examples_of(const CLI::App& verb) {
  std::vector<Example> examples;
  std::istringstream lines(verb.get_footer());
  for (std::string line; std::getline(lines, line);)
    examples.push_back({line.substr(0, line.find('\t')), line.substr(line.find('\t') + 1)});
  return examples;
}

}  // namespace scatterproof::runner::cli
