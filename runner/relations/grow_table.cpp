// SPDX-License-Identifier: Apache-2.0
// Adds one slice, which the index never names, at the end of what the index addresses.
#include "lookups.hpp"
#include "scatterproof/spec/judge/judge.hpp"

namespace scatterproof::runner::relations {

using spec::Tensor;

std::variant<Derivation, std::string> grow_table(const RelationCall& given) {
  const auto& data = std::get<Tensor>(given.role("data"));
  const auto along = dimension(given.family.table, spec::frame_of(given.family, given.said), data.rank());
  if (!along) return "there is no dimension that the index addresses";
  spec::Shape one = data.shape();
  one[*along] = 1;
  const Tensor slice = data.shape()[*along] > 0 ? selected(data, *along, {0}) : Tensor(data.dtype(), one);
  Image grown, all_settled;
  if (given.scatters()) {
    grown = [=](const Tensor& result) { return joined(result, slice, *along); };
    all_settled = [=](const Tensor& settled) {
      const auto whole = spec::Scalar::of_int(static_cast<int>(spec::Settled::whole));
      return joined(settled, filled(settled.dtype(), one, whole), *along);
    };
  }
  Derivation derivation{.first = given.call};
  derivation.others.add(given.say(given.with({{"data", joined(data, slice, *along)}})), grown, all_settled);
  return derivation;
}

}  // namespace scatterproof::runner::relations
