// SPDX-License-Identifier: Apache-2.0
#include "twins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

#include "words.hpp"

namespace scatterproof::runner::site {
namespace {

using Words = std::set<std::string>;
using Names = std::vector<std::pair<std::string, std::string>>;

std::string word_of(const spec::Argument& value) {
  const auto* word = std::get_if<std::string>(&value);
  return word ? *word : spec::to_string(value);
}

/// The values that an entry can give a role.
Words words_of_entry(const spec::OpSpec& op, const spec::LoweredValue& entry) {
  if (entry.argument.empty()) return {entry.literal};
  Words words;
  for (const auto& [_, word] : entry.table) words.insert(word);
  if (!words.empty()) return words;
  const spec::ArgumentDecl* declared = op.argument(entry.argument);
  if (!declared || declared->kind == spec::ArgumentKind::boolean) return {"false", "true"};
  for (const spec::Argument& choice : declared->choices) words.insert(word_of(choice));
  return words;
}

/// The values that calls of an API can give a word or a truth value of its family; those of `otherwise` if
/// the family has no such role.
Words words_of_role(const spec::OpSpec& op, const spec::Family& family, const spec::Role& wanted) {
  const spec::Role* role = family.role(wanted.name);
  const auto* entry = op.said().find(wanted.name);
  if (entry) return words_of_entry(op, *entry);
  const auto& fallback = role && role->fallback ? role->fallback : wanted.fallback;
  return fallback ? Words{word_of(*fallback)} : Words{};
}

bool share_a_word(const Words& a, const Words& b) {
  return std::ranges::any_of(a, [&](const std::string& word) { return b.contains(word); });
}

bool is_word(const spec::Role& role) {
  return !role.policy && (role.kind == spec::Role::Kind::word || role.kind == spec::Role::Kind::boolean);
}

/// What an API takes for its updates; nothing if it has none.
std::optional<spec::ArgumentKind> kind_of_updates(const spec::OpSpec& op) {
  const auto* entry = op.said().find("updates");
  const spec::ArgumentDecl* declared = entry ? op.argument(entry->argument) : nullptr;
  return declared ? std::optional(declared->kind) : std::nullopt;
}

/// The code of a bridge for an API whose updates are a number: nothing has to be done with them. Empty: the
/// rest of the code needs a tensor of them.
std::string code_for_a_number(const Bridge& bridge) {
  std::string code;
  std::istringstream lines(bridge.code);
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("new_updates =")) code += line + '\n';
  return code.find("updates") == std::string::npos ? code : "";
}

/// Whether one takes updates that the other takes too: a tensor, or a number.
bool share_updates(const spec::OpSpec& a, const spec::OpSpec& b, const Bridge* bridge) {
  using spec::ArgumentKind;
  const auto from = kind_of_updates(a), to = kind_of_updates(b);
  if (!from || !to) return true;
  if (bridge && from == ArgumentKind::scalar && code_for_a_number(*bridge).empty()) return false;
  if (bridge && from != ArgumentKind::scalar) return to != ArgumentKind::scalar;
  return from == to || from == ArgumentKind::tensor_or_scalar || to == ArgumentKind::tensor_or_scalar;
}

/// Whether some call of one API says what a call of the other says.
bool have_words(const spec::OpSpec& a, const spec::Family& family_a, const spec::OpSpec& b,
                const spec::Family& family_b, const Bridge* bridge) {
  if (!share_updates(a, b, bridge)) return false;
  for (const auto* family : {&family_a, &family_b})
    for (const spec::Role& role : family->roles) {
      if (!is_word(role)) continue;
      if (bridge && role.name == "combine" && !bridge->combine.empty()) {
        const Words held(bridge->combine.begin(), bridge->combine.end());
        for (const auto& [op, own] : {std::pair(&a, &family_a), std::pair(&b, &family_b)})
          if (own->role("combine") && !share_a_word(held, words_of_role(*op, *own, role))) return false;
        continue;
      }
      if (!share_a_word(words_of_role(a, family_a, role), words_of_role(b, family_b, role))) return false;
    }
  return true;
}

/// What stands for a role in code: the name of an argument, or the value that the API has for it.
std::string role_text(const spec::OpSpec& op, const spec::Role& role) {
  const std::string& name = role.list.empty() ? role.name : role.list;
  const auto* entry = op.said().find(name);
  if (entry && !entry->argument.empty()) return entry->argument;
  if (entry) return entry->literal;
  return role.fallback ? word_of(*role.fallback) : "None";
}

/// By role, what stands for it.
Names names_of_roles(const spec::OpSpec& op, const spec::Family& family) {
  Names names;
  for (const spec::Role& role : family.roles) {
    const std::string& name = role.list.empty() ? role.name : role.list;
    if (std::ranges::find(names, name, [](const auto& pair) { return pair.first; }) == names.end())
      names.emplace_back(name, role_text(op, role));
  }
  return names;
}

/// What an argument of `to` is, over the arguments of `from`; nullopt: it keeps its default.
std::optional<std::string> argument_text(const spec::OpSpec& to, const std::string& argument,
                                         const Names& roles) {
  for (const auto& [role, entry] : to.said().fields) {
    if (entry.argument != argument) continue;
    const auto known = std::ranges::find(roles, role, [](const auto& pair) { return pair.first; });
    if (known == roles.end()) return std::nullopt;
    if (entry.table.empty()) return known->second;
    for (const auto& [own, word] : entry.table)
      if (word == known->second) return '"' + own + '"';
    return std::nullopt;
  }
  return std::nullopt;
}

/// The call as its spec writes it, with these arguments; keywords that keep their defaults are left out.
std::string filled_call(const spec::OpSpec& to, const Names& roles) {
  std::string text = to.python;
  for (std::size_t open = 0; (open = text.find('{', open)) != std::string::npos;) {
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos) break;
    const std::string argument = text.substr(open + 1, close - open - 1);
    if (const auto value = argument_text(to, argument, roles)) {
      text.replace(open, close + 1 - open, *value);
      open += value->size();
      continue;
    }
    const std::string keyword = ", " + argument + "=";
    const std::size_t before = open - std::min(open, keyword.size());
    if (text.compare(before, keyword.size(), keyword) == 0) {
      text.erase(before, close + 1 - before);
      open = before;
    } else {
      text.replace(open, close + 1 - open, argument);
      open += argument.size();
    }
  }
  return text;
}

/// Code without the lines that set what nothing uses.
std::string without_unused(const std::string& code, const std::string& call) {
  std::string kept;
  std::istringstream lines(code);
  for (std::string line; std::getline(lines, line);) {
    const std::string made = line.substr(0, line.find(" ="));
    const bool unused = made.starts_with("new_") && call.find(made) == std::string::npos &&
                        code.find(made) == code.rfind(made);
    if (!unused) kept += line + '\n';
  }
  return kept;
}

std::string bridged(const spec::OpSpec& from, const Twin& twin, const Names& roles) {
  const Bridge& bridge = *twin.bridge;
  const bool is_number = kind_of_updates(from) == spec::ArgumentKind::scalar;
  const std::string code = is_number ? code_for_a_number(bridge) : bridge.code;
  Names given;
  for (const auto& [role, _] : twin.to->said().fields) {
    const std::string made = "new_" + role;
    const auto own = std::ranges::find(roles, role, [](const auto& pair) { return pair.first; });
    if (code.find(made + " =") != std::string::npos)
      given.emplace_back(role, made);
    else if (own != roles.end())
      given.emplace_back(role, own->second);
    else if (role == "combine" && !bridge.combine.empty())
      given.emplace_back(role, bridge.combine.front());
  }
  std::string call = filled_call(*twin.to, given);
  if (const std::size_t place = bridge.result.find("{}"); place != std::string::npos)
    call = with_names(bridge.result.substr(0, place), roles) + call +
           with_names(bridge.result.substr(place + 2), roles);
  return fmt::format("# {}\nimport numpy as np\n{}{}", call_in_python(from),
                     without_unused(with_names(code, roles), call), call);
}

}  // namespace

const spec::OpSpec& base_of(const spec::OpSpec& op, const spec::SpecLibrary& specs) {
  const spec::OpSpec* base = op.variant_of.empty() ? nullptr : specs.find(op.variant_of);
  return base ? *base : op;
}

std::vector<Twin> twins_of(const spec::OpSpec& from, const SiteSources& sources) {
  std::vector<Twin> twins;
  const spec::Family* family = sources.families.said_in(from);
  if (!family) return twins;
  std::set<std::string> reached;  // frameworks
  for (const spec::OpSpec& to : sources.catalogue.specs.all())
    if (to.variant_of.empty() && to.framework != from.framework && sources.families.said_in(to) == family &&
        have_words(from, *family, to, *family, nullptr)) {
      twins.push_back({&to, nullptr});
      reached.insert(to.framework);
    }
  for (const Bridge& bridge : sources.bridges) {
    if (bridge.from != family->name) continue;
    const spec::Family* other = sources.families.find(bridge.to);
    for (const spec::OpSpec& to : sources.catalogue.specs.all())
      if (to.variant_of.empty() && to.framework != from.framework && !reached.contains(to.framework) &&
          sources.families.said_in(to) == other && have_words(from, *family, to, *other, &bridge))
        twins.push_back({&to, &bridge});
  }
  return twins;
}

std::string call_in_python(const spec::OpSpec& op) {
  return op.python.empty() ? op.api : filled_call(op, {});
}

std::string translation(const spec::OpSpec& from, const Twin& twin, const spec::FamilyLibrary& families) {
  if (twin.to->python.empty()) return "";
  const Names roles = names_of_roles(from, *families.said_in(from));
  if (twin.bridge) return bridged(from, twin, roles);
  return fmt::format("# {}\n{}", call_in_python(from), filled_call(*twin.to, roles));
}

}  // namespace scatterproof::runner::site
