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
    if (families.said_in(one) != &family || !one.variant_of.empty()) continue;
    for (const auto& engine : engines)
      if (std::ranges::find(engine->info().apis, one.api) != engine->info().apis.end())
        members.push_back({&one, engine.get()});
  }
  return members;
}

}  // namespace scatterproof::runner::compare
