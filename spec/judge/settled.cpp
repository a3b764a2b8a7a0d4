// SPDX-License-Identifier: Apache-2.0
// Which cells of a bag have only one value: those for which the sharpest comparison modes list one, with all
// latitude allowed.
#include "cell.hpp"
#include "scatterproof/spec/judge/bag.hpp"
#include "scatterproof/spec/judge/judge.hpp"

namespace scatterproof::spec {
namespace {

Settled settled_in(const judging::Cell& cell) {
  if (!cell.touched()) return Settled::whole;
  const judging::Allowed allowed = judging::allowed_in(cell);
  if (allowed.free || allowed.region || allowed.listed.size() != 1) return Settled::no;
  return allowed.zeros_alike ? Settled::but_for_zero_sign : Settled::whole;
}

}  // namespace

std::vector<Settled> settled(Bag bag) {
  bag.collisions = Collisions::any;
  bag.accumulate = Accumulate::any;
  bag.integer_mean = IntegerMean::open;
  bag.integer_quotient = IntegerQuotient::open;
  bag.nan = NanPolicy::open;
  std::vector<Settled> cells;
  for (std::int64_t i = 0; i < numel(bag.shape); ++i) cells.push_back(settled_in(judging::cell_at(bag, i)));
  return cells;
}

}  // namespace scatterproof::spec
