// SPDX-License-Identifier: Apache-2.0
// The dimension along which lookups follow one another, in a given call.
#pragma once

#include <string>
#include <variant>

#include "scatterproof/runner/relations/derivation.hpp"
#include "scatterproof/runner/relations/slices.hpp"

namespace scatterproof::runner::relations {

struct LookupAxis {
  std::size_t index = 0;   ///< dimension of the index
  std::size_t stream = 0;  ///< dimension of the stream
  std::int64_t count = 0;  ///< the index's size along it
};
/// For a call with at least two lookups; otherwise why there is no such dimension.
std::variant<LookupAxis, std::string> lookups_of(const RelationCall& given);

/// What the call says, restricted to these lookups in this order: index and, for a scatter, updates.
spec::FamilyCall with_lookups(const RelationCall& given, const LookupAxis& lookups,
                              const SliceNumbers& which);

/// A family's expression for one of `rank` dimensions, over its frame; empty when it has no value or there is
/// no such dimension.
std::optional<std::size_t> dimension(const spec::ExpressionPtr& expression,
                                     const spec::language::Frame& frame, std::size_t rank);

}  // namespace scatterproof::runner::relations
