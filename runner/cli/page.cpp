// SPDX-License-Identifier: Apache-2.0
#include "page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>

#include "options.hpp"

namespace scatterproof::runner::cli {
namespace {

constexpr std::size_t widest_name = 26;  // a longer one has a line of its own

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

bool repeats(const CLI::Option& positional) { return positional.get_expected_max() > 1; }

/// What it means, its default and its values.
std::string meaning_of(const CLI::Option& option) {
  std::string text = option.get_description();
  if (const auto values = values_of(option); !values.empty())
    text += fmt::format(" [values: {}]", fmt::join(values, ", "));
  if (!option.get_default_str().empty()) text += fmt::format(" [default: {}]", option.get_default_str());
  return text;
}

std::string command_of(const CLI::App& verb) {
  const CLI::App* parent = verb.get_parent();
  return parent ? command_of(*parent) + " " + verb.get_name() : verb.get_name();
}

std::string usage_of(const CLI::App& verb) {
  std::string usage = command_of(verb);
  if (!verbs_of(verb).empty()) return usage + " COMMAND";
  usage += " [OPTIONS]";
  for (const CLI::Option* option : positionals_of(verb)) {
    const std::string name = upper(option->get_name(true)) + (repeats(*option) ? "..." : "");
    usage += option->get_required() ? " " + name : " [" + name + "]";
  }
  return usage;
}

void add_to(std::vector<Section>& sections, const std::string& title, HelpEntry entry) {
  auto found = std::ranges::find(sections, title, &Section::title);
  if (found == sections.end()) found = sections.insert(sections.end(), {.title = title, .entries = {}});
  found->entries.push_back(std::move(entry));
}

std::string section_text(const Section& section, std::size_t width) {
  std::size_t column = 0;
  for (const HelpEntry& entry : section.entries)
    if (entry.name.size() <= widest_name) column = std::max(column, entry.name.size());
  const std::size_t indent = column + 4;
  std::string text = "\n" + section.title + ":\n";
  for (const HelpEntry& entry : section.entries) {
    text += "  " + entry.name;
    text += entry.name.size() > column ? "\n" + std::string(indent, ' ')
                                       : std::string(indent - 2 - entry.name.size(), ' ');
    text += wrapped(entry.what, indent, width) + "\n";
  }
  return text;
}

}  // namespace

std::string wrapped(const std::string& text, std::size_t indent, std::size_t width) {
  std::string lines;
  std::size_t column = indent;
  for (const std::string& word : words_of(text)) {
    if (column > indent && column + 1 + word.size() > width) {
      lines += '\n' + std::string(indent, ' ');
      column = indent;
    }
    if (column > indent) lines += ' ', ++column;
    lines += word;
    column += word.size();
  }
  return lines;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string value_name(const CLI::Option& option) {
  if (option.get_expected_max() == 0) return "";  // a flag
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

std::vector<std::string> values_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto colon = type.find(':');
  return colon == std::string::npos ? std::vector<std::string>() : words_of(type.substr(colon + 1));
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<const CLI::Option*> positionals_of(const CLI::App& verb) {
  return verb.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

std::vector<const CLI::App*> verbs_of(const CLI::App& parent) {
  return parent.get_subcommands([](const CLI::App*) { return true; });
}

HelpPage page_of(const CLI::App& verb) {
  HelpPage page{.command = command_of(verb),
                .purpose = verb.get_description(),
                .usage = usage_of(verb),
                .examples = examples_of(verb),
                .sections = {}};
  for (const CLI::Option* option : positionals_of(verb))
    add_to(page.sections, "Arguments", {upper(option->get_name(true)), meaning_of(*option)});
  for (const CLI::App* below : verbs_of(verb))
    add_to(page.sections, below->get_group(), {below->get_name(), below->get_description()});
  std::vector<const CLI::Option*> options =
      verb.get_options([](const CLI::Option* option) { return option->nonpositional(); });
  // CLI11 adds --help first; what every verb has belongs at the end.
  std::ranges::stable_partition(options, [](const auto* o) { return o->get_group() != group::general; });
  for (const CLI::Option* option : options) {
    const std::string value = value_name(*option);
    add_to(page.sections, option->get_group(),
           {fmt::format("{}{}{}", fmt::join(names_of(*option), ", "), value.empty() ? "" : " ", value),
            meaning_of(*option)});
  }
  return page;
}

std::string pages_folder(const engines::Places& places) {
  const std::filesystem::path data = places.data;
  for (const std::filesystem::path& folder : {data.parent_path() / "doc/scatterproof/docs", data / "docs"}) {
    std::error_code ignored;
    if (std::filesystem::exists(folder / "README.md", ignored)) return folder.string();
  }
  return "";
}

std::string help_text(const HelpPage& page, int terminal_width, const engines::Places& places) {
  const auto width = static_cast<std::size_t>(std::clamp(terminal_width, 60, 100));
  std::string text = page.purpose + ".\n";
  if (!page.usage.empty()) text += "\nUsage: " + page.usage + "\n";
  if (!page.examples.empty()) text += "\nExamples:\n";
  for (const Example& example : page.examples)
    text += fmt::format("  {}\n      {}\n", example.command, wrapped(example.what, 6, width));
  for (const Section& section : page.sections) text += section_text(section, width);
  text += "\nMore: scatterproof help VERB, help exit-codes, help environment\n";
  const std::string pages = pages_folder(places);
  return pages.empty() ? text : text + fmt::format("Pages, and recipes for CI: {}\n", pages);
}

}  // namespace scatterproof::runner::cli
