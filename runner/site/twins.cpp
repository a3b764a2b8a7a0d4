// SPDX-License-Identifier: Apache-2.0
#include "twins.hpp"

#include <algorithm>
#include <set>

#include "contents.hpp"
#include "translation.hpp"

namespace scatterproof::runner::site {
namespace {

using Words = std::set<std::string>;

/// The values that an entry can give a role.
Words words_of_entry(const spec::OpSpec& op, const spec::LoweredValue& entry) {
  if (entry.argument.empty()) return {entry.literal};
  Words words;
  for (const auto& [_, word] : entry.table) words.insert(word);
  if (!words.empty()) return words;
  const spec::ArgumentDecl* declared = op.argument(entry.argument);
  if (!declared || declared->kind == spec::ArgumentKind::boolean) return {"false", "true"};
  for (const spec::Argument& choice : declared->choices) words.insert(text_of_word(choice));
  return words;
}

/// The values that calls of an API can give a word or a truth value of its family; those of `otherwise` if
/// the family has no such role.
Words words_of_role(const spec::OpSpec& op, const spec::Family& family, const spec::Role& wanted) {
  const spec::Role* role = family.role(wanted.name);
  const auto* entry = op.said().find(wanted.name);
  if (entry) return words_of_entry(op, *entry);
  const auto& fallback = role && role->fallback ? role->fallback : wanted.fallback;
  return fallback ? Words{text_of_word(*fallback)} : Words{};
}

bool share_a_word(const Words& a, const Words& b) {
  return std::ranges::any_of(a, [&](const std::string& word) { return b.contains(word); });
}

bool is_word(const spec::Role& role) {
  return !role.policy && (role.kind == spec::Role::Kind::word || role.kind == spec::Role::Kind::boolean);
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

}  // namespace

const spec::OpSpec& base_of(const spec::OpSpec& op, const spec::SpecLibrary& specs) {
  const spec::OpSpec* base = op.variant_of.empty() ? nullptr : specs.find(op.variant_of);
  return base ? *base : op;
}

std::vector<Twin> twins_of(const spec::OpSpec& from, const spec::SpecLibrary& specs,
                           const spec::FamilyLibrary& families, const PortingCode& code) {
  std::vector<Twin> twins;
  const spec::Family* family = families.said_in(from);
  if (!family) return twins;
  std::set<std::string> reached;  // frameworks
  for (const spec::OpSpec& to : specs.all())
    if (to.variant_of.empty() && to.framework != from.framework && families.said_in(to) == family &&
        have_words(from, *family, to, *family, nullptr)) {
      twins.push_back({&to, nullptr});
      reached.insert(to.framework);
    }
  for (const Bridge& bridge : code.bridges) {
    if (bridge.from != family->name) continue;
    const spec::Family* other = families.find(bridge.to);
    for (const spec::OpSpec& to : specs.all())
      if (to.variant_of.empty() && to.framework != from.framework && !reached.contains(to.framework) &&
          families.said_in(to) == other && have_words(from, *family, to, *other, &bridge))
        twins.push_back({&to, &bridge});
  }
  return twins;
}

std::vector<std::string> pages_with_code(const spec::OpSpec& from, const std::string& framework,
                                         const spec::SpecLibrary& specs, const spec::FamilyLibrary& families,
                                         const PortingCode& code) {
  std::vector<std::string> pages;
  for (const Twin& twin : twins_of(from, specs, families, code))
    if (twin.bridge && twin.to->framework == framework) pages.push_back(file_of_pair(from.api, twin.to->api));
  return pages;
}

}  // namespace scatterproof::runner::site
