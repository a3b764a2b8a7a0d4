// SPDX-License-Identifier: Apache-2.0
#include "inputs.hpp"

#include <map>
#include <set>

#include "fuzz/generator.hpp"

namespace scatterproof::runner::compare {
namespace {

/// What a member reads in a way of its own is read in the family's way.
void forget_policies(const spec::Family& family, spec::Said& said) {
  for (std::size_t i = 0; i < family.roles.size(); ++i)
    if (family.roles[i].policy) said.values[i] = *family.roles[i].fallback;
}

/// Whether two of the tensors lie in one storage: an API that writes one of them would show that, and nothing else.
bool shares_storage(const spec::Said& said) {
  std::set<const void*> storages;
  for (const spec::Argument& value : said.values)
    if (const auto* tensor = std::get_if<spec::Tensor>(&value))
      if (!storages.insert(tensor->shared_storage().get()).second) return true;
  return false;
}

}  // namespace

std::int64_t elements_of(const spec::Said& said) {
  std::int64_t elements = 0;
  for (const spec::Argument& value : said.values)
    if (const auto* tensor = std::get_if<spec::Tensor>(&value)) elements += tensor->numel();
  return elements;
}

std::vector<Input> draw_inputs(const spec::FamilyComparison& comparison,
                               std::span<const spec::OpSpec* const> specs, const InputWishes& wishes) {
  std::vector<Input> inputs;
  for (const spec::OpSpec* spec : specs) {
    fuzz::Generator generator(*spec, wishes.seed);
    std::map<std::vector<std::size_t>, std::size_t> kept;
    for (std::uint64_t number = 0; number < wishes.calls; ++number) {
      if (wishes.interrupted && *wishes.interrupted) return inputs;
      const auto made = generator.make(number);
      if (!made) continue;
      auto said = spec::said_by(*comparison.family, *spec, made->call);
      if (!std::holds_alternative<spec::Said>(said)) continue;
      const auto& what = std::get<spec::Said>(said);
      if (elements_of(what) > wishes.elements || shares_storage(what)) continue;
      forget_policies(*comparison.family, std::get<spec::Said>(said));
      Input input = classified(comparison, std::get<spec::Said>(std::move(said)));
      if (input.classes.size() <= 1 && ++kept[input.classes] <= wishes.alike)
        inputs.push_back(std::move(input));
    }
  }
  return inputs;
}

}  // namespace scatterproof::runner::compare
