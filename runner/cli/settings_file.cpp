// SPDX-License-Identifier: Apache-2.0
#include "settings_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "options.hpp"
#include "page.hpp"
#include "scatterproof/runner/select/suggest.hpp"
#include "settings.hpp"
#include "settings_reach.hpp"

namespace scatterproof::runner::cli {
namespace {
namespace fs = std::filesystem;
using spec::yaml::Document;
using spec::yaml::Node;

constexpr const char* settings_name = "scatterproof.yaml";
constexpr std::array not_settable{"help", "version", "config", "profile", "show-config"};

std::string nearest_file() {
  std::error_code failed;
  const fs::path root = repository_of("");
  for (fs::path at = fs::current_path(failed); !failed; at = at.parent_path()) {
    if (fs::exists(at / settings_name, failed)) return fs::proximate(at / settings_name).string();
    if (root.empty() || at == root || at == at.parent_path()) break;
  }
  return "";
}

/// Where the values of a file in this folder may point without approval: its repository, or the folder.
std::string home_of(const std::string& folder) {
  const std::string repository = repository_of(folder);
  if (!repository.empty()) return repository;
  return folder.empty() ? "." : folder;
}

/// Why a file that the user did not name is not used; empty: it is. Git makes the same check of a repository
/// (CVE-2022-24765).
std::string stranger(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return "";  // reading it says why
  if (about.st_uid != ::geteuid() && about.st_uid != 0) return "it belongs to another user";
  if (about.st_mode & S_IWOTH) return "every user can write to it";
  if (about.st_mode & S_IWGRP && about.st_gid != ::getegid()) return "another group can write to it";
  return "";
}

/// The user's file; empty when there is none. One that was named has to be there.
spec::Result<std::string> users_file(const Context& context) {
  const char* variable = std::getenv("SCATTERPROOF_CONFIG");
  std::string named = context.config;
  if (named.empty() && variable) named = variable;
  if (named.empty()) return settings_file_here();
  std::error_code ignored;
  if (fs::exists(named, ignored)) return named;
  spec::Error missing = missing_file(named);
  missing.what += context.config.empty() ? " for SCATTERPROOF_CONFIG" : " for --config";
  return missing;
}

/// The leaves of the tree of verbs that a file may set options of.
void add_commands(CLI::App& parent, std::map<std::string, CLI::App*>& all) {
  for (CLI::App* verb : parent.get_subcommands([](CLI::App*) { return true; })) {
    if (!takes_settings(*verb)) continue;
    if (verbs_of(*verb).empty()) all[command_name(*verb)] = verb;
    add_commands(*verb, all);
  }
}

/// A path in a file is meant from the file's folder, wherever the command is typed.
std::string from_folder(const std::string& folder, const std::string& path) {
  return folder.empty() || path.empty() ? path : (fs::path(folder) / path).lexically_normal().string();
}

std::string anchored(const CLI::Option& option, const std::string& folder, const std::string& value) {
  const std::string kind = value_name(option);
  if (kind == "FILE" || kind == "FOLDER" || kind == "STREAM") return from_folder(folder, value);
  if (kind == "PLACE") return value.find("://") == std::string::npos ? from_folder(folder, value) : value;
  const auto after = [&](std::string_view prefix) {
    return std::string(prefix) + from_folder(folder, value.substr(prefix.size()));
  };
  if (const auto equals = value.find('='); kind == "KIND=PATH" && equals != std::string::npos)
    return value.substr(equals) == "=-" ? value : after(value.substr(0, equals + 1));
  if (kind == "ENGINE")
    for (const std::string_view prefix : {"so:", "recorded:", "cmd:./", "cmd:../", "py:./", "py:../"})
      if (value.starts_with(prefix)) return after(prefix.substr(0, prefix.find(':') + 1));
  return value;
}

/// Whether a value can be checked before the option is used: not one that depends on what is there.
bool is_checked_early(const CLI::Option& option) {
  const std::string kind = value_name(option);
  return kind != "FILE" && kind != "FOLDER" && kind != "STREAM" && kind != "I/N";
}

/// What the option's checks find wrong with the value; empty: nothing.
std::string finding_about(CLI::Option& option, std::string value) {
  try {
    for (int i = 0;; ++i)
      if (std::string found = (*option.get_validator(i))(value); !found.empty()) return found;
  } catch (const CLI::OptionNotFound&) {  // that was the last check
    return "";
  }
}

/// Reads one file, and collects all that is wrong with it.
class SettingsReader {
 public:
  SettingsReader(CLI::App& app, Document document, std::string folder)
      : document_(std::make_shared<const Document>(std::move(document))),
        folder_(std::move(folder)),
        home_(home_of(folder_)) {
    add_commands(app, verbs_);
    errors_ = spec::yaml::validate(*document_, "settings");
    if (!errors_.empty()) return;
    if (const Node* defaults = root().find("commands")) defaults_ = read(*defaults, "");
    if (const Node* profiles = root().find("profiles"))
      for (const auto& [name, commands] : profiles->members) profiles_[name] = read(commands, name);
  }

  const spec::Errors& errors() const { return errors_; }
  const Document& document() const { return *document_; }
  const Node& root() const { return document_->root; }
  const SettingsLayer& defaults() const { return defaults_; }
  const std::map<std::string, SettingsLayer>& profiles() const { return profiles_; }

 private:
  void fail(spec::Position at, std::string what, std::string hint = "") {
    errors_.push_back(document_->error(at, std::move(what), std::move(hint)));
  }

  SettingsLayer read(const Node& commands, const std::string& profile) {
    SettingsLayer layer{.document = document_, .profile = profile, .commands = {}};
    for (std::size_t i = 0; i < commands.members.size(); ++i) {
      const auto& [name, options] = commands.members[i];
      if (const auto verb = verbs_.find(name); verb != verbs_.end()) {
        layer.commands[name] = read_options(*verb->second, options);
        continue;
      }
      std::vector<std::string> names;
      for (const auto& [known, ignored] : verbs_) names.push_back(known);
      fail(commands.key_positions[i], fmt::format("unknown command '{}'", name),
           did_you_mean(name, names, fmt::format("use one of {}", fmt::join(names, ", "))));
    }
    return layer;
  }

  std::vector<OptionSetting> read_options(CLI::App& verb, const Node& options) {
    std::vector<OptionSetting> settings;
    for (std::size_t i = 0; i < options.members.size(); ++i) {
      const auto& [name, value] = options.members[i];
      CLI::Option* option = verb.get_option_no_throw("--" + name);
      if (option && is_settable(*option))
        settings.push_back(read_value(*option, name, value));
      else
        fail_option(verb, name, options.key_positions[i], option != nullptr);
    }
    for (const OptionSetting& one : settings) {
      check_together(one, settings);
      if (one.reach.starts_with(program_reach) && !judges(verb))
        fail(one.at, fmt::format("option '{}' of {} names a program", one.name, command_name(verb)),
             "a file names programs only for commands that judge; type the option");
    }
    return settings;
  }

  void fail_option(const CLI::App& verb, const std::string& name, spec::Position at, bool is_there) {
    std::vector<std::string> names;
    for (const CLI::Option* option : verb.get_options())
      if (is_settable(*option)) names.push_back(option->get_lnames().front());
    const std::string command = command_name(verb);
    const std::string otherwise = fmt::format("`scatterproof {} --show-config` prints every option", command);
    if (is_there)
      fail(at, fmt::format("option '{}' cannot be set in a file", name), otherwise);
    else
      fail(at, fmt::format("unknown option '{}' of {}", name, command), did_you_mean(name, names, otherwise));
  }

  OptionSetting read_value(CLI::Option& option, const std::string& name, const Node& value) {
    OptionSetting setting{.option = &option, .name = name, .values = {}, .at = value.at};
    if (value_name(option).empty()) {
      if (value.kind != Node::Kind::boolean)
        fail(value.at, fmt::format("option '{}' is a flag", name), "write true or false");
      else if (value.number.integer() != 0)
        setting.values = {"true"};
      return setting;
    }
    if (value.kind == Node::Kind::boolean)
      fail(value.at, fmt::format("option '{}' needs a value", name),
           "true and false are for flags; quote the word if it is meant");
    else if (value.kind == Node::Kind::list && option.get_expected_max() == 1)
      fail(value.at, fmt::format("option '{}' takes one value", name), "write it without the brackets");
    else if (value.kind == Node::Kind::list)
      for (const Node& item : value.items) add_value(setting, item);
    else
      add_value(setting, value);
    return setting;
  }

  void add_value(OptionSetting& setting, const Node& value) {
    if (const std::string found = finding_about(*setting.option, value.text);
        is_checked_early(*setting.option) && !found.empty()) {
      const spec::Error error = invalid_value("option '" + setting.name + "'", found);
      fail(value.at, error.what, error.hint);
    }
    setting.values.push_back(anchored(*setting.option, folder_, value.text));
    if (setting.reach.empty())
      setting.reach = reach_of(value_name(*setting.option), setting.values.back(), home_);
  }

  /// Two options of one place that exclude each other: neither is the stronger one.
  void check_together(const OptionSetting& one, const std::vector<OptionSetting>& all) {
    for (const OptionSetting& other : all)
      if (!one.values.empty() && !other.values.empty() && &other > &one &&
          one.option->get_excludes().contains(other.option))
        fail(other.at, fmt::format("option '{}' cannot be used together with '{}'", other.name, one.name),
             "leave one of them out; a profile may have it");
  }

  std::shared_ptr<const Document> document_;
  std::string folder_;
  std::string home_;
  std::map<std::string, CLI::App*> verbs_;
  SettingsLayer defaults_;
  std::map<std::string, SettingsLayer> profiles_;
  spec::Errors errors_;
};

spec::Result<SettingsReader> read_one(CLI::App& app, const std::string& path, const std::string& folder) {
  auto document = spec::yaml::read_file(path);
  if (!document) return document.errors();
  SettingsReader reader(app, std::move(document).value(), folder);
  if (!reader.errors().empty()) return reader.errors();
  return reader;
}

/// Puts the profile in force, the user's part before the built-in one.
spec::Errors choose_profile(CLI::App& app, const Context& context, const std::optional<SettingsReader>& users,
                            SettingsFiles& files) {
  const char* variable = std::getenv("SCATTERPROOF_PROFILE");
  const Node* usual = users ? users->root().find("profile") : nullptr;
  const bool by_file = context.profile.empty() && !(variable && *variable);
  files.profile = !context.profile.empty() ? context.profile : !by_file ? variable : usual ? usual->text : "";
  if (files.profile.empty()) return {};
  const auto built_in = read_one(app, context.places.data + "/runner/profiles.yaml", "");
  if (!built_in) return built_in.errors();
  std::vector<std::string> names;
  const auto take = [&](const SettingsReader& from) {
    for (const auto& [name, layer] : from.profiles()) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
      if (name == files.profile) files.layers.push_back(layer);
    }
  };
  if (users) take(*users);
  take(*built_in);
  if (!files.layers.empty()) return {};
  const std::string what = fmt::format("unknown profile '{}'", files.profile);
  const std::string hint =
      did_you_mean(files.profile, names, fmt::format("use one of {}", fmt::join(names, ", ")));
  if (by_file) return {users->document().error(usual->at, what, hint)};
  return {{.what = what + (context.profile.empty() ? " for SCATTERPROOF_PROFILE" : " for --profile"),
           .hint = hint}};
}

}  // namespace

spec::Result<std::string> settings_file_here() {
  std::string path = nearest_file();
  if (path.empty()) return path;
  const std::string why = stranger(path);
  if (why.empty()) return path;
  return spec::Error{
      .file = path,
      .what = "these settings are not taken: " + why,
      .hint = fmt::format("`--config {}` takes them all the same; so does SCATTERPROOF_CONFIG", path)};
}

std::string command_name(const CLI::App& verb) {
  const CLI::App* parent = verb.get_parent();
  if (!parent) return "";
  const std::string above = command_name(*parent);
  return above.empty() ? verb.get_name() : above + " " + verb.get_name();
}

bool is_settable(const CLI::Option& option) {
  return option.nonpositional() && !option.get_lnames().empty() &&
         std::ranges::find(not_settable, option.get_lnames().front()) == not_settable.end();
}

spec::Result<SettingsFiles> read_settings(CLI::App& app, const Context& context) {
  const auto path = users_file(context);
  if (!path) return path.errors();
  SettingsFiles files{.file = *path, .profile = {}, .layers = {}, .content = {}};
  std::optional<SettingsReader> users;
  if (!path->empty()) {
    const std::string folder = fs::path(*path).parent_path().string();
    auto read = read_one(app, *path, folder);
    if (!read) return read.errors();
    users = std::move(read).value();
    files.content = *users->document().text;
  }
  if (const spec::Errors errors = choose_profile(app, context, users, files); !errors.empty()) return errors;
  if (users) files.layers.push_back(users->defaults());
  return files;
}

spec::Result<SettingsFiles> read_whole_settings(CLI::App& app, const std::string& path) {
  const auto read = read_one(app, path, fs::path(path).parent_path().string());
  if (!read) return read.errors();
  SettingsFiles files{
      .file = path, .profile = {}, .layers = {read->defaults()}, .content = *read->document().text};
  for (const auto& [ignored, layer] : read->profiles()) files.layers.push_back(layer);
  return files;
}

}  // namespace scatterproof::runner::cli
