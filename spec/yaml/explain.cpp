// SPDX-License-Identifier: Apache-2.0
#include "explain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <stdexcept>

#include "json_words.hpp"
#include "scatterproof/spec/core/error.hpp"
#include "text_check.hpp"

namespace scatterproof::spec {
namespace {

using nlohmann::json;

class Explainer {
 public:
  explicit Explainer(const json& root) : root_(root) {}

  std::vector<SchemaError> findings(const json& schema, const json& value) {
    std::vector<SchemaError> outer;
    outer.swap(found_);
    check(schema, value);
    outer.swap(found_);
    return outer;
  }

 private:
  void note(std::string what, std::string hint = {}) {
    found_.push_back({.path = path_, .what = std::move(what), .hint = std::move(hint)});
  }
  void note_key(const std::string& key, std::string what, std::string hint) {
    path_.emplace_back(key);
    found_.push_back({.path = path_, .at_key = true, .what = std::move(what), .hint = std::move(hint)});
    path_.pop_back();
  }

  template <class Step>
  void check_below(Step step, const json& schema, const json& value) {
    path_.emplace_back(std::move(step));
    check(schema, value);
    path_.pop_back();
  }

  const json& resolve(const json& schema) const {
    const json* one = &schema;
    while (one->is_object() && one->contains("$ref")) {
      const std::string target = (*one)["$ref"].get<std::string>();
      if (!target.starts_with('#')) throw std::logic_error("a schema refers to another file: " + target);
      one = &root_.at(json::json_pointer(target.substr(1)));
    }
    return *one;
  }

  void check(const json& unresolved, const json& value) {
    const json& schema = resolve(unresolved);
    if (schema.is_boolean()) {
      if (!schema.get<bool>()) note("no value is allowed here");
      return;
    }
    if (!type_fits(schema, unresolved, value) || !is_among(schema, unresolved, value)) return;
    if (value.is_object()) object(schema, value);
    if (value.is_array()) array(schema, value);
    if (value.is_string()) string(schema, value.get_ref<const std::string&>());
    if (value.is_number()) number(schema, value);
    combined(schema, unresolved, value);
  }

  /// The explanation closest to the place of use.
  static std::string help(const json& schema, const json& unresolved) {
    return text_or(unresolved, "description", text_or(schema, "description"));
  }

  bool type_fits(const json& schema, const json& unresolved, const json& value) {
    const Words types = types_of(schema);
    if (types.empty()) return true;
    if (std::any_of(types.begin(), types.end(), [&](const auto& t) { return has_type(value, t); }))
      return true;
    Words words;
    for (const std::string& type : types) words.push_back(type_words(type));
    std::string hint = help(schema, unresolved);
    const bool wants_text = types == Words{"string"};
    if (wants_text && (value.is_number() || value.is_boolean()))
      hint = "put it in quotes to make it a string";
    note(fmt::format("expected {} but got {}", alternatives(words), described(value)), hint);
    return false;
  }

  bool is_among(const json& schema, const json& unresolved, const json& value) {
    if (const auto constant = schema.find("const"); constant != schema.end() && *constant != value) {
      note(fmt::format("expected {} but got {}", written(*constant), described(value)),
           help(schema, unresolved));
      return false;
    }
    const auto choice = schema.find("enum");
    if (choice == schema.end() || std::find(choice->begin(), choice->end(), value) != choice->end())
      return true;
    Words words;
    for (const json& one : *choice) words.push_back(written(one));
    const std::string otherwise = help(schema, unresolved);
    note(fmt::format("expected {} but got {}", alternatives(words), described(value)),
         value.is_string() ? did_you_mean(value.get<std::string>(), words, otherwise) : otherwise);
    return false;
  }

  // ---- maps

  void object(const json& schema, const json& value) {
    Words known;
    if (const auto properties = schema.find("properties"); properties != schema.end())
      for (const auto& [key, one] : properties->items()) known.push_back(key);
    std::set<std::string> suggested;
    for (const auto& [key, member] : value.items()) {
      if (const auto names = schema.find("propertyNames");
          names != schema.end() && !property_name(*names, key))
        continue;
      if (!member_known(schema, key, member)) additional(schema, value, known, key, member, suggested);
    }
    for (const std::string& key : schema.value("required", Words{}))
      if (!value.contains(key) && !suggested.contains(key))
        note(fmt::format("key '{}' is missing", key), help_of(schema, key));
    const std::size_t least = schema.value("minProperties", std::size_t{0});
    if (value.size() < least)
      note(fmt::format("expected at least {} {}", least, least == 1 ? "key" : "keys"));
    const std::size_t most = schema.value("maxProperties", std::numeric_limits<std::size_t>::max());
    if (value.size() > most) note(fmt::format("expected at most {} {}", most, most == 1 ? "key" : "keys"));
    dependencies(schema, value);
  }

  std::string help_of(const json& schema, const std::string& key) const {
    const auto properties = schema.find("properties");
    if (properties == schema.end() || !properties->contains(key)) return {};
    const json& one = (*properties)[key];
    const std::string text = help(resolve(one), one);
    return text.empty() ? text : fmt::format("{}: {}", key, text);
  }

  bool member_known(const json& schema, const std::string& key, const json& member) {
    bool known = false;
    if (const auto properties = schema.find("properties"); properties != schema.end())
      if (const auto one = properties->find(key); one != properties->end())
        known = true, check_below(key, *one, member);
    if (const auto patterns = schema.find("patternProperties"); patterns != schema.end())
      for (const auto& [pattern, one] : patterns->items())
        if (std::regex_search(key, std::regex(pattern))) known = true, check_below(key, one, member);
    return known;
  }

  bool property_name(const json& names, const std::string& key) {
    const std::vector<SchemaError> wrong = Explainer(root_).findings(names, json(key));
    if (!wrong.empty())
      note_key(key, fmt::format("'{}' cannot be a name here", yaml::shown(key)), wrong.front().hint);
    return wrong.empty();
  }

  void additional(const json& schema, const json& value, const Words& known, const std::string& key,
                  const json& member, std::set<std::string>& suggested) {
    const auto rest = schema.find("additionalProperties");
    if (rest == schema.end()) return;
    if (*rest != false) return check_below(key, *rest, member);
    Words free;  // required keys first: among equally near keys the first is suggested
    for (const Words& some : {schema.value("required", Words{}), keys_to_choose(schema), known})
      for (const std::string& one : some)
        if (!value.contains(one)) free.push_back(one);
    std::string hint;
    if (const auto near = nearest(key, free)) {
      hint = did_you_mean(*near);
      suggested.insert(*near);
    } else if (!known.empty()) {
      hint = fmt::format("known keys: {}", fmt::join(known, ", "));
    }
    note_key(key, fmt::format("unknown key '{}'", yaml::shown(key)), std::move(hint));
  }

  void dependencies(const json& schema, const json& value) {
    const auto all = schema.find("dependencies");
    if (all == schema.end()) return;
    for (const auto& [key, needs] : all->items()) {
      if (!value.contains(key)) continue;
      if (!needs.is_array()) {
        check(needs, value);
        continue;
      }
      for (const json& need : needs)
        if (!value.contains(need.get<std::string>()))
          note_key(key, fmt::format("key '{}' also needs key '{}'", key, need.get<std::string>()),
                   help_of(schema, need));
    }
  }

  // ---- lists, strings, numbers

  void array(const json& schema, const json& value) {
    const auto items = schema.find("items");
    for (std::size_t i = 0; items != schema.end() && i < value.size(); ++i) {
      if (!items->is_array())
        check_below(i, *items, value[i]);
      else if (i < items->size())
        check_below(i, (*items)[i], value[i]);
      else if (schema.contains("additionalItems"))
        check_below(i, schema["additionalItems"], value[i]);
    }
    const std::size_t least = schema.value("minItems", std::size_t{0});
    if (value.size() < least)
      note(fmt::format("expected at least {} {} but got {}", least, least == 1 ? "item" : "items",
                       value.size()));
    const std::size_t most = schema.value("maxItems", std::numeric_limits<std::size_t>::max());
    if (value.size() > most)
      note(
          fmt::format("expected at most {} {} but got {}", most, most == 1 ? "item" : "items", value.size()));
    if (schema.value("uniqueItems", false)) repeated(value);
  }

  void repeated(const json& value) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      const auto end = value.begin() + static_cast<std::ptrdiff_t>(i);
      if (std::find(value.begin(), end, value[i]) == end) continue;
      path_.emplace_back(i);
      note(fmt::format("{} appears twice in this list", described(value[i])));
      path_.pop_back();
    }
  }

  void string(const json& schema, const std::string& value) {
    const std::size_t length = characters(value);
    const std::size_t least = schema.value("minLength", std::size_t{0});
    if (length < least)
      note(least == 1 ? "the string is empty"
                      : fmt::format("the string is shorter than {} characters", least));
    const std::size_t most = schema.value("maxLength", std::numeric_limits<std::size_t>::max());
    if (length > most) note(fmt::format("the string is longer than {} characters", most));
    const std::string pattern = text_or(schema, "pattern");
    if (!pattern.empty() && !std::regex_search(value, std::regex(pattern)))
      note(fmt::format("'{}' is not well-formed", yaml::shown(value)),
           text_or(schema, "patternErrorMessage", fmt::format("the pattern is {}", pattern)));
  }

  void number(const json& schema, const json& value) {
    const double x = value.get<double>();
    const auto limit = [&](const char* key, auto fits, const char* words) {
      if (const auto one = schema.find(key); one != schema.end() && !fits(x, one->get<double>()))
        note(fmt::format("expected a number {} {} but got {}", words, one->dump(), described(value)));
    };
    limit("minimum", std::greater_equal<>(), "of at least");
    limit("maximum", std::less_equal<>(), "of at most");
    limit("exclusiveMinimum", std::greater<>(), "above");
    limit("exclusiveMaximum", std::less<>(), "below");
  }

  // ---- if/then, allOf, anyOf, oneOf, not

  void combined(const json& schema, const json& unresolved, const json& value) {
    for (const json& one : schema.value("allOf", json::array())) check(one, value);
    if (const auto condition = schema.find("if"); condition != schema.end()) {
      const char* branch = valid(*condition, value) ? "then" : "else";
      if (schema.contains(branch)) check(schema[branch], value);
    }
    if (const auto never = schema.find("not"); never != schema.end() && valid(*never, value))
      note(text_or(*never, "title", "this is not allowed here"), help(schema, unresolved));
    if (schema.contains("anyOf")) any_of(schema["anyOf"], schema, unresolved, value, false);
    if (schema.contains("oneOf")) any_of(schema["oneOf"], schema, unresolved, value, true);
  }

  bool valid(const json& schema, const json& value) { return findings(schema, value).empty(); }

  void any_of(const json& branches, const json& schema, const json& unresolved, const json& value,
              bool only_one) {
    std::vector<std::vector<SchemaError>> all;
    std::size_t fitting = 0;
    for (const json& branch : branches) {
      all.push_back(findings(branch, value));
      if (all.back().empty()) ++fitting;
    }
    if (only_one ? fitting == 1 : fitting > 0) return;
    if (only_needs_keys(branches)) return choose_keys(branches, schema, value, fitting);
    if (fitting > 1) return note("this is ambiguous: it can be read in two ways", help(schema, unresolved));

    // The form that was probably meant: its outermost kind fits, and it gives the fewest errors.
    std::size_t best = all.size();
    for (std::size_t i = 0; i < all.size(); ++i)
      if (!rejects_kind(all[i]) && (best == all.size() || all[i].size() < all[best].size())) best = i;
    if (best < all.size())
      found_.insert(found_.end(), all[best].begin(), all[best].end());
    else
      note(fmt::format("expected {} but got {}", alternatives(forms(branches)), described(value)),
           help(schema, unresolved));
  }

  /// Whether the value was rejected as a whole, without looking inside it.
  bool rejects_kind(const std::vector<SchemaError>& one) const {
    return one.size() == 1 && one.front().path == path_ && !one.front().at_key &&
           one.front().what.starts_with("expected ");
  }

  Words forms(const json& branches) const {
    Words words;
    const auto add = [&](std::string word) {
      if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(std::move(word));
    };
    for (const json& unresolved : branches) {
      const json& branch = resolve(unresolved);
      if (const std::string title = text_or(branch, "title"); !title.empty())
        add(title);
      else if (branch.contains("const"))
        add(written(branch["const"]));
      else if (branch.contains("enum"))
        for (const json& one : branch["enum"]) add(written(one));
      else
        for (const std::string& type : types_of(branch)) add(type_words(type));
    }
    return words;
  }

  /// anyOf/oneOf [{required: [a]}, {required: [b]}]: a choice between keys.
  static bool only_needs_keys(const json& branches) {
    return std::all_of(branches.begin(), branches.end(), [](const json& branch) {
      return branch.is_object() && branch.size() == 1 && branch.contains("required");
    });
  }

  /// One of them is required.
  static Words keys_to_choose(const json& schema) {
    Words keys;
    if (const auto branches = schema.find("oneOf"); branches != schema.end() && only_needs_keys(*branches))
      for (const json& branch : *branches)
        for (const std::string& key : branch["required"].get<Words>()) keys.push_back(key);
    return keys;
  }

  void choose_keys(const json& branches, const json& schema, const json& value, std::size_t fitting) {
    Words keys, names, present;
    for (const json& branch : branches) {
      const Words needed = branch["required"].get<Words>();
      keys.push_back(fmt::format("'{}'", fmt::join(needed, "' and '")));
      names.push_back(needed.front());
      if (fitting > 1 && value.contains(needed.front())) present.push_back(needed.front());
    }
    if (fitting > 0)
      return note_key(present.back(),
                      fmt::format("keys '{}' exclude each other", fmt::join(present, "' and '")),
                      "keep one of them");
    if (!is_misspelt(names))
      note(fmt::format("a key is missing: {}", alternatives(keys)), text_or(schema, "description"));
  }

  /// Whether one of the keys is there but misspelt, and was just reported as an unknown key.
  bool is_misspelt(const Words& names) const {
    return std::any_of(found_.begin(), found_.end(), [&](const SchemaError& one) {
      return one.at_key && one.path.size() == path_.size() + 1 && one.what.starts_with("unknown key") &&
             std::equal(path_.begin(), path_.end(), one.path.begin()) &&
             nearest(std::get<std::string>(one.path.back()), names);
    });
  }

  const json& root_;
  JsonPath path_;
  std::vector<SchemaError> found_;
};

}  // namespace

std::vector<SchemaError> explain(const json& schema, const json& value) {
  return Explainer(schema).findings(schema, value);
}

std::string to_string(const JsonPath& path) {
  std::string text;
  for (const auto& step : path) {
    if (const auto* index = std::get_if<std::size_t>(&step))
      text += fmt::format("[{}]", *index);
    else
      text += fmt::format("{}{}", text.empty() ? "" : ".", yaml::shown(std::get<std::string>(step)));
  }
  return text;
}

}  // namespace scatterproof::spec
