// SPDX-License-Identifier: Apache-2.0
#include "translation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <regex>
#include <sstream>

#include "scatterproof/spec/language/language.hpp"
#include "words.hpp"

namespace scatterproof::runner::site {
namespace {

using Names = std::vector<std::pair<std::string, std::string>>;
using Table = std::vector<std::pair<std::string, std::string>>;

/// What stands for a role in code over the arguments of an API.
struct RoleCode {
  std::string role;  ///< of an item of a list of tensors: the list's
  std::string code;  ///< the name of an argument, or a constant; empty: the call leaves it out
  bool is_argument = false;
  Table words = {};  ///< of an argument with words: the API's own, and the family's
};
using RoleCodes = std::vector<RoleCode>;

const RoleCode* find_role(const RoleCodes& roles, const std::string& role) {
  const auto found = std::ranges::find(roles, role, &RoleCode::role);
  return found != roles.end() ? &*found : nullptr;
}

/// The API's own words for an argument, and what each is called in the family.
Table words_of_argument(const spec::OpSpec& op, const spec::LoweredValue& entry) {
  if (!entry.table.empty()) return entry.table;
  Table words;
  if (const spec::ArgumentDecl* declared = op.argument(entry.argument))
    for (const spec::Argument& choice : declared->choices)
      words.emplace_back(text_of_word(choice), text_of_word(choice));
  return words;
}

RoleCode code_of_role(const spec::OpSpec& op, const spec::Role& role) {
  RoleCode made{.role = role.list.empty() ? role.name : role.list, .code = {}};
  const spec::LoweredValue* entry = op.said().find(role.name);
  if (entry && !entry->argument.empty()) {
    const spec::ArgumentDecl* declared = op.argument(entry->argument);
    made.code = declared && !declared->list.empty() ? declared->list : entry->argument;
    made.is_argument = true;
    made.words = words_of_argument(op, *entry);
  } else if (entry) {
    made.code = entry->literal;
  } else if (role.fallback) {
    made.code = text_of_word(*role.fallback);
  }
  return made;
}

RoleCodes codes_of_roles(const spec::OpSpec& op, const spec::Family& family) {
  RoleCodes codes;
  for (const spec::Role& role : family.roles) {
    RoleCode made = code_of_role(op, role);
    if (!find_role(codes, made.role)) codes.push_back(std::move(made));
  }
  return codes;
}

Names names_of(const RoleCodes& roles) {
  Names names;
  for (const RoleCode& one : roles) names.emplace_back(one.role, one.code.empty() ? "None" : one.code);
  return names;
}

std::string python_word(const std::string& word) {
  return word == "true" ? "True" : word == "false" ? "False" : word;
}

/// A constant as Python writes it.
std::string python_constant(const std::string& word, const spec::ArgumentDecl& declared) {
  if (word == "true" || word == "false") return python_word(word);
  const bool is_number = word.find_first_not_of("-0123456789.") == std::string::npos;
  return is_number || declared.kind == spec::ArgumentKind::tensor ? word : '"' + word + '"';
}

/// The word of the family as `to` calls it.
std::optional<std::string> own_word(const Table& words, const std::string& word) {
  const auto found = std::ranges::find(words, word, [](const auto& pair) { return pair.second; });
  return found != words.end() ? std::optional(found->first) : std::nullopt;
}

/// An argument of `from` with words, as the words of `to`: itself, or a dictionary.
std::string mapped_words(const RoleCode& given, const spec::ArgumentDecl& declared, const Table& to) {
  std::vector<std::string> pairs;
  bool same = true;
  for (const auto& [own, word] : given.words)
    if (const auto other = own_word(to, word)) {
      pairs.push_back(
          fmt::format("{}: {}", python_constant(own, declared), python_constant(*other, declared)));
      same = same && own == *other;
    }
  return same ? given.code : fmt::format("{{{}}}[{}]", fmt::join(pairs, ", "), given.code);
}

/// What an argument of `to` is; nullopt: it keeps its default.
std::optional<std::string> code_of_argument(const spec::OpSpec& to, const std::string& argument,
                                            const RoleCodes& roles) {
  for (const auto& [role, entry] : to.said().fields) {
    const spec::ArgumentDecl* declared = entry.argument.empty() ? nullptr : to.argument(entry.argument);
    if (!declared || (entry.argument != argument && declared->list != argument)) continue;
    const std::string name = declared->list.empty() ? role : role.substr(0, role.rfind('_'));
    const RoleCode* given = find_role(roles, name);
    if (!given || given->code.empty()) return std::nullopt;
    const Table words = words_of_argument(to, entry);
    if (words.empty()) return given->is_argument ? given->code : python_constant(given->code, *declared);
    if (given->is_argument && !given->words.empty()) return mapped_words(*given, *declared, words);
    if (given->is_argument) return given->code;
    const auto own = own_word(words, given->code);
    return own ? std::optional(python_constant(*own, *declared)) : std::nullopt;
  }
  // A selection without a role has the arrays alone.
  const spec::ArgumentDecl* selection = to.argument(argument);
  if (selection && !selection->selects_with.empty())
    return code_of_argument(to, selection->selects_with, roles);
  return std::nullopt;
}

/// Whether it is the argument's default, which need not be written.
bool is_default(const spec::OpSpec& op, const std::string& argument, const std::string& code) {
  const spec::ArgumentDecl* declared = op.argument(argument);
  return declared && declared->fallback &&
         python_constant(text_of_word(*declared->fallback), *declared) == code;
}

/// The call as its spec writes it, with this code for each argument; keywords are left out that have none, or
/// their default.
std::string filled_call(const spec::OpSpec& op,
                        const std::function<std::optional<std::string>(const std::string&)>& code_of) {
  std::string text = op.python;
  for (std::size_t open = 0; (open = text.find('{', open)) != std::string::npos;) {
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos) break;
    const std::string argument = text.substr(open + 1, close - open - 1);
    const std::string keyword = ", " + argument + "=";
    const std::size_t before = open - std::min(open, keyword.size());
    const auto code = code_of(argument);
    if ((!code || is_default(op, argument, *code)) && text.compare(before, keyword.size(), keyword) == 0) {
      text.erase(before, close + 1 - before);
      open = before;
      continue;
    }
    const std::string put = code.value_or(argument);
    text.replace(open, close + 1 - open, put);
    open += put.size();
  }
  return text;
}

/// What an API has for a role that its callers cannot choose; empty: they can, or it has none.
std::string fixed_code(const spec::OpSpec& op, const spec::Role& role) {
  const RoleCode own = code_of_role(op, role);
  return own.is_argument ? "" : own.code;
}

/// The arguments that a function needs to know before it is traced, such as a dimension.
std::vector<std::string> static_arguments(const spec::OpSpec& op, const RoleCodes& roles) {
  using enum spec::ArgumentKind;
  std::vector<std::string> names;
  for (const RoleCode& one : roles)
    if (const spec::ArgumentDecl* declared = one.is_argument ? op.argument(one.code) : nullptr)
      if (declared->kind == integer || declared->kind == boolean || declared->kind == choice ||
          declared->kind == integers)
        names.push_back(fmt::format("\"{}\"", one.code));
  return names;
}

/// What the call needs to be told of: which words it stands for, and what it writes into.
std::string remarks(const spec::OpSpec& from, const spec::OpSpec& to, const RoleCodes& roles,
                    const spec::Family& family, bool same_family) {
  std::string text;
  for (const spec::Role& role : family.roles) {
    const RoleCode* given = find_role(roles, role.name);
    const std::string fixed = fixed_code(to, role);
    if (role.policy || !given || !given->is_argument || fixed.empty()) continue;
    const auto own = own_word(given->words, fixed);
    const bool unknown = !to.said().find(role.name);  // there, a call always has the usual value
    if (own || (given->words.empty() && (same_family || unknown)))
      text += fmt::format("# if {} is {}\n", given->code, python_word(own.value_or(fixed)));
  }
  for (const spec::Role& role : family.roles)
    if (const auto* entry = to.said().find(role.name);
        role.left_out && entry && !from.said().find(role.name) && !entry->argument.empty())
      text += fmt::format("# {}: {}\n", entry->argument, role.left_out->text());
  const bool writes = !to.meaning.in_place.empty(), wrote = !from.meaning.in_place.empty();
  if (to.framework == "jax" && from.framework != "jax") {
    text += "# 64-bit dtypes need jax.config.update(\"jax_enable_x64\", True)\n";
    if (const auto names = static_arguments(from, roles); !names.empty())
      text += fmt::format("# jax.jit needs static_argnames=[{}]\n", fmt::join(names, ", "));
  }
  if (writes && !wrote) text += "# it writes into its argument: copy that first, to keep it\n";
  if (wrote && !writes) text += "# it gives the result, and leaves its argument as it was\n";
  return text;
}

/// Whether the call itself has no value: the result is what it has written into.
bool has_no_value(const spec::OpSpec& op) {
  return !op.meaning.in_place.empty() &&
         (op.framework == "numpy" || op.python.find(" = ") != std::string::npos);
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

/// The code with functions of jax.numpy, which take what jax.jit traces.
std::string for_jax(const std::string& code) {
  const std::string functions = std::regex_replace(code, std::regex(R"(\bnp\.)"), "jnp.");
  // Without a mode it would look at the values.
  const std::regex numbered(R"((ravel_multi_index\(.*, [\w.:\[\]]+)\))");
  const std::string traced = std::regex_replace(functions, numbered, R"($1, mode="clip"))");
  return (traced != functions ? "# an index out of range is taken as the nearest in range\n" : "") +
         ("import jax.numpy as jnp\n" + traced);
}

/// The code with functions of torch, which take tensors; empty: torch lacks one of them.
std::string for_torch(std::string code) {
  static const std::pair<std::regex, std::string> own[] = {
      {std::regex(R"(\bnp\.(where|moveaxis|broadcast_to|stack)\()"), "torch.$1("},
      {std::regex(R"(\bnp\.broadcast_arrays\()"), "torch.broadcast_tensors("},
      {std::regex(R"(\bnp\.zeros\((.*), (\w+\.dtype)\))"), "torch.zeros($1, dtype=$2)"},
      {std::regex(R"(\.size\b(?!\())"), ".numel()"}};
  for (const auto& [numpys, torchs] : own) code = std::regex_replace(code, numpys, torchs);
  return code.find("np.") == std::string::npos ? "import torch\n" + code : "";
}

/// What the roles of the other family are, once the code of the bridge was executed.
RoleCodes bridged_roles(const spec::OpSpec& to, const Bridge& bridge, const std::string& code,
                        const RoleCodes& roles) {
  RoleCodes given;
  for (const auto& [field, entry] : to.said().fields) {
    const spec::ArgumentDecl* declared = entry.argument.empty() ? nullptr : to.argument(entry.argument);
    const std::string role = declared && !declared->list.empty() ? field.substr(0, field.rfind('_')) : field;
    if (find_role(given, role)) continue;
    if (code.find("new_" + role + " =") != std::string::npos)
      given.push_back({.role = role, .code = "new_" + role, .is_argument = true});
    else if (const RoleCode* own = find_role(roles, role))
      given.push_back(*own);
    else if (role == "combine" && !bridge.combine.empty())
      given.push_back({.role = role, .code = bridge.combine.front()});
  }
  return given;
}

using Steps = std::vector<const Preparation*>;

/// Lines that set new_<role>, and the roles after them.
std::string prepared_code(const Steps& steps, const spec::Family& family, RoleCodes& roles) {
  std::string text;
  for (const Preparation* step : steps) {
    const RoleCodes before = roles;
    for (const auto& [role, python] : step->sets) {
      const auto one = std::ranges::find(roles, role, &RoleCode::role);
      if (one == roles.end()) continue;
      const spec::Role* known = family.role(role);
      if (known && known->policy) {
        *one = {.role = role, .code = python};
      } else {
        text += fmt::format("new_{} = {}\n", role, with_names(python, names_of(before)));
        one->code = "new_" + role;
      }
    }
  }
  return text;
}

/// `value`, which stands for the result of the call, in the place that the text has for it.
std::string result_code(const std::string& result, const std::string& value, const Names& names) {
  const std::size_t place = result.find("{}");
  if (place == std::string::npos) return value;
  return with_names(result.substr(0, place), names) + value + with_names(result.substr(place + 2), names);
}

/// With the imports that it needs.
std::string with_imports(const std::string& code, const spec::OpSpec& to) {
  if (code.find("np.") == std::string::npos) return code;
  if (to.framework == "torch")
    if (std::string own = for_torch(code); !own.empty()) return own;
  return to.framework == "jax" ? for_jax(code) : "import numpy as np\n" + code;
}

std::string twin_code(const spec::OpSpec& to, const Steps& steps, const std::string& prepared,
                      const RoleCodes& roles, const Names& names) {
  std::string call =
      filled_call(to, [&](const std::string& name) { return code_of_argument(to, name, roles); });
  for (const Preparation* step : steps) call = result_code(step->result, call, names);
  return with_imports(prepared + call, to);
}

std::string bridged_code(const spec::OpSpec& from, const Twin& twin, const std::string& prepared,
                         const RoleCodes& roles) {
  const Bridge& bridge = *twin.bridge;
  const spec::OpSpec& to = *twin.to;
  const bool is_number = kind_of_updates(from) == spec::ArgumentKind::scalar;
  const std::string code = is_number ? code_for_a_number(bridge) : bridge.code;
  const RoleCodes given = bridged_roles(to, bridge, code, roles);
  std::string call =
      filled_call(to, [&](const std::string& name) { return code_of_argument(to, name, given); });
  std::string value = call;
  if (has_no_value(to)) {
    const RoleCode* data = find_role(given, "data");
    value = data ? data->code : "";
  }
  // Tensors of tensorflow lack numpy's methods.
  if (to.framework == "tensorflow" && bridge.result.starts_with("{}.")) value = "np.asarray(" + value + ")";
  value = result_code(bridge.result, value, names_of(roles));
  call = has_no_value(to) ? call + "\n" + value : value;
  return with_imports(without_unused(prepared + with_names(code, names_of(roles)), call) + call, to);
}

}  // namespace

std::string text_of_word(const spec::Argument& value) {
  const auto* word = std::get_if<std::string>(&value);
  return word ? *word : spec::to_string(value);
}

std::optional<spec::ArgumentKind> kind_of_updates(const spec::OpSpec& op) {
  const auto* entry = op.said().find("updates");
  const spec::ArgumentDecl* declared = entry ? op.argument(entry->argument) : nullptr;
  return declared ? std::optional(declared->kind) : std::nullopt;
}

std::string code_for_a_number(const Bridge& bridge) {
  std::string code;
  std::istringstream lines(bridge.code);
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("new_updates =")) code += line + '\n';
  return code.find("updates") == std::string::npos ? code : "";
}

std::string call_in_python(const spec::OpSpec& op) {
  if (op.python.empty()) return op.api;
  return filled_call(op, [&](const std::string& name) {
    const bool speaks = std::ranges::any_of(op.said().fields,
                                            [&](const auto& field) { return field.second.argument == name; });
    return speaks ? std::optional(name) : std::nullopt;
  });
}

std::string translation(const spec::OpSpec& from, const Twin& twin, const Steps& steps,
                        const spec::FamilyLibrary& families) {
  const spec::OpSpec& to = *twin.to;
  if (to.python.empty()) return "";
  const spec::Family& family = *families.said_in(from);
  const RoleCodes own = codes_of_roles(from, family);
  RoleCodes roles = own;
  const std::string prepared = prepared_code(steps, family, roles);
  return fmt::format("# {}\n{}{}", call_in_python(from), remarks(from, to, own, family, !twin.bridge),
                     twin.bridge ? bridged_code(from, twin, prepared, roles)
                                 : twin_code(to, steps, prepared, roles, names_of(own)));
}

}  // namespace scatterproof::runner::site
