// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

#include "options.hpp"
#include "page.hpp"
#include "scatterproof/runner/history/history.hpp"
#include "scatterproof/runner/trust/trust.hpp"
#include "scatterproof/spec/core/text.hpp"
#include "settings_file.hpp"

namespace scatterproof::runner::cli {
namespace {

/// The variable that, like a flag, decides an option; empty: none is set.
std::string deciding_variable(const CLI::Option& option) {
  static const std::map<std::string, std::vector<const char*>> variables = {
      {"color", {"NO_COLOR", "CLICOLOR_FORCE", "FORCE_COLOR"}}, {"db", {"SCATTERPROOF_HISTORY"}}};
  if (option.get_lnames().empty()) return "";
  const auto found = variables.find(option.get_lnames().front());
  if (found == variables.end()) return "";
  for (const char* variable : found->second)
    if (const char* value = std::getenv(variable); value && *value) return variable;
  return "";
}

/// The value that the variable gives its option.
std::string value_by(const std::string& variable) {
  if (variable == "NO_COLOR") return "never";
  if (variable == "CLICOLOR_FORCE" || variable == "FORCE_COLOR") return "always";
  return std::getenv(variable.c_str());
}

/// The option as it was typed: behind the verb, or before it.
const CLI::Option* typed(const CLI::App& verb, const CLI::Option& option) {
  if (option.count() > 0) return &option;
  if (option.get_lnames().empty()) return nullptr;
  for (const CLI::App* at = verb.get_parent(); at != nullptr; at = at->get_parent())
    if (const CLI::Option* same = at->get_option_no_throw("--" + option.get_lnames().front());
        same && same->count() > 0)
      return same;
  return nullptr;
}

std::string place_of_setting(const SettingsLayer& layer, const OptionSetting& setting) {
  return fmt::format("{}:{}", layer.document->file, setting.at.line);
}

/// One option, its value and where that came from.
struct OptionInForce {
  const CLI::Option* option = nullptr;
  std::vector<std::string> values = {};  ///< empty: its default
  std::string origin = "default";        ///< `flag`, `default`, a variable's name, or a file's line
  std::string profile = {};
  std::string gives_way = {};  ///< a file's line that sets it too, and the option that stands against it
};

class SettingsOfVerb {
 public:
  /// `works`: what reaches beyond the repository needs approval; else nothing is done with it.
  SettingsOfVerb(CLI::App& verb, const SettingsFiles& files, bool works)
      : verb_(verb), files_(files), works_(works) {
    for (const CLI::Option* option : verb.get_options()) {
      if (option->get_positional() || (!option->get_lnames().empty() && !is_settable(*option))) continue;
      OptionInForce& one = options_.emplace_back(OptionInForce{.option = option});
      const std::string variable = deciding_variable(*option);
      if (const CLI::Option* same = typed(verb, *option)) {
        one.values = same->results();
        one.origin = "flag";
      } else if (!variable.empty()) {
        one.values = {value_by(variable)};
        one.origin = variable;
      }
    }
  }

  /// The errors of values that could not be checked before.
  spec::Errors apply() {
    for (const SettingsLayer& layer : files_.layers)
      if (const auto found = layer.commands.find(command_name(verb_)); found != layer.commands.end())
        for (const OptionSetting& setting : found->second) apply(layer, setting);
    return errors_;
  }

  /// Where the engines come from, if a file names them: the first line of a run.
  void say_engines() const {
    for (const OptionInForce& one : options_)
      if (value_name(*one.option) == "ENGINE" && one.origin.find(':') != std::string::npos)
        say(fmt::format("note: {} from {}", spec::one_line(words_of_value(one)), spec::one_line(one.origin)));
  }

  void print() const {
    fmt::print("scatterproof {}: {}{}\n", command_name(verb_),
               files_.file.empty() ? "no scatterproof.yaml" : spec::one_line(files_.file),
               files_.profile.empty() ? ", no profile" : ", profile " + spec::one_line(files_.profile));
    for (const OptionInForce& one : options_)
      fmt::print("  {:18} {:24} {}{}{}\n", name_of(one), spec::one_line(words_of_value(one)),
                 one.profile.empty() ? "" : fmt::format("profile {}, ", one.profile),
                 spec::one_line(one.origin),
                 one.gives_way.empty() ? "" : fmt::format("; {}", spec::one_line(one.gives_way)));
  }

  void print_json() const {
    nlohmann::ordered_json all{{"command", command_name(verb_)},
                               {"file", files_.file},
                               {"profile", files_.profile},
                               {"options", nlohmann::ordered_json::array()}};
    for (const OptionInForce& one : options_) {
      nlohmann::ordered_json object{{"option", name_of(one)}, {"value", nullptr}, {"from", one.origin}};
      if (!one.values.empty() && one.option->get_expected_max() > 1)
        object["value"] = shown_values(one);
      else
        object["value"] = words_of_value(one);
      if (!one.profile.empty()) object["profile"] = one.profile;
      if (!one.gives_way.empty()) object["gives_way"] = one.gives_way;
      all["options"].push_back(std::move(object));
    }
    fmt::print("{}\n", all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  }

 private:
  /// The options that stand against this one and have a value already, from something stronger.
  const CLI::Option* stronger(const OptionSetting& setting) const {
    for (const CLI::Option* other : setting.option->get_excludes())
      if (other->count() > 0) return other;
    return nullptr;
  }

  void apply(const SettingsLayer& layer, const OptionSetting& setting) {
    OptionInForce& one = *std::ranges::find(options_, setting.option, &OptionInForce::option);
    if (one.origin != "default") return;
    if (const CLI::Option* other = stronger(setting); other && !setting.values.empty()) {
      one.gives_way = fmt::format("{} gives way to {}", place_of_setting(layer, setting), other->get_name());
      // A limit that is not checked must not look like one that is kept.
      if (setting.option->get_group() == group::judge) say("note: " + setting.name + " at " + one.gives_way);
      return;
    }
    one.values = setting.values;
    one.origin = place_of_setting(layer, setting);
    one.profile = layer.profile;
    if (setting.values.empty()) return;
    if (!setting.reach.empty() && works_ && !is_approved(layer, setting)) return;
    try {
      setting.option->add_result(setting.values)->run_callback();
    } catch (const CLI::ParseError& error) {
      const std::string text = error.what();
      const std::string finding = text.substr(text.find(": ") + 2);
      const spec::Error found = invalid_value("option '" + setting.name + "'", finding);
      errors_.push_back(layer.document->error(setting.at, found.what, found.hint));
    }
  }

  /// Whether the user has approved the file that says this; if not, that is an error.
  bool is_approved(const SettingsLayer& layer, const OptionSetting& setting) {
    const auto approved = is_trusted(files_.file, files_.content);
    if (!approved)
      errors_ = approved.errors();
    else if (!*approved)
      errors_.push_back(layer.document->error(
          setting.at, fmt::format("option '{}' {}", setting.name, spec::one_line(setting.reach)),
          "look at the file, then `scatterproof trust` approves it as it is; SCATTERPROOF_TRUST=1 approves "
          "all, as CI needs it"));
    return approved && *approved;
  }

  static std::string name_of(const OptionInForce& one) {
    return one.option->get_lnames().empty() ? names_of(*one.option).front()
                                            : one.option->get_lnames().front();
  }

  /// Without the password that a URL may hold.
  static std::vector<std::string> shown_values(const OptionInForce& one) {
    std::vector<std::string> values = one.values;
    if (value_name(*one.option) == "PLACE") std::ranges::transform(values, values.begin(), history::shown);
    return values;
  }

  static std::string words_of_value(const OptionInForce& one) {
    if (!one.values.empty()) return fmt::format("{}", fmt::join(shown_values(one), ", "));
    if (value_name(*one.option).empty()) return "false";
    const std::string usual = one.option->get_default_str();
    return usual.empty() ? "none" : usual;
  }

  CLI::App& verb_;
  const SettingsFiles& files_;
  bool works_;
  std::vector<OptionInForce> options_;
  spec::Errors errors_;
};

}  // namespace

bool takes_settings(const CLI::App& verb) {
  const std::string name = verb.get_name();
  return name != "help" && name != "completion" && name != "man" && name != "doctor" && name != "trust";
}

void add_settings_flags(CLI::App& verb, Context& context) {
  verb.add_option("--config", context.config, "Read settings from this file [env: SCATTERPROOF_CONFIG]")
      ->type_name("FILE")
      ->default_str("scatterproof.yaml here, or above in the repository")
      ->group(group::general);
  verb.add_option("--profile", context.profile,
                  "Settings by name, built in or of the settings file [env: SCATTERPROOF_PROFILE]")
      ->type_name("NAME:quick ci nightly")
      ->group(group::general);
}

void add_show_config(CLI::App& verb, Context& context) {
  verb.add_flag("--show-config", context.show_config,
                "Only print each option, its value and where that comes from; --show-config=json as JSON")
      ->group(group::general);
}

std::optional<int> apply_settings(CLI::App& app, CLI::App& verb, const Context& context) {
  const auto files = read_settings(app, context);
  if (!files) return usage_error(files.errors());
  const bool works = context.show_config.empty();
  SettingsOfVerb settings(verb, *files, works);
  if (const spec::Errors errors = settings.apply(); !errors.empty()) return usage_error(errors);
  if (works) {
    settings.say_engines();
    return std::nullopt;
  }
  if (context.show_config == "json")
    settings.print_json();
  else if (context.show_config == "true")
    settings.print();
  else
    return usage_error({{.what = fmt::format("invalid value '{}' for --show-config", context.show_config),
                         .hint = "use --show-config or --show-config=json"}});
  return as_expected;
}

}  // namespace scatterproof::runner::cli
