// SPDX-License-Identifier: Apache-2.0
#include "in_turn.hpp"

#include <utility>

namespace scatterproof::runner::claims {
namespace {

/// A result with these elements, each assigned once.
spec::Bag bag_of(const spec::Tensor& tensor) {
  spec::Bag bag;
  bag.dtype = tensor.dtype();
  bag.shape = tensor.shape();
  bag.offsets.push_back(0);
  spec::Coords at(tensor.rank(), 0);
  for (std::int64_t i = 0; i < tensor.numel(); ++i) {
    bag.list.push_back({.value = tensor.get(at), .origin = {}});
    bag.offsets.push_back(i + 1);
    spec::next(at, tensor.shape());
  }
  return bag;
}

}  // namespace

spec::Expectation exactly(const spec::Tensor& tensor, std::string because) {
  spec::Expectation required;
  required.what = bag_of(tensor);
  required.because = std::move(because);
  return required;
}

std::optional<spec::Expectation> required_of_second(const MappingClaim& claim, const spec::Call& first) {
  const auto given = given_back(claim, first);
  const auto* tensor = std::get_if<spec::Tensor>(&given);
  if (!tensor) return {};
  return exactly(*tensor, claim.id + ": " + claim.says);
}

}  // namespace scatterproof::runner::claims
