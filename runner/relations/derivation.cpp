// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/relations/derivation.hpp"

#include <algorithm>
#include <array>

#include "scatterproof/runner/relations/restated.hpp"

namespace scatterproof::runner::relations {
namespace {

/// One line for each word of the schema.
constexpr std::array<Transformation, 10> transformations = {{
    {"fill_updates", fill_updates},
    {"gather_back", gather_back},
    {"grow_table", grow_table},
    {"keep_inputs", keep_inputs},
    {"permute", permute},
    {"relayout", relayout},
    {"repeat", repeat, true},
    {"restate", restate},
    {"split", split},
    {"wrap_axis", wrap_axis},
}};

}  // namespace

const Transformation* find_transformation(std::string_view word) {
  const auto* found = std::ranges::find(transformations, word, &Transformation::word);
  return found != transformations.end() ? found : nullptr;
}

void Others::add(std::variant<spec::Call, std::string> said, Image expected, Image settled) {
  if (const auto* call = std::get_if<spec::Call>(&said))
    calls.push_back({*call, std::move(expected), std::move(settled)});
  else
    why_none = std::get<std::string>(said);
}

const spec::Argument& RelationCall::role(std::string_view name) const { return value_of(family, said, name); }

spec::FamilyCall RelationCall::with(std::vector<std::pair<std::string_view, spec::Argument>> changes) const {
  spec::FamilyCall changed = said;
  for (auto& [name, value] : changes) value_of(family, changed, name) = std::move(value);
  return changed;
}

std::variant<spec::Call, std::string> RelationCall::say(const spec::FamilyCall& what) const {
  return spec::say(family, spec, what, &call);
}

}  // namespace scatterproof::runner::relations
