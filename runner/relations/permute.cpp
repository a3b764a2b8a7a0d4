// SPDX-License-Identifier: Apache-2.0
// Lookups in another order, together with their data: reversed, and rotated by one.
#include <algorithm>

#include "lookups.hpp"

namespace scatterproof::runner::relations {

std::variant<Derivation, std::string> permute(const RelationCall& given) {
  const auto lookups = lookups_of(given);
  if (const auto* why_not = std::get_if<std::string>(&lookups)) return *why_not;
  const auto& found = std::get<LookupAxis>(lookups);
  SliceNumbers backwards = places(0, found.count), moved = backwards;
  std::ranges::reverse(backwards);
  std::ranges::rotate(moved, moved.begin() + 1);
  Derivation derivation{.first = given.call};
  for (const SliceNumbers& order : {backwards, moved}) {
    Image image;
    if (!given.scatters())
      image = [=](const spec::Tensor& result) { return selected(result, found.stream, order); };
    derivation.others.add(given.say(with_lookups(given, found, order)), image, image);
  }
  return derivation;
}

}  // namespace scatterproof::runner::relations
