// SPDX-License-Identifier: Apache-2.0
// The axis counted from the other end.
#include "scatterproof/runner/relations/derivation.hpp"

namespace scatterproof::runner::relations {

std::variant<Derivation, std::string> wrap_axis(const RelationCall& given) {
  const auto rank = static_cast<std::int64_t>(std::get<spec::Tensor>(given.role("data")).rank());
  if (rank == 0) return "without dimensions there is no end to count from";
  const std::int64_t axis = std::get<spec::Scalar>(given.role("axis")).integer();
  Derivation derivation{.first = given.call};
  derivation.others.add(
      given.say(given.with({{"axis", spec::Scalar::of_int(axis < 0 ? axis + rank : axis - rank)}})));
  return derivation;
}

}  // namespace scatterproof::runner::relations
