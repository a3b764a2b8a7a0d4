// SPDX-License-Identifier: Apache-2.0
#include "candidates.hpp"

#include <algorithm>
#include <set>

#include "options.hpp"
#include "scatterproof/spec/record/engine_name.hpp"
#include "topics.hpp"

namespace scatterproof::runner::cli {
namespace {

/// Where the words before the cursor lead to.
struct Place {
  const CLI::App* verb = nullptr;
  const CLI::Option* wants_value = nullptr;  ///< the option before the cursor
  std::size_t positionals = 0;               ///< already given
};

const CLI::Option* option_of(const CLI::App& verb, const std::string& name) {
  for (const CLI::Option* option : verb.get_options())
    if (std::ranges::count(names_of(*option), name)) return option;
  return nullptr;
}

Place place_of(const CLI::App& app, const std::vector<std::string>& words) {
  Place place{.verb = &app};
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (place.wants_value) {
      place.wants_value = nullptr;
    } else if (words[i].starts_with('-')) {
      const CLI::Option* option = option_of(*place.verb, words[i]);
      if (option && !value_name(*option).empty()) place.wants_value = option;
    } else {
      const auto below = verbs_of(*place.verb);
      const auto next = std::ranges::find(below, words[i], [](const auto* verb) { return verb->get_name(); });
      if (next != below.end())
        place = {.verb = *next};
      else
        ++place.positionals;
    }
  }
  return place;
}

std::vector<HelpEntry> verb_names(const CLI::App& parent) {
  std::vector<HelpEntry> all;
  for (const CLI::App* verb : verbs_of(parent)) all.push_back({verb->get_name(), verb->get_description()});
  return all;
}

std::vector<HelpEntry> engine_names(const engines::Places& places) {
  std::vector<HelpEntry> all;
  const auto add = [&](const std::string& name, const std::string& what) {  // releases share some
    if (std::ranges::find(all, name, &HelpEntry::name) == all.end()) all.push_back({name, what});
  };
  for (const auto& listing : engines::list_engines(places)) {
    add(spec::without_release(listing.name), listing.description);
    add(listing.name, listing.description);
    for (const auto& form : listing.forms) add(form.name, form.description);
  }
  return all;
}

std::vector<HelpEntry> api_names(const engines::Places& places) {
  std::vector<HelpEntry> all;
  if (const auto specs = load_specs("", places))
    for (const spec::OpSpec& op : specs->all()) all.push_back({op.api, op.summary});
  return all;
}

/// What `compare` takes: families, APIs, and the frameworks that document them.
std::vector<HelpEntry> comparable_names(const engines::Places& places) {
  std::vector<HelpEntry> all;
  if (const auto families = load_families(places))
    for (const spec::Family& family : families->all()) all.push_back({family.name, "a family"});
  std::set<std::string> frameworks;
  if (const auto specs = load_specs("", places))
    for (const spec::OpSpec& op : specs->all()) {
      if (frameworks.insert(op.framework).second) all.push_back({op.framework, "all its APIs"});
      all.push_back({op.api, op.summary});
    }
  return all;
}

std::vector<HelpEntry> case_ids(const engines::Places& places) {
  std::vector<HelpEntry> all;
  if (const auto catalogue = load_catalogue({}, places)) {
    for (const spec::Case& one : catalogue->cases) all.push_back({one.id, ""});
    for (const FormulaCase& one : catalogue->formulas) all.push_back({one.id, ""});
  }
  return all;
}

/// The values of an option or argument, by what stands for them in the help.
std::vector<HelpEntry> values(const CLI::App& app, const CLI::Option& option, const engines::Places& places) {
  std::vector<HelpEntry> all;
  for (const std::string& value : values_of(option)) all.push_back({value, ""});
  const std::string kind = value_name(option);
  if (kind == "ENGINE") return engine_names(places);
  if (kind == "API") return api_names(places);
  if (kind == "FAMILY|API|FRAMEWORK") return comparable_names(places);
  if (kind == "ID" || kind == "CALL") return case_ids(places);
  if (kind == "VERB") return verb_names(app);
  if (kind == "TOPIC") {
    all = verb_names(app);
    for (const Topic& topic : topics()) all.push_back({topic.name, topic.purpose});
  }
  if (kind == "KIND=PATH")
    for (const std::string& report : reports::kinds()) all.push_back({report + "=", "report"});
  return all;
}

std::vector<HelpEntry> options_of(const CLI::App& verb) {
  std::vector<HelpEntry> all;
  for (const CLI::Option* option : verb.get_options([](const auto* o) { return o->nonpositional(); }))
    for (const std::string& name : names_of(*option)) all.push_back({name, option->get_description()});
  return all;
}

}  // namespace

std::vector<HelpEntry> candidates(const CLI::App& app, const std::vector<std::string>& words,
                                  const engines::Places& places) {
  const std::string typed = words.empty() ? "" : words.back();
  const Place place = place_of(app, words);
  std::vector<HelpEntry> all;
  if (place.wants_value) {
    all = values(app, *place.wants_value, places);
  } else if (const auto equals = typed.find('='); typed.starts_with("--") && equals != std::string::npos) {
    if (const CLI::Option* option = option_of(*place.verb, typed.substr(0, equals)))
      for (const HelpEntry& value : values(app, *option, places))
        all.push_back({typed.substr(0, equals + 1) + value.name, value.what});
  } else if (typed.starts_with('-')) {
    all = options_of(*place.verb);
  } else {
    all = verb_names(*place.verb);
    if (const auto positionals = positionals_of(*place.verb); !positionals.empty())
      all = values(app, *positionals[std::min(place.positionals, positionals.size() - 1)], places);
  }
  std::erase_if(all, [&](const HelpEntry& entry) { return !entry.name.starts_with(typed); });
  return all;
}

}  // namespace scatterproof::runner::cli
