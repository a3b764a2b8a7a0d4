// SPDX-License-Identifier: Apache-2.0
// Checks whether the outcomes of a derivation's calls satisfy the relation.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scatterproof/runner/relations/derivation.hpp"

namespace scatterproof::runner::relations {

/// Everything that happened; its owner must outlive it.
struct Evidence {
  const Setting& setting;
  const spec::Relation& relation;
  const Derivation& derivation;
  const spec::Bag* bag;  ///< of the given call; null: it must be refused
  const spec::Outcome& first;
  const std::vector<spec::Outcome>& others;  ///< one for each of the derivation's
};

Answer answer(const Evidence& evidence);

/// The one tensor that a call produced; otherwise null, and the reason.
std::pair<const spec::Tensor*, std::string> only_tensor(const spec::Outcome& outcome);

}  // namespace scatterproof::runner::relations
