// SPDX-License-Identifier: Apache-2.0
// All families of a folder, checked against each other and against the specs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "role_values.hpp"
#include "scatterproof/spec/family/family.hpp"

namespace scatterproof::spec {
namespace {

namespace fs = std::filesystem;

void append(Errors& errors, const Errors& more) { errors.insert(errors.end(), more.begin(), more.end()); }

Error unknown(const Family& family, const Relation& relation, std::string_view kind, const std::string& word,
              const std::vector<std::string>& known) {
  return {.file = family.file,
          .at = relation.at,
          .what = fmt::format("relation '{}' names the unknown {} '{}'", relation.id, kind, word),
          .hint = did_you_mean(word, known)};
}

std::vector<std::string> names(const std::vector<Family>& families) {
  std::vector<std::string> all;
  for (const Family& family : families) all.push_back(family.name);
  return all;
}

std::vector<std::string> names(const std::vector<Role>& roles) {
  std::vector<std::string> all;
  for (const Role& role : roles) all.push_back(role.name);
  return all;
}

/// Checks that the families and roles that a relation names exist.
Errors check_relation(const Family& family, const Relation& relation, const std::vector<Family>& families) {
  const auto other = std::ranges::find(families, relation.in, &Family::name);
  if (other == families.end()) return {unknown(family, relation, "family", relation.in, names(families))};
  Errors errors;
  const auto check = [&](const std::string& role, const Family& of, language::Types types) {
    const Role* found = of.role(role);
    if (!found)
      errors.push_back(unknown(family, relation, "role of " + of.name, role, names(of.roles)));
    else if ((types_of(*found) & types) == 0)
      errors.push_back(
          {.file = family.file,
           .at = relation.at,
           .what = fmt::format("relation '{}' gives '{}' a value of the wrong type", relation.id, role)});
  };
  constexpr auto tensor = static_cast<language::Types>(language::Type::tensor);
  for (const auto& [role, value] : relation.values) check(role, *other, value->types() & ~tensor);
  for (const MadeIndex& made : relation.makes) {
    const std::vector<std::size_t> items = made.items ? other->places(made.role) : std::vector<std::size_t>();
    check(items.empty() ? made.role : other->roles[items.front()].name, *other, tensor);
    if (made.items && other->role(made.role))
      errors.push_back({.file = family.file,
                        .at = relation.at,
                        .what = fmt::format("relation '{}' makes items of '{}', which is one tensor in {}",
                                            relation.id, made.role, other->name)});
  }
  for (const auto& [role, sizes] : relation.shapes)
    for (const Family* of : {&family, &*other}) check(role, *of, tensor);
  return errors;
}

/// Whether an argument can have a value of a role's kind.
bool can_be(const ArgumentDecl& declared, Role::Kind kind) {
  switch (declared.kind) {
    case ArgumentKind::tensor:
      return kind == Role::Kind::tensor || kind == Role::Kind::tensor_or_scalar;
    case ArgumentKind::tensor_or_scalar:
    case ArgumentKind::scalar:
      return kind == Role::Kind::tensor_or_scalar;
    case ArgumentKind::integer:
      return kind == Role::Kind::integer || kind == Role::Kind::tensor_or_scalar;
    case ArgumentKind::boolean:
      return kind == Role::Kind::boolean;
    case ArgumentKind::choice:
      return std::ranges::any_of(declared.choices,
                                 [&](const Argument& one) { return role_value(kind, one).has_value(); });
    case ArgumentKind::integers:
      break;
  }
  return kind == Role::Kind::sizes;
}

/// Reports the parts of a kernel entry that its family cannot read.
Errors check_member(const Family& family, const OpSpec& spec) {
  Errors errors;
  const auto fail = [&](const Role& role, const std::string& why) {
    errors.push_back({.file = spec.file,
                      .what = fmt::format("the {} entry {} '{}'",
                                          spec.kernel.op.empty() ? "family" : "kernel", why, role.name),
                      .hint = fmt::format("{} is a role of {}", role.name, family.file)});
  };
  for (const Role& role : family.roles) {
    const LoweredValue* lowered = spec.said().find(role.name);
    if (!lowered) {
      if (!role.fallback && !role.left_out && !role.optional) fail(role, "lacks");
    } else if (lowered->argument.empty()) {
      if (!role_value(role.kind, lowered->literal)) fail(role, "has an invalid value for");
    } else if (lowered->table.empty()) {
      if (const ArgumentDecl* declared = spec.argument(lowered->argument);
          declared && !can_be(*declared, role.kind))
        fail(role, "gives an argument of the wrong kind for");
    } else {
      const auto sound = [&](const auto& entry) { return role_value(role.kind, entry.second).has_value(); };
      if (!std::ranges::all_of(lowered->table, sound)) fail(role, "has an invalid table for");
    }
  }
  // A kernel entry also has words that only engines read.
  for (const auto& [name, value] : spec.family.fields)
    if (!family.role(name))
      errors.push_back(
          {.file = spec.file,
           .what = fmt::format("the family entry has '{}', which is not a role of {}", name, family.name),
           .hint = did_you_mean(name, names(family.roles))});
  return errors;
}

}  // namespace

const Role* Family::role(std::string_view role_name) const {
  const auto found = std::ranges::find(roles, role_name, &Role::name);
  return found != roles.end() ? &*found : nullptr;
}

std::vector<std::size_t> Family::places(std::string_view of) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < roles.size(); ++i)
    if (roles[i].name == of || roles[i].list == of) found.push_back(i);
  return found;
}

Result<FamilyLibrary> FamilyLibrary::make(std::vector<Family> families) {
  std::ranges::sort(families, {}, &Family::name);
  Errors errors;
  for (std::size_t i = 0; i < families.size(); ++i) {
    if (i > 0 && families[i].name == families[i - 1].name)
      errors.push_back(
          {.file = families[i].file,
           .at = {1, 1},
           .what = fmt::format("{} is already described in {}", families[i].name, families[i - 1].file)});
    for (const Relation& relation : families[i].relations)
      append(errors, check_relation(families[i], relation, families));
  }
  if (!errors.empty()) return errors;
  FamilyLibrary library;
  library.families_ = std::move(families);
  return library;
}

Result<FamilyLibrary> FamilyLibrary::load(const std::string& folder) {
  std::error_code failed;
  std::vector<std::string> paths;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
    if (it->path().extension() == ".yaml") paths.push_back(it->path().string());
  if (failed)
    return Error{.file = folder,
                 .what = fmt::format("cannot read the families folder: {}", failed.message())};
  std::ranges::sort(paths);
  Errors errors;
  std::vector<Family> families;
  for (const std::string& path : paths) {
    auto loaded = load_family(path);
    if (loaded)
      families.push_back(std::move(loaded).value());
    else
      append(errors, loaded.errors());
  }
  if (!errors.empty()) return errors;
  return make(std::move(families));
}

std::string FamilyLibrary::hint(const std::string& name) const {
  const std::vector<std::string> known = names(families_);
  return did_you_mean(name, known, fmt::format("the families: {}", fmt::join(known, ", ")));
}

const Family* FamilyLibrary::find(std::string_view name) const {
  const auto found = std::ranges::lower_bound(families_, name, {}, &Family::name);
  return found != families_.end() && found->name == name ? &*found : nullptr;
}

Errors lint(const FamilyLibrary& families, const SpecLibrary& specs) {
  Errors errors;
  for (const OpSpec& spec : specs.all()) {
    if (spec.said().op.empty()) continue;
    if (const Family* family = families.said_in(spec))
      append(errors, check_member(*family, spec));
    else
      errors.push_back({.file = spec.file,
                        .what = fmt::format("there is no family '{}'", spec.said().op),
                        .hint = families.hint(spec.said().op)});
  }
  return errors;
}

}  // namespace scatterproof::spec
