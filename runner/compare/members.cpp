// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/compare/members.hpp"

#include <algorithm>

namespace scatterproof::runner::compare {

std::string FamilyMember::name(std::span<const FamilyMember> all) const {
  const auto same = std::ranges::count(all, spec, &FamilyMember::spec);
  return same == 1 ? spec->api : spec->api + " (" + engine->info().name + ")";
}

std::vector<FamilyMember> members_of(const spec::Family& family, const spec::FamilyLibrary& families,
                                     const spec::SpecLibrary& specs,
                                     std::span<const std::unique_ptr<engines::Engine>> engines) {
  std::vector<FamilyMember> members;
  for (const spec::OpSpec& one : specs.all()) {
    if (families.said_in(one) != &family) continue;
    for (const auto& engine : engines)
      if (engine->info().offers(one.api)) members.push_back({&one, engine.get()});
  }
  return members;
}

std::vector<FamilyMember> restated_members(const spec::Family& family, const spec::FamilyLibrary& families,
                                           const spec::SpecLibrary& specs,
                                           std::span<const std::unique_ptr<engines::Engine>> engines) {
  std::vector<FamilyMember> members;
  for (const spec::Family& other : families.all()) {
    const spec::Relation* relation = &other != &family ? restating(family, other) : nullptr;
    if (!relation) continue;
    for (FamilyMember& one : members_of(other, families, specs, engines)) {
      one.restated = relation;
      one.other = &other;
      members.push_back(one);
    }
  }
  return members;
}

const spec::Relation* restating(const spec::Family& family, const spec::Family& other) {
  for (const spec::Relation& relation : family.relations)
    if (relation.by == "restate" && relation.in == other.name) return &relation;
  return nullptr;
}

}  // namespace scatterproof::runner::compare
