// SPDX-License-Identifier: Apache-2.0
#include "preparations.hpp"

#include <algorithm>

#include "contents.hpp"
#include "words.hpp"

namespace scatterproof::runner::site {
namespace {

/// Whether the document gives no other result in all these classes: then the code changes no other call.
bool does_nothing_else(const SaidByClass& said, const Preparation& one) {
  return std::ranges::all_of(one.classes, [&](const std::string& input_class) {
    const auto found = said.find(input_class);
    return found == said.end() || std::ranges::all_of(found->second, [&](const std::string& does) {
             return does == one.does || does == "refuses" || !promises_something(does);
           });
  });
}

/// Whether the other API is given each policy that the entry sets.
bool takes_policies(const Preparation& one, const spec::Family& family, const spec::OpSpec& to) {
  return std::ranges::all_of(one.sets, [&](const auto& set) {
    const spec::Role* role = family.role(set.first);
    const auto* entry = to.said().find(set.first);
    return !role || !role->policy || (entry && !entry->argument.empty());
  });
}

}  // namespace

Prepared preparations_of(SiteContents& contents, const spec::OpSpec& from, const Twin& twin) {
  const spec::Family& family = *contents.family(from);
  const SaidByClass& first = contents.said_by_class(from);
  const SaidByClass none;
  const SaidByClass& second = twin.bridge ? none : contents.said_by_class(*twin.to);
  Prepared all;
  for (const Preparation& one : contents.sources().code.preparations) {
    if (std::ranges::find(one.in, family.name) == one.in.end()) continue;
    if (!one.to.empty() && one.to != twin.to->framework) continue;
    if (twin.bridge && !one.bridged) continue;
    if (!does_nothing_else(first, one) || !takes_policies(one, family, *twin.to)) continue;
    bool is_needed = false;
    for (const std::string& input_class : one.classes) {
      const auto does = first.find(input_class);
      if (does == first.end() || !does->second.contains(one.does)) continue;
      const auto other = second.find(input_class);
      if (other != second.end() && other->second == std::set{one.does}) continue;
      if (!twin.bridge && other == second.end()) continue;  // no such call can be said there
      is_needed |= all.classes.insert(input_class).second;
    }
    if (is_needed) all.steps.push_back(&one);
  }
  return all;
}

}  // namespace scatterproof::runner::site
